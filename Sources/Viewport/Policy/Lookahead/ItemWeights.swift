/// The relative cost of fetching an item: 1 for the usual picture.
///
/// One that has begun to come has told its length. Of the others only the shape is known, or what the layout takes for it:
/// at one resolution a picture's bytes grow with its area, so a panorama costs several portraits of the same row.
struct ItemWeights {
    /// No estimate is further off than this, either way: shapes say little about bytes.
    static let bounds = 0.25...4.0
    /// Visible cells that are measured to know the usual area.
    private static let samples = 8

    private let view: PolicyView
    private let usualArea: Double

    init(_ view: PolicyView) {
        self.view = view
        var area = 0.0
        var count = 0.0
        for item in stride(
            from: view.visible.lowerBound, to: view.visible.upperBound, by: max(1, view.visible.count / Self.samples))
        {
            let frame = view.layout.frame(of: item)
            area += frame.width * frame.height
            count += 1
        }
        usualArea = area / max(1, count)
    }

    /// - Parameter frame: where the item lies.
    func weight(of item: Int, _ frame: Frame) -> Double {
        if let bytes = view.task(item)?.bytes { return max(bytes / view.network.itemBytes, 0.01) }
        guard usualArea > 0 else { return 1 }
        return (frame.width * frame.height / usualArea).clamped(to: Self.bounds, or: 1)
    }
}
