/// The result of one fetch, as far as it concerns the host.
public struct FetchReport: Sendable, Hashable {
    public enum Outcome: Sendable, Hashable {
        /// The picture arrived, or had not changed.
        case whole
        /// Cancelled on this side. Says nothing about the host.
        case cancelled
        /// The picture does not exist: 404, 410.
        case gone
        /// The host responded and will send the same response again: other 4xx, a body over its limit, a refused address.
        case refused
        /// The host limits the request rate: 429.
        case throttled
        /// The host, or a service behind this picture, is overloaded: 503.
        case overloaded
        /// A retry may succeed: other 5xx, 408, 425, a refused connection, a reset.
        case broken
        /// The connection or the rest of the response took too long. There is no retry, because it would take as long.
        case timedOut
        /// Not fetched: another node paused the host, for `retryAfter` milliseconds.
        case pausedElsewhere
    }

    public var outcome: Outcome
    /// Milliseconds from request to first byte, or `nil` if no byte arrived.
    public var waited: Double?
    /// Milliseconds from request to last byte, or `nil` if unknown.
    public var took: Double?
    /// Bytes received.
    public var bytes: Double
    /// The host's `Retry-After`, in milliseconds.
    public var retryAfter: Double?
    /// Error text for people, or `nil` if the fetch succeeded.
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
    /// The meaning of an HTTP status (RFC 9110, section 15). 425 is RFC 8470, 429 is RFC 6585.
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

/// Decides when to retry a fetch. Uses exponential backoff with full jitter (Brooker, "Exponential Backoff And Jitter", AWS
/// Architecture Blog 2015): a random delay from zero up to a ceiling that doubles with each failure. Fetches that failed
/// at the same time therefore do not all retry at the same time.
public struct RetryPolicy: Sendable, Hashable {
    /// Total number of tries, including the first. Default 3, at least 1.
    public var attempts = 3
    /// Longest delay before the second try, in milliseconds. Doubles for each further try. Default 250.
    public var base = 250.0
    /// Longest delay before any try, in milliseconds. Default 10,000.
    public var longest = 10_000.0
    /// Longest `Retry-After` to wait for, in milliseconds. A fetch whose host requests a longer wait fails.
    /// Default 30,000.
    public var longestRetryAfter = 30_000.0

    public init() {}

    /// Returns the delay before the next try, in milliseconds, or `nil` to give up.
    ///
    /// - Parameters:
    ///   - failed: Number of failed tries, at least 1.
    ///   - random: Evenly distributed in 0 ..< 1.
    public func delay(after report: FetchReport, failed: Int, random: Double) -> Double? {
        guard report.outcome.isWorthRetrying, failed < max(1, attempts) else { return nil }
        var ceiling = max(0, base)
        for _ in 1..<max(1, min(failed, 64)) where ceiling < longest { ceiling *= 2 }
        let jitter = min(ceiling, max(0, longest)) * min(max(random.isNaN ? 0.5 : random, 0), 1)
        guard let asked = report.retryAfter, asked > 0 else { return jitter }
        // Never earlier than the host requested, and not all fetches at the same moment.
        return asked <= longestRetryAfter ? asked + jitter : nil
    }
}
