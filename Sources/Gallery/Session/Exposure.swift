/// Measures the exposure of a page's cells: visible and blank cell-milliseconds, cells that were ready when they came into
/// view, and bytes that were sent but never shown.
package struct Exposure: Sendable {
    /// Visible cell-milliseconds so far.
    package private(set) var visibleTime = 0.0
    /// Visible cell-milliseconds without a picture.
    package private(set) var blankTime = 0.0
    /// Number of cells that came into view.
    package private(set) var shown = 0
    /// Number of cells whose picture was there when they came into view.
    package private(set) var shownReady = 0
    /// Total bytes of all finished pictures.
    private(set) var finishedBytes = 0
    /// Bytes of thumbnails that were sent for items not shown since.
    ///
    /// The record of such items is bounded by ``maxUnseen``. Items dropped from it stay counted.
    package private(set) var unseenBytes = 0

    static let maxUnseen = 8192

    private var visible = 0..<0
    private var blank: Set<Int> = []
    private var unseen: [Int: Int] = [:]
    private var lastTime: Double?

    package init() {}

    var visibleCount: Int { visible.count }
    var blankCount: Int { blank.count }

    /// Maximum counted gap between two events, in milliseconds. A page that sleeps longer shows nothing.
    static let maxGap = 5000.0

    package mutating func update(_ newVisible: Range<Int>, at time: Double, isReady: (Int) -> Bool) {
        elapse(to: time)
        for item in newVisible where !visible.contains(item) {
            shown += 1
            unseenBytes -= unseen.removeValue(forKey: item) ?? 0
            if isReady(item) { shownReady += 1 } else { blank.insert(item) }
        }
        for item in blank where !newVisible.contains(item) { blank.remove(item) }
        visible = newVisible
    }

    package mutating func finished(_ item: Int, bytes: Int, at time: Double) {
        elapse(to: time)
        finishedBytes += bytes
        if visible.contains(item) {
            blank.remove(item)
        } else {
            unseenBytes += bytes - (unseen.updateValue(bytes, forKey: item) ?? 0)
            if unseen.count > Self.maxUnseen, let old = unseen.first { unseen[old.key] = nil }
        }
    }

    /// Adds the time since the last event, during which nothing changed.
    package mutating func elapse(to time: Double) {
        defer { lastTime = time }
        guard let lastTime, time > lastTime else { return }
        let gap = min(time - lastTime, Self.maxGap)
        visibleTime += gap * Double(visible.count)
        blankTime += gap * Double(blank.count)
    }
}

extension Exposure {
    /// The sums of one session or of many.
    package struct Totals: Sendable {
        package var visibleTime = 0.0
        package var blankTime = 0.0
        package var shown = 0
        package var shownReady = 0
        package var unseenBytes = 0

        static func += (total: inout Totals, part: Totals) {
            total.visibleTime += part.visibleTime
            total.blankTime += part.blankTime
            total.shown += part.shown
            total.shownReady += part.shownReady
            total.unseenBytes += part.unseenBytes
        }
    }

    var totals: Totals {
        Totals(
            visibleTime: visibleTime, blankTime: blankTime, shown: shown, shownReady: shownReady,
            unseenBytes: unseenBytes)
    }
}
