/// What a few threads are busy with, and whether all of them hang: for none of them is anything else done then.
package struct BusyThreads: Sendable {
    private let count: Int
    /// When each piece of work was begun, in nanoseconds of a clock that never goes back, by its number.
    private var began: [UInt64: Int64] = [:]
    /// Whether all hung when they were last looked at, and none has ended its work since.
    package private(set) var hang = false

    package init(count: Int) { self.count = count }

    package mutating func begin(_ work: UInt64, at now: Int64) { began[work] = now }

    package mutating func end(_ work: UInt64) {
        began[work] = nil
        hang = false
    }

    /// Looks whether each thread has been busy with one piece of work for so long.
    ///
    /// - Parameter patience: nanoseconds.
    /// - Returns: whether they hang, and did not when they were last looked at.
    package mutating func beginToHang(at now: Int64, patience: Int64) -> Bool {
        guard !hang, began.count >= count else { return false }
        hang = began.values.allSatisfy { now - $0 >= patience }
        return hang
    }
}
