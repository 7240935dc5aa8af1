import Cluster
import Testing

@Suite("Node count")
struct NodeCountTests {
    private func nodes(_ counts: [Int]) -> [Int] {
        var count = NodeCount()
        return counts.map {
            count.take($0)
            return count.nodes
        }
    }

    @Test("the count is one at first, then the first measured value")
    func first() {
        #expect(NodeCount().nodes == 1)
        #expect(nodes([4]) == [4])
    }

    @Test("the count rises within seconds and falls slowly")
    func follows() {
        #expect(nodes([1, 4, 4, 4, 4]) == [1, 3, 3, 4, 4])
        #expect(nodes([4, 1, 1, 1, 1, 1, 1, 1]) == [4, 3, 3, 2, 2, 2, 2, 1])
    }

    @Test("a node that is away for a second changes nothing", arguments: 2...8)
    func pause(nodes all: Int) { #expect(nodes([all, all, all - 1, all, all]).allSatisfy { $0 == all }) }

    @Test("a senseless count is clamped to at least one", arguments: [0, -1, Int.min, Int.max])
    func senseless(count: Int) { #expect(nodes([count]).allSatisfy { (1...1_000_000).contains($0) }) }
}
