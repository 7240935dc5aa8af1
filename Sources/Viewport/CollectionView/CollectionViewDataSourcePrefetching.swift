/// The counterpart of `UICollectionViewDataSourcePrefetching`: told ahead of the scroll what will be seen.
public protocol CollectionViewDataSourcePrefetching: AnyObject {
    typealias IndexPath = CollectionView.IndexPath

    /// Fetch these: they will probably come into view, the most urgent first. None of them is being asked for already.
    func collectionView(_ collectionView: CollectionView, prefetchItemsAt indexPaths: [IndexPath])

    /// Let go of these, if they are still on their way: they were named by `prefetchItemsAt` and have not come into
    /// view, and now they are not expected to. Does nothing by default.
    func collectionView(
        _ collectionView: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDataSourcePrefetching {
    public func collectionView(
        _ collectionView: CollectionView, cancelPrefetchingForItemsAt indexPaths: [IndexPath]
    ) {}
}

/// Told what comes into view and what leaves it: where UIKit calls once for each cell, this is called once for all.
public protocol CollectionViewDelegate: AnyObject {
    typealias IndexPath = CollectionView.IndexPath

    /// These come into view. Fetch what of them is neither here nor on its way. Does nothing by default.
    func collectionView(_ collectionView: CollectionView, willDisplayItemsAt indexPaths: [IndexPath])

    /// These have left the view; what of them is still on its way is wanted by nobody. Does nothing by default.
    func collectionView(
        _ collectionView: CollectionView, didEndDisplayingItemsAt indexPaths: [IndexPath])
}

extension CollectionViewDelegate {
    public func collectionView(
        _ collectionView: CollectionView, willDisplayItemsAt indexPaths: [IndexPath]
    ) {}

    public func collectionView(
        _ collectionView: CollectionView, didEndDisplayingItemsAt indexPaths: [IndexPath]
    ) {}
}
