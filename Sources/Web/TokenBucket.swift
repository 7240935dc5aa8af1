/// A rate limit as a value: so many a second on average, and at most a second's worth at once.
package struct TokenBucket: Sendable {
    /// How many fit, and how many come back in a second.
    let rate: Double
    private var level: Double
    private var last: Double

    /// - Parameters:
    ///   - rate: a second; above 0.
    ///   - time: milliseconds, of the same clock as in ``take(at:)``.
    package init(rate: Double, at time: Double) {
        self.rate = rate
        level = max(rate, 1)
        last = time
    }

    /// Takes one.
    ///
    /// - Parameter time: milliseconds; a clock that runs backwards gives nothing back.
    /// - Returns: `nil` where there was one, else the milliseconds until there is.
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

    /// Whether all that was taken has come back.
    func isFull(at time: Double) -> Bool { level + max(0, time - last) / 1000 * rate >= max(rate, 1) }
}
