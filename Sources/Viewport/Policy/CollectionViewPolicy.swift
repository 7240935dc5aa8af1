extension PolicyName {
    /// See `CollectionViewPolicy`.
    public static let collectionView = CollectionViewPolicy.name
}

/// Wants the items that `UICollectionViewDataSourcePrefetching` requests.
///
/// The window reaches three quarters of a screen ahead of the scroll, nearest items first. An item that leaves the window is
/// cancelled. If the scroll turns, all items of the window are cancelled. UIKit's algorithm is closed: 0.75 is the value that
/// Nuke's documentation measured (32 items visible, the next 24 requested, also when first opened). The window moves by rows: a
/// row that is partly inside is requested whole.
package struct CollectionViewPolicy: Policy {
    package static let name = PolicyName("collection-view")
    package static let summary = "Three quarters of a screen ahead, nearest first; cancels what leaves the window."

    /// Distance to look ahead, in screens.
    static let lookAhead = 0.75

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        let band = view.band
        let reach = Self.lookAhead * view.viewport.height
        let window =
            view.motion.direction > 0
            ? band.upperBound..<(band.upperBound + reach) : (band.lowerBound - reach)..<band.lowerBound
        wants.add(view.nearestFirst(in: window))
    }
}
