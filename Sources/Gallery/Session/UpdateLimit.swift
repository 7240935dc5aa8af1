import Synchronization

/// How often a client may change a session: a ``TokenBucket`` that takes no lock, so that a flood is refused without touching
/// the session.
package struct UpdateLimit: ~Copyable, Sendable {
    /// A second on average, and as many at once.
    let rate: Double
    /// When all that was taken will have come back, in milliseconds, as a bit pattern.
    private let fullTime = Atomic((-Double.infinity).bitPattern)

    /// - Parameter rate: above 0.
    package init(rate: Double) { self.rate = rate }

    /// Takes one.
    ///
    /// - Parameter time: milliseconds.
    /// - Returns: `nil` where there was one, else the milliseconds until there is.
    package func take(at time: Double) -> Double? {
        let interval = 1000 / rate
        let patience = (max(rate, 1) - 1) * interval
        var known = fullTime.load(ordering: .relaxed)
        while true {
            let start = max(Double(bitPattern: known), time)
            // Sums are rounded: who waits as told must pass.
            if start - time > patience + 1e-6 { return start - time - patience }
            let next = (start + interval).bitPattern
            let (exchanged, original) = fullTime.weakCompareExchange(
                expected: known, desired: next, ordering: .relaxed)
            if exchanged { return nil }
            known = original
        }
    }
}
