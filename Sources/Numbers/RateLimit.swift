/// A rate limit: a given number of operations a second on average, with bursts of at most one second's worth.
///
/// The generic cell rate algorithm (GCRA, ITU-T I.371): a token bucket of which one number is kept, the theoretical arrival time.
package struct RateLimit: Sendable {
    /// Operations a second, above 0. Also the largest burst, which is at least 1.
    package let rate: Double
    /// Time in milliseconds when nothing is used up any more. Each operation moves it on by the time for one operation.
    package private(set) var arrival: Double

    /// - Parameters:
    ///   - rate: operations a second, above 0.
    ///   - arrival: the ``arrival`` of an earlier state.
    package init(rate: Double, arrival: Double = -.infinity) {
        self.rate = rate
        self.arrival = arrival
    }

    /// Counts an operation if it is allowed.
    ///
    /// - Parameter time: milliseconds. A clock that runs backwards allows no more operations.
    /// - Returns: `nil` if the operation is allowed, otherwise the milliseconds until one is allowed.
    package mutating func take(at time: Double) -> Double? {
        let interval = 1000 / rate
        let patience = (max(rate, 1) - 1) * interval
        let start = max(arrival, time)
        // Tolerates rounding: a client that waits as long as the response says must pass.
        if start - time > patience + 1e-6 { return start - time - patience }
        arrival = start + interval
        return nil
    }
}
