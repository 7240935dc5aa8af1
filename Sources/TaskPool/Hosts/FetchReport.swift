/// How one fetch went, as far as it tells about its host.
public struct FetchReport: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
        /// The picture came, or had not changed.
        case whole
        /// Stopped by us: says nothing about the host.
        case cancelled
        /// It is not there: 404, 410.
        case gone
        /// The host answered and will answer the same again: other 4xx, a body over its cap, a refused address.
        case refused
        /// The host wants less of us: 429.
        case throttled
        /// The host, or what stands behind this picture, is short of breath: 503.
        case overloaded
        /// It may go better next time: other 5xx, 408, 425, a refused connection, a reset.
        case broken
        /// No connection, or no more of the answer, came in time. It is not tried again: that would take as long.
        case timedOut
        /// Not fetched: the host rests for another node, for as long as `retryAfter` says.
        case restsElsewhere
    }

    public var outcome: Outcome
    /// Milliseconds from asking to the first byte; nil when none came.
    public var waited: Double?
    /// Milliseconds from asking to the last byte; nil when that is not known.
    public var took: Double?
    /// Bytes that came.
    public var bytes: Double
    /// The host's `Retry-After`, in milliseconds.
    public var retryAfter: Double?
    /// The error for a person, if the fetch failed.
    public var reason: String?

    public init(
        _ outcome: Outcome, waited: Double? = nil, took: Double? = nil, bytes: Double = 0, retryAfter: Double? = nil,
        reason: String? = nil
    ) {
        self.outcome = outcome
        self.waited = waited
        self.took = took
        self.bytes = bytes
        self.retryAfter = retryAfter
        self.reason = reason
    }
}

extension FetchReport.Outcome {
    /// The meaning of an HTTP status (RFC 9110, section 15; 425 is RFC 8470, 429 is RFC 6585).
    public init(status: Int) {
        switch status {
        case 200..<300, 304: self = .whole
        case 404, 410: self = .gone
        case 429: self = .throttled
        case 503: self = .overloaded
        case 408, 425, 500..<600: self = .broken
        default: self = .refused
        }
    }

    /// Whether the same request may succeed later.
    public var isWorthRetrying: Bool {
        self == .throttled || self == .overloaded || self == .broken
    }
}

/// When to try a fetch again: exponential backoff with full jitter (Brooker, "Exponential Backoff And Jitter", AWS
/// Architecture Blog 2015): anywhere between nothing and twice as long as the time before, so that those who failed
/// together do not come back together.
public struct RetryPolicy: Sendable, Hashable {
    /// Tries in all, the first included. Default 3, at least 1.
    public var attempts = 3
    /// The longest wait before the second try, in milliseconds; it doubles for each further one. Default 250.
    public var base = 250.0
    /// The longest wait before any try, in milliseconds. Default 10,000.
    public var longest = 10_000.0
    /// The longest `Retry-After` that is waited for, in milliseconds; a fetch told to wait longer has failed.
    /// Default 30,000.
    public var longestRetryAfter = 30_000.0

    public init() {}

    /// How long to wait before the next try, in milliseconds; nil: give up.
    ///
    /// - Parameters:
    ///   - report: How the last try went.
    ///   - failed: Tries that have failed, at least 1.
    ///   - random: Evenly in 0 ..< 1.
    public func delay(after report: FetchReport, failed: Int, random: Double) -> Double? {
        guard report.outcome.isWorthRetrying, failed < max(1, attempts) else { return nil }
        var ceiling = max(0, base)
        for _ in 1..<max(1, min(failed, 64)) where ceiling < longest { ceiling *= 2 }
        let jitter = min(ceiling, max(0, longest)) * min(max(random.isNaN ? 0.5 : random, 0), 1)
        guard let asked = report.retryAfter, asked > 0 else { return jitter }
        // Never earlier than asked, and not all at that very moment.
        return asked <= longestRetryAfter ? asked + jitter : nil
    }
}
