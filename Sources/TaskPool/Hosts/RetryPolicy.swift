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
