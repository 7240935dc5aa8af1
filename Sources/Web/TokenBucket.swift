/// A rate limit: a given number of operations per second on average, with bursts of at most one second's worth.
package struct TokenBucket: Sendable {
    /// Number of tokens added per second. Also the capacity, which is at least 1.
    let rate: Double
    private var level: Double
    private var last: Double

    /// - Parameters:
    ///   - rate: tokens per second, above 0.
    ///   - time: milliseconds, of the same clock as in ``take(at:)``.
    package init(rate: Double, at time: Double) {
        self.rate = rate
        level = max(rate, 1)
        last = time
    }

    /// Takes a token.
    ///
    /// - Parameter time: milliseconds. A clock that runs backwards adds no tokens.
    /// - Returns: `nil` if a token was available, otherwise the milliseconds until there is one.
    package mutating func take(at time: Double) -> Double? {
        if time > last {
            level = min(max(rate, 1), level + (time - last) / 1000 * rate)
            last = time
        }
        guard level < 1 else {
            level -= 1
            return nil
        }
        return (1 - level) / rate * 1000
    }

    func isFull(at time: Double) -> Bool { level + max(0, time - last) / 1000 * rate >= max(rate, 1) }
}
