/// Leaves a host alone that keeps failing, and sends one fetch now and then to see whether it is back (Nygard, "Release
/// It!", 2007).
public struct CircuitBreaker: Sendable, Hashable {
    /// When it opens and for how long.
    public struct Settings: Sendable, Hashable {
        /// Failures in a row that open it. Default 5, at least 1.
        public var failures = 5
        /// The first rest, in milliseconds; each probe that fails doubles it. Default 2,000.
        public var rest = 2_000.0
        /// The longest rest, in milliseconds. Default 120,000.
        public var longestRest = 120_000.0

        public init() {}
    }

    public enum State: Sendable, Hashable {
        /// Fetches pass.
        case closed
        /// None passes until then (milliseconds).
        case open(until: Double)
        /// One passes, and decides.
        case probing
    }

    public private(set) var state = State.closed
    private let settings: Settings
    private var failures = 0
    private var rests = 0

    public init(_ settings: Settings = Settings()) { self.settings = settings }

    /// Lets time pass: a rest that is over becomes a probe.
    public mutating func pass(to now: Double) {
        if case .open(let until) = state, now >= until { state = .probing }
    }

    /// Ends a pause early.
    mutating func probe() {
        if case .open = state { state = .probing }
    }

    /// The host answered.
    public mutating func succeed() {
        state = .closed
        failures = 0
        rests = 0
    }

    /// Others have found that the host is to be left alone until then, in milliseconds.
    public mutating func open(until: Double) {
        if case .open(let own) = state, own >= until { return }
        failures = 0
        state = .open(until: until)
    }

    /// The host failed.
    ///
    /// - Parameters:
    ///   - now: The present, in milliseconds.
    ///   - random: Evenly in 0 ..< 1: lengthens the rest by up to a quarter.
    ///   - isFinal: Whether this failure alone opens it.
    public mutating func fail(now: Double, random: Double, isFinal: Bool = false) {
        switch state {
        case .open: return
        case .probing: break
        case .closed:
            failures += 1
            guard isFinal || failures >= max(1, settings.failures) else { return }
        }
        var rest = max(0, settings.rest)
        for _ in 0..<min(rests, 64) where rest < settings.longestRest { rest *= 2 }
        rests += 1
        failures = 0
        state = .open(until: now + min(rest, settings.longestRest) * (1 + 0.25 * min(max(random, 0), 1)))
    }
}
