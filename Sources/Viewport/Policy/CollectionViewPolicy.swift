extension PolicyName {
    /// See `CollectionViewPolicy`.
    public static let collectionView = CollectionViewPolicy.name
}

/// Wants the items that `UICollectionViewDataSourcePrefetching` asks for.
///
/// Items within three quarters of a screen ahead of the scroll, nearest first; an item that leaves that window is
/// cancelled, and so is all of it when the scroll turns. UIKit's algorithm is closed: 0.75 is what Nuke's
/// documentation measured (32 items visible, the next 24 asked for, at first open too). The window moves by rows:
/// a row that is partly within is asked for whole.
package struct CollectionViewPolicy: Policy {
    package static let name = PolicyName("collection-view")
    package static let summary = "Three quarters of a screen ahead, nearest first; cancels what leaves the window."

    /// How far ahead to look, in screens.
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
