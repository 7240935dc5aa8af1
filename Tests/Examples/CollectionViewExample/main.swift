import Viewport

final class Loader: CollectionViewDataSourcePrefetching {
    func collectionView(_: CollectionView, prefetchItemsAt paths: [IndexPath]) { print("prefetch", paths) }
    func collectionView(_: CollectionView, cancelPrefetchingForItemsAt paths: [IndexPath]) { print("cancel", paths) }
}

let loader = Loader()
let options = LayoutOptions(kind: .grid(itemWidth: 130, itemHeight: 130))
let view = CollectionView(numberOfItems: [30, 0, 300], layout: options, size: Size(width: 390, height: 844))
view.prefetchDataSource = loader
// A second down, and back for a moment.
for frame in 0..<70 { view.setContentOffset(Double(min(frame, 120 - frame)) * 40, at: Double(frame) * 16.7) }
