import Media
import Synchronization

/// Counts rendered pictures and their durations, and records the sandbox of the render workers.
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

package struct Histogram: Sendable, Equatable {
    /// Inclusive upper bounds of the buckets, in seconds. Longer durations are in the last bucket only.
    package static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// One count per bound, and one for longer durations.
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

    /// Cumulative counts: the number of durations up to each bound, in the order of the bounds.
    package var cumulative: [(bound: Double, count: Int)] {
        var total = 0
        return zip(Self.bounds, buckets).map { bound, count in
            total += count
            return (bound, total)
        }
    }
}
