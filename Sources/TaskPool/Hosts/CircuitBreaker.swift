/// Pauses a host that keeps failing, and now and then allows one fetch to probe whether the host works again (Nygard,
/// "Release It!", 2007).
public struct CircuitBreaker: Sendable, Hashable {
    /// When the breaker opens and for how long.
    public struct Settings: Sendable, Hashable {
        /// Number of failures in a row that open the breaker. Default 5, at least 1.
        public var failures = 5
        /// First pause, in milliseconds. Each failed probe doubles it. Default 2,000.
        public var pause = 2_000.0
        /// Longest pause, in milliseconds. Default 120,000.
        public var longestPause = 120_000.0

        public init() {}
    }

    public enum State: Sendable, Hashable {
        /// Fetches pass.
        case closed
        /// No fetch passes until this time, in milliseconds.
        case open(until: Double)
        /// One fetch passes. Its result closes or opens the breaker.
        case probing
    }

    public private(set) var state = State.closed
    private let settings: Settings
    private var failures = 0
    private var openings = 0

    public init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Advances time. A pause that is over becomes a probe.
    public mutating func pass(to now: Double) {
        if case .open(let until) = state, now >= until { state = .probing }
    }

    /// Ends a pause early and allows a probe.
    mutating func probe() {
        if case .open = state { state = .probing }
    }

    /// Closes the breaker, because the host responded.
    public mutating func succeed() {
        state = .closed
        failures = 0
        openings = 0
    }

    /// Pauses the host until the given time, in milliseconds, because another node found it failing.
    public mutating func open(until: Double) {
        if case .open(let own) = state, own >= until { return }
        failures = 0
        state = .open(until: until)
    }

    /// Counts a failure of the host.
    ///
    /// - Parameters:
    ///   - now: The present, in milliseconds.
    ///   - random: Evenly distributed in 0 ..< 1. Lengthens the pause by up to a quarter.
    ///   - isFinal: Whether this single failure opens the breaker.
    public mutating func fail(now: Double, random: Double, isFinal: Bool = false) {
        switch state {
        case .open: return
        case .probing: break
        case .closed:
            failures += 1
            guard isFinal || failures >= max(1, settings.failures) else { return }
        }
        var pause = max(0, settings.pause)
        for _ in 0..<min(openings, 64) where pause < settings.longestPause { pause *= 2 }
        openings += 1
        failures = 0
        state = .open(until: now + min(pause, settings.longestPause) * (1 + 0.25 * min(max(random, 0), 1)))
    }
}
