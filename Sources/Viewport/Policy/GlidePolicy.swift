extension PolicyName {
    /// See `GlidePolicy`.
    public static let glide = GlidePolicy.name
}

/// Glide's `ListPreloader` with the 10 items of its Compose integration.
///
/// Whenever the first visible item changes, the policy requests the next 10 items in scroll direction, nearest first, except
/// items requested before. The items share a ring of 11 targets. Reusing the oldest target cancels its request. If the scroll
/// turns, all requests are cancelled.
package struct GlidePolicy: Policy {
    package static let name = PolicyName("glide")
    package static let summary = "The next ten items, cancelled when the scroll turns around."

    static let maxPreload = 10

    private var ring: [Int] = []
    private var lastVisible: Range<Int>?
    private var lastStart = 0
    private var lastEnd = 0
    private var isIncreasing = true

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        let visible = view.visible
        let lastFirst = lastVisible?.lowerBound ?? -1
        if visible != lastVisible, !visible.isEmpty {
            if visible.lowerBound > lastFirst {
                preload(from: visible.upperBound, increasing: true, count: view.layout.itemCount)
            } else if visible.lowerBound < lastFirst {
                preload(from: visible.lowerBound, increasing: false, count: view.layout.itemCount)
            }
            lastVisible = visible
        }
        wants.add(ring)
    }

    private mutating func preload(from start: Int, increasing: Bool, count: Int) {
        if isIncreasing != increasing {
            isIncreasing = increasing
            ring = []
        }
        var low = increasing ? max(lastEnd, start) : start - Self.maxPreload
        var high = increasing ? start + Self.maxPreload : min(lastStart, start)
        low = min(max(low, 0), count)
        high = min(max(high, 0), count)
        lastStart = low
        lastEnd = high
        guard low < high else { return }
        let items = increasing ? Array(low..<high) : (low..<high).reversed()
        ring = Array((ring + items).suffix(Self.maxPreload + 1))
    }
}
