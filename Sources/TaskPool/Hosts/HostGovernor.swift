/// The bounds of how hosts are treated.
public struct HostSettings: Sendable, Hashable {
    public var retry = RetryPolicy()
    public var breaker = CircuitBreaker.Settings()
    public var limit = AdaptiveLimit.Settings()
    /// The longest a host rests because it said `Retry-After`, in milliseconds. Default 120,000.
    public var longestRest = 120_000.0

    public init() {}
}

/// The state of one host, and how many fetches at once it allows.
public struct HostGovernor: Sendable {
    private let settings: HostSettings
    private var adaptive: AdaptiveLimit
    private var breaker: CircuitBreaker
    private var restsUntil = -Double.infinity
    /// 503s since it last gave something.
    private var overloads = 0
    /// Whether nothing came from it since a time-out, or ever.
    private var isSilent = true
    /// The error of the latest fetch, if it failed.
    public private(set) var failure: String?

    public init(_ settings: HostSettings = HostSettings()) {
        self.settings = settings
        adaptive = AdaptiveLimit(settings.limit)
        breaker = CircuitBreaker(settings.breaker)
    }

    /// Takes in how a fetch went.
    ///
    /// - Parameters:
    ///   - report: How it went.
    ///   - failed: How often this picture's fetch has failed, this time included.
    ///   - inFlight: Fetches from the host at once, this one included.
    ///   - now: The present, in milliseconds.
    ///   - random: Evenly in 0 ..< 1.
    /// - Returns: After how many milliseconds to try again; nil: not at all.
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
            // From one that is silent nothing else is to be expected: the next fetch would wait as long.
            breaker.fail(now: now, random: random, isFinal: wasSilent)
            adaptive.overload()
        case .restsElsewhere:
            if let rest = report.retryAfter { breaker.open(until: now + min(rest, settings.longestRest)) }
        case .throttled, .overloaded:
            adaptive.overload()
            overloads += 1
            if let asked = report.retryAfter, asked > 0 {
                // It answered, and said when: that is no failure. One 503 may be about this picture alone; a second one
                // with nothing given in between is about the host.
                guard report.outcome == .throttled || overloads > 1 else { break }
                restsUntil = max(restsUntil, now + min(asked, settings.longestRest))
            } else {
                breaker.fail(now: now, random: random)
            }
        }
        return settings.retry.delay(after: report, failed: failed, random: random)
    }

    /// Ends a pause that failures caused: one fetch may probe the host now. A pause that the host asked for stays.
    mutating func probe() { breaker.probe() }

    /// Changes the most fetches at once; the rest of what is known stays.
    mutating func setMost(_ most: Int) { adaptive.setMost(most) }

    /// Learns anew how many fetches at once are good; whether it rests, and for how long next time, stays.
    mutating func learnAgain(_ settings: AdaptiveLimit.Settings) { adaptive = AdaptiveLimit(settings) }

    /// Lets time pass: a rest that is over counts no more.
    private mutating func pass(to now: Double) {
        breaker.pass(to: now)
        if now >= restsUntil { restsUntil = -.infinity }
    }

    /// Whether it rested when it was last asked for its limit.
    package var rests: Bool { if case .open = breaker.state { true } else { restsUntil > -.infinity } }

    /// Fetches at once: 0 while it rests, 1 to probe it.
    public mutating func limit(now: Double) -> Int {
        pass(to: now)
        guard now >= restsUntil else { return 0 }
        switch breaker.state {
        case .closed: return adaptive.limit
        case .open: return 0
        case .probing: return 1
        }
    }

    /// Until when it rests, in milliseconds; nil: it does not.
    public mutating func rest(now: Double) -> Double? { limit(now: now) == 0 ? nextChange(after: now) : nil }

    /// When `limit` changes by itself, in milliseconds; nil: not until another report.
    public func nextChange(after now: Double) -> Double? {
        var next = restsUntil > now ? restsUntil : nil
        if case .open(let until) = breaker.state, until > now { next = max(next ?? until, until) }
        return next
    }
}
