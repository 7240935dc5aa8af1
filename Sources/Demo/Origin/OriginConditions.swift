import Glibc
import Numbers
import Viewport

extension DemoOrigin {
    /// Conditions of the origin's simulated network. Values out of range are clamped.
    public struct Conditions: Sendable, Equatable {
        /// Range of ``latency``, in milliseconds.
        public static let latencyBounds = 0.0...60_000.0
        public static let jitterBounds = 0.0...3.0
        /// Range of ``bandwidth``, in Mbit/s.
        public static let bandwidthBounds = 0.01...100_000.0
        public static let failureRateBounds = 0.0...1.0

        /// Median delay before the first byte of a response, in milliseconds, `0 ... 60,000`. Default 80.
        public var latency: Double { didSet { latency = latency.clamped(to: Self.latencyBounds, or: 80) } }
        /// Variation of the delay: sigma of a log-normal factor, `0 ... 3`. Default 0.35.
        public var jitter: Double { didSet { jitter = jitter.clamped(to: Self.jitterBounds, or: 0.35) } }
        /// Bandwidth in Mbit/s, `0.01 ... 100,000`, shared equally by all responses in flight. `nil` for no limit. Default 25.
        public var bandwidth: Double? {
            didSet { bandwidth = bandwidth.map { $0.clamped(to: Self.bandwidthBounds, or: 25) } }
        }
        /// Fraction of pictures that fail, `0 ... 1`. Default 0. See ``DemoOrigin/Fault``.
        public var failureRate: Double {
            didSet { failureRate = failureRate.clamped(to: Self.failureRateBounds, or: 0) }
        }

        public init(latency: Double = 80, jitter: Double = 0.35, bandwidth: Double? = 25, failureRate: Double = 0) {
            self.latency = latency.clamped(to: Self.latencyBounds, or: 80)
            self.jitter = jitter.clamped(to: Self.jitterBounds, or: 0.35)
            self.bandwidth = bandwidth.map { $0.clamped(to: Self.bandwidthBounds, or: 25) }
            self.failureRate = failureRate.clamped(to: Self.failureRateBounds, or: 0)
        }

        /// Conditions without delay, bandwidth limit or failures.
        public static let ideal = Conditions(latency: 0, jitter: 0, bandwidth: nil, failureRate: 0)

        /// Changes of conditions. Conditions that are `nil` here stay unchanged.
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

            /// Adds later changes. They replace earlier changes of the same condition.
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

        /// Bandwidth in bytes per millisecond. Infinite for no limit.
        var bytesPerMillisecond: Double { bandwidth.map { $0 * 125 } ?? .infinity }

        /// Returns the delay before the first byte of a picture, in milliseconds. The same seed gets the same delay.
        func wait(seed: UInt64) -> Double {
            var random = SeededRandom(seed: seed ^ 0x6C61_7465_6E63_7900)
            return min(latency * exp(jitter * random.normals().0), 120_000)
        }
    }

    /// Failure of a picture. Depends only on the picture's text and the failure rate, so that each run has the same failures.
    public enum Fault: String, Sendable, CaseIterable {
        /// The first two requests get 503 with `Retry-After`. Later requests succeed, unless the failure rate is 1.
        case unavailable
        /// Each response breaks off after half of its bytes.
        case truncated
        /// Each response is complete, but its body is not a picture.
        case broken
    }
}

extension DemoPicture {
    /// Returns the failure of this picture at a failure rate, or `nil` if the picture does not fail.
    public func fault(failureRate: Double) -> DemoOrigin.Fault? {
        var random = SeededRandom(seed: seed ^ 0x6661_756C_7400_0000)
        guard random.unit() < failureRate else { return nil }
        let share = random.unit()
        return share < 0.5 ? .unavailable : share < 0.75 ? .truncated : .broken
    }
}
