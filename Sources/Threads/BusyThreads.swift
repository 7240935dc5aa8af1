/// Tracks the work of a few threads, and whether all of them hang: then nothing else is done.
package struct BusyThreads: Sendable {
    private let count: Int
    /// When each piece of work was begun, by its number.
    private var began: [UInt64: ContinuousClock.Instant] = [:]
    /// Whether all hung when they were last looked at, and none has ended its work since.
    package private(set) var hang = false

    package init(count: Int) { self.count = count }

    package mutating func begin(_ work: UInt64, at now: ContinuousClock.Instant) { began[work] = now }

    package mutating func end(_ work: UInt64) {
        began[work] = nil
        hang = false
    }

    /// - Returns: the work that has taken so long.
    package mutating func late(at now: ContinuousClock.Instant, patience: Duration) -> [UInt64] {
        let late = began.filter { now - $0.value >= patience }
        hang = late.count >= count
        return late.keys.sorted()
    }
}
