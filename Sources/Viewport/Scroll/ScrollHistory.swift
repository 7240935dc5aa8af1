/// The last few samples, and the speed of the content derived from them.
struct ScrollHistory: Sendable {
    struct Point: Sendable {
        /// In milliseconds.
        var time: Double
        /// In CSS pixels.
        var scrollTop: Double
    }

    /// Time span of the samples behind the velocity, in milliseconds: long enough to smooth over coalesced samples (the page
    /// posts about every 33 ms), short enough to see a fling begin.
    static let window = 100.0

    /// Minimum distance of two samples, in milliseconds. Nearer samples replace one another: ten thousand updates a second
    /// leave the same history as two hundred.
    static let spacing = 5.0

    /// Maximum number of samples: over 600 ms at the page's rate.
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

    /// Returns the speed at `time` in CSS pixels a second, positive downwards: the slope of the least-squares line through the
    /// samples in the `window` before the last one. 0 if there is only one sample or the last one is older than `window`.
    func velocity(at time: Double) -> Double {
        guard let last = points.last, time - last.time < Self.window else { return 0 }
        var n = 0.0
        var sumT = 0.0
        var sumY = 0.0
        var sumTT = 0.0
        var sumTY = 0.0
        for point in points.reversed() {
            // One sample beyond the window is better than only one sample.
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

    /// Whether the last movement was slower than the two before it together, by at least 2 % as in a fling. True if there are
    /// fewer than four samples.
    var isSlowing: Bool {
        guard points.count >= 4, let last = points.last else { return true }
        let middle = points[points.count - 2]
        let first = points[points.count - 4]
        let early = abs(middle.scrollTop - first.scrollTop) / max(1, middle.time - first.time)
        let late = abs(last.scrollTop - middle.scrollTop) / max(1, last.time - middle.time)
        return late < early * 0.98
    }
}
