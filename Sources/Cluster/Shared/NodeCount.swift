/// How many nodes there are, from what was counted each second.
///
/// It follows the count by a part of the difference each time, so that a node that pauses or starts again moves no limits: faster
/// upwards, since hosts suffer from too much, slower downwards. While nothing is counted it stays: nodes that cannot hear of each
/// other are there none the less.
package struct NodeCount: Sendable {
    private var average: Double?

    package init() {}

    /// 1 or more; 1 until something was counted.
    package var nodes: Int { Int((average ?? 1).rounded()) }

    /// - Parameter count: counted now; below 1 it counts as 1.
    package mutating func take(_ count: Int) {
        let count = Double(min(max(1, count), 1_000_000))
        guard let before = average else {
            average = count
            return
        }
        average = before + (count - before) * (count > before ? 0.5 : 0.25)
    }
}
