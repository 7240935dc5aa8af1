/// The last few samples, and how fast the content moves by them.
struct ScrollHistory: Sendable {
    struct Point: Sendable {
        /// Milliseconds.
        var time: Double
        /// CSS pixels.
        var scrollTop: Double
    }

    /// How far back the velocity looks, in milliseconds: long enough to smooth over coalesced samples (the page posts
    /// every 33 ms or so), short enough to see a fling begin.
    static let window = 100.0

    /// Samples nearer together than this, in milliseconds, replace one another: ten thousand updates a second leave
    /// the same history as two hundred.
    static let spacing = 5.0

    /// How many samples are kept: over 600 ms of them at the page's rate.
    static let limit = 20

    private(set) var points: [Point] = []

    var last: Point? { points.last }

    mutating func add(_ point: Point) {
        if points.count >= 2, point.time - points[points.count - 2].time < Self.spacing {
            points[points.count - 1] = point
            return
        }
        if points.count == Self.limit { points.removeFirst() }
        points.append(point)
    }

    mutating func restart(at point: Point) {
        points.removeAll(keepingCapacity: true)
        points.append(point)
    }

    /// CSS pixels a second, positive downwards: the slope of the least-squares line through the samples of the last
    /// `window` ms, counted from `time`. 0 when there is but one.
    func velocity(at time: Double) -> Double {
        guard let last = points.last, time - last.time < Self.window else { return 0 }
        var n = 0.0
        var sumT = 0.0
        var sumY = 0.0
        var sumTT = 0.0
        var sumTY = 0.0
        for point in points.reversed() {
            // One sample beyond the window is better than a single one.
            if last.time - point.time > Self.window, n > 1 { break }
            let t = point.time - last.time
            let y = point.scrollTop - last.scrollTop
            n += 1
            sumT += t
            sumY += y
            sumTT += t * t
            sumTY += t * y
        }
        let spread = n * sumTT - sumT * sumT
        guard n > 1, spread > 0 else { return 0 }
        return (n * sumTY - sumT * sumY) / spread * 1000
    }

    /// Whether the last movements were each slower than the one before, by as much as flings slow down.
    var isSlowing: Bool {
        guard points.count >= 4, let last = points.last else { return true }
        let middle = points[points.count - 2]
        let first = points[points.count - 4]
        let early = abs(middle.scrollTop - first.scrollTop) / max(1, middle.time - first.time)
        let late = abs(last.scrollTop - middle.scrollTop) / max(1, last.time - middle.time)
        return late < early * 0.98
    }
}
