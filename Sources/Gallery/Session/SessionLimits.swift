import Numbers
import Synchronization
import Viewport

/// Limits how often a client changes a session: a ``RateLimit`` without a lock, so that a flood of changes is refused without
/// touching the session.
package struct UpdateLimit: ~Copyable, Sendable {
    /// Average number of changes per second, and the largest burst.
    let rate: Double
    /// The limit's arrival time, as a bit pattern.
    private let arrival = Atomic((-Double.infinity).bitPattern)

    /// - Parameter rate: above 0.
    package init(rate: Double) { self.rate = rate }

    /// - Parameter time: current time in milliseconds.
    /// - Returns: `nil` if the change is allowed, otherwise the milliseconds until a change is allowed.
    package func take(at time: Double) -> Double? {
        var known = arrival.load(ordering: .relaxed)
        while true {
            var limit = RateLimit(rate: rate, arrival: Double(bitPattern: known))
            if let wait = limit.take(at: time) { return wait }
            let (exchanged, original) = arrival.weakCompareExchange(
                expected: known, desired: limit.arrival.bitPattern, ordering: .relaxed)
            if exchanged { return nil }
            known = original
        }
    }
}

/// Limits the number of items that a viewport shows at the same time. Each update decides on each visible item, on the thread
/// that responds.
package enum VisibleItemLimit {
    /// Maximum number of visible items of a session. A screen of 3840 × 2160 shows 8,000 cells of 32 × 32.
    static let limit = 10_000

    /// Estimates the visible items, for pictures of the usual shape.
    static func count(_ options: LayoutOptions, in viewport: Size) -> Double {
        func fitting(_ length: Double, _ cell: Double, _ gap: Double) -> Double {
            max(1, (length + gap) / (cell + gap))
        }
        let usual = AspectRatios.unknown
        let columns: Double
        let rowHeight: Double
        switch options.kind {
        case .grid(let width, let height):
            columns = fitting(viewport.width, width, options.interitemSpacing)
            rowHeight = height
        case .justified(let height):
            columns = fitting(viewport.width, usual * height, options.interitemSpacing)
            rowHeight = height
        case .masonry(let width):
            columns = min(
                Double(MasonryLayout.columnLimit), fitting(viewport.width, width, options.interitemSpacing))
            rowHeight = max(width, viewport.width / columns - options.interitemSpacing) / usual
        }
        // Includes rows that are partly visible.
        return columns * (1 + viewport.height / (rowHeight + options.lineSpacing))
    }

    /// - Parameter field: the field to name in the error.
    /// - Throws: 422 if the estimate is above ``limit``.
    package static func check(_ options: LayoutOptions, in viewport: Size, field: String) throws(Problem) {
        let count = Self.count(options, in: viewport)
        guard count > Double(limit) else { return }
        throw Problem(
            422,
            "A viewport of \(Int(clamping: viewport.width)) x \(Int(clamping: viewport.height)) px would show about "
                + "\(Int(clamping: count)) items of this layout at once; the limit is \(limit). "
                + "Make the items larger or the viewport smaller.", field: field)
    }
}
