import Pictures
import Synchronization

/// Counts pictures rendered and how long each took, and knows what holds around the processes that do it.
package final class RenderMeter: Sendable {
    package struct Counts: Sendable {
        package var succeeded = Histogram()
        package var failed = 0
        package var sandbox = SandboxReport()
    }

    private let state = Mutex(Counts())

    package var counts: Counts { state.withLock { $0 } }

    func record(_ duration: Duration, succeeded: Bool) {
        state.withLock { if succeeded { $0.succeeded.add(duration) } else { $0.failed += 1 } }
    }

    package func record(_ sandbox: SandboxReport) { state.withLock { $0.sandbox = sandbox } }
}

/// How long things took, counted in buckets.
package struct Histogram: Sendable, Equatable {
    /// Upper bounds in seconds, inclusive; what is longer is in no bucket but the last.
    package static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// One count for each bound, and one for everything longer.
    private var buckets = [Int](repeating: 0, count: bounds.count + 1)
    package private(set) var count = 0
    package private(set) var sum = 0.0

    package init() {}

    package mutating func add(_ duration: Duration) {
        let seconds = duration / .seconds(1)
        buckets[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        count += 1
        sum += seconds
    }

    /// Cumulative counts: how many took at most each bound, in the order of the bounds.
    package var cumulative: [(bound: Double, count: Int)] {
        var total = 0
        return zip(Self.bounds, buckets).map { bound, count in
            total += count
            return (bound, total)
        }
    }
}
