import Glibc
import Numbers
import Viewport

extension DemoOrigin {
    /// The network that the origin pretends to be behind. Values out of range are brought into it.
    public struct Conditions: Sendable, Equatable {
        /// In milliseconds.
        public static let latencyBounds = 0.0...60_000.0
        /// A sigma.
        public static let jitterBounds = 0.0...3.0
        /// In Mbit/s.
        public static let bandwidthBounds = 0.01...100_000.0
        /// A share.
        public static let failureRateBounds = 0.0...1.0

        /// Median wait before the first byte of an answer, in milliseconds, `0 ... 60,000`; 80 by default.
        public var latency: Double { didSet { latency = latency.clamped(to: Self.latencyBounds, or: 80) } }
        /// How much the wait varies: sigma of a log-normal factor, `0 ... 3`; 0.35 by default.
        public var jitter: Double { didSet { jitter = jitter.clamped(to: Self.jitterBounds, or: 0.35) } }
        /// In Mbit/s, shared equally by all answers under way, `0.01 ... 100,000`; 25 by default. `nil` has no limit.
        public var bandwidth: Double? {
            didSet { bandwidth = bandwidth.map { $0.clamped(to: Self.bandwidthBounds, or: 25) } }
        }
        /// Share of pictures that fail in some way, `0 ... 1`; 0 by default. See ``DemoOrigin/Fault``.
        public var failureRate: Double {
            didSet { failureRate = failureRate.clamped(to: Self.failureRateBounds, or: 0) }
        }

        public init(latency: Double = 80, jitter: Double = 0.35, bandwidth: Double? = 25, failureRate: Double = 0) {
            self.latency = latency.clamped(to: Self.latencyBounds, or: 80)
            self.jitter = jitter.clamped(to: Self.jitterBounds, or: 0.35)
            self.bandwidth = bandwidth.map { $0.clamped(to: Self.bandwidthBounds, or: 25) }
            self.failureRate = failureRate.clamped(to: Self.failureRateBounds, or: 0)
        }

        /// No wait, no limit, no failure.
        public static let ideal = Conditions(latency: 0, jitter: 0, bandwidth: nil, failureRate: 0)

        /// Conditions that are named; the others, `nil`, stay as they are.
        public struct Changes: Sendable, Equatable {
            public var latency: Double?
            public var jitter: Double?
            public var bandwidth: Double?
            public var failureRate: Double?

            public init(
                latency: Double? = nil, jitter: Double? = nil, bandwidth: Double? = nil, failureRate: Double? = nil
            ) {
                self.latency = latency
                self.jitter = jitter
                self.bandwidth = bandwidth
                self.failureRate = failureRate
            }

            /// Adds later changes, which replace earlier ones of the same condition.
            mutating func merge(_ later: Changes) {
                latency = later.latency ?? latency
                jitter = later.jitter ?? jitter
                bandwidth = later.bandwidth ?? bandwidth
                failureRate = later.failureRate ?? failureRate
            }
        }

        func changed(by changes: Changes) -> Conditions {
            Conditions(
                latency: changes.latency ?? latency, jitter: changes.jitter ?? jitter,
                bandwidth: changes.bandwidth ?? bandwidth, failureRate: changes.failureRate ?? failureRate)
        }

        /// Bytes in a millisecond.
        var bytesPerMillisecond: Double { bandwidth.map { $0 * 125 } ?? .infinity }

        /// The wait before the first byte of a picture, in milliseconds: the same for the same picture.
        func wait(seed: UInt64) -> Double {
            var random = SeededRandom(seed: seed ^ 0x6C61_7465_6E63_7900)
            return min(latency * exp(jitter * random.normals().0), 120_000)
        }
    }

    /// How a picture fails. Which do, and how, follows from their text alone, so that it is the same in each run.
    public enum Fault: String, Sendable, CaseIterable {
        /// 503 with `Retry-After`, the first two times it is asked for; then it comes, unless everything fails.
        case unavailable
        /// The connection breaks half way, each time.
        case truncated
        /// The answer comes whole, but what it holds is no picture, each time.
        case broken
    }
}

extension DemoPicture {
    /// How this picture fails at that failure rate; `nil` when it does not.
    public func fault(failureRate: Double) -> DemoOrigin.Fault? {
        var random = SeededRandom(seed: seed ^ 0x6661_756C_7400_0000)
        guard random.unit() < failureRate else { return nil }
        let share = random.unit()
        return share < 0.5 ? .unavailable : share < 0.75 ? .truncated : .broken
    }
}
