/// Limits on how the pool treats hosts.
public struct HostSettings: Sendable, Hashable {
    public var retry = RetryPolicy()
    public var breaker = CircuitBreaker.Settings()
    public var limit = AdaptiveLimit.Settings()
    /// Longest pause because of a `Retry-After`, in milliseconds. Default 120,000.
    public var longestPause = 120_000.0

    public init() {}
}

/// The state of one host. Determines how many concurrent fetches the host is allowed.
public struct HostGovernor: Sendable {
    private let settings: HostSettings
    private var adaptive: AdaptiveLimit
    private var breaker: CircuitBreaker
    private var pausedUntil = -Double.infinity
    /// Number of 429 and 503 responses since the host last sent a picture.
    private var overloads = 0
    /// Whether nothing arrived from the host since a time-out, or ever.
    private var isSilent = true
    /// The error of the latest fetch, or `nil` if it succeeded.
    public private(set) var failure: String?

    public init(_ settings: HostSettings = HostSettings()) {
        self.settings = settings
        adaptive = AdaptiveLimit(settings.limit)
        breaker = CircuitBreaker(settings.breaker)
    }

    /// Records the result of a fetch.
    ///
    /// - Parameters:
    ///   - failed: How often this picture's fetch has failed, including this time.
    ///   - inFlight: Concurrent fetches from the host, including this one.
    ///   - now: The present, in milliseconds.
    ///   - random: Evenly distributed in 0 ..< 1.
    /// - Returns: the delay before a retry, in milliseconds, or `nil` for no retry.
    public mutating func take(
        _ report: FetchReport, failed: Int, inFlight: Int, now: Double, random: Double
    ) -> Double? {
        pass(to: now)
        let wasSilent = isSilent
        if report.outcome == .timedOut { isSilent = true } else if report.waited != nil { isSilent = false }
        if report.outcome != .cancelled { failure = report.reason }
        switch report.outcome {
        case .cancelled: return nil
        case .whole:
            breaker.succeed()
            overloads = 0
            if let waited = report.waited {
                adaptive.succeed(waited: waited, took: report.took ?? waited, inFlight: inFlight)
            }
        case .gone, .refused: breaker.succeed()
        case .broken:
            breaker.fail(now: now, random: random)
            if report.waited == nil { adaptive.overload() }
        case .timedOut:
            // If the host was already silent, one time-out opens the breaker: the next fetch would wait as long.
            breaker.fail(now: now, random: random, isFinal: wasSilent)
            adaptive.overload()
        case .pausedElsewhere:
            if let rest = report.retryAfter { breaker.open(until: now + min(rest, settings.longestPause)) }
        case .throttled, .overloaded:
            adaptive.overload()
            overloads += 1
            if let asked = report.retryAfter, asked > 0 {
                // The host responded and said when to retry, so this is no failure. One 503 may concern only this picture. A second 503
                // with no picture in between concerns the host.
                guard report.outcome == .throttled || overloads > 1 else { break }
                pausedUntil = max(pausedUntil, now + min(asked, settings.longestPause))
            } else {
                breaker.fail(now: now, random: random)
            }
        }
        return settings.retry.delay(after: report, failed: failed, random: random)
    }

    /// Ends a pause that failures caused, so that one fetch may probe the host. A pause that the host requested stays.
    mutating func probe() { breaker.probe() }

    /// Changes the maximum of concurrent fetches. Everything else known about the host stays.
    mutating func setMaximum(_ maximum: Int) { adaptive.setMaximum(maximum) }

    /// Learns the best number of concurrent fetches again. A pause, and the length of the next pause, stay.
    mutating func learnAgain(_ settings: AdaptiveLimit.Settings) { adaptive = AdaptiveLimit(settings) }

    /// Advances time and ends pauses that are over.
    private mutating func pass(to now: Double) {
        breaker.pass(to: now)
        if now >= pausedUntil { pausedUntil = -.infinity }
    }

    /// Whether the host was paused when time last advanced.
    package var isPaused: Bool { if case .open = breaker.state { true } else { pausedUntil > -.infinity } }

    /// Returns how many concurrent fetches the host is allowed: 0 while it is paused, 1 to probe it.
    public mutating func limit(now: Double) -> Int {
        pass(to: now)
        guard now >= pausedUntil else { return 0 }
        switch breaker.state {
        case .closed: return adaptive.limit
        case .open: return 0
        case .probing: return 1
        }
    }

    /// Returns when the host's pause ends, in milliseconds, or `nil` if the host is not paused.
    public mutating func rest(now: Double) -> Double? { limit(now: now) == 0 ? nextChange(after: now) : nil }

    /// Returns when `limit` changes without another report, in milliseconds, or `nil` if it does not.
    public func nextChange(after now: Double) -> Double? {
        var next = pausedUntil > now ? pausedUntil : nil
        if case .open(let until) = breaker.state, until > now { next = max(next ?? until, until) }
        return next
    }
}
