import Cluster
import Testing

@Suite("How many nodes there are")
struct NodeCountTests {
    private func nodes(_ counts: [Int]) -> [Int] {
        var count = NodeCount()
        return counts.map {
            count.take($0)
            return count.nodes
        }
    }

    @Test("one until something is counted; the first count is taken as it is")
    func first() {
        #expect(NodeCount().nodes == 1)
        #expect(nodes([4]) == [4])
    }

    @Test("nodes that come are reckoned with in seconds, nodes that go later, and all of them in the end")
    func follows() {
        #expect(nodes([1, 4, 4, 4, 4]) == [1, 3, 3, 4, 4])
        #expect(nodes([4, 1, 1, 1, 1, 1, 1, 1]) == [4, 3, 3, 2, 2, 2, 2, 1])
    }

    @Test("a node that is away for a second changes nothing", arguments: 2...8)
    func pause(nodes all: Int) { #expect(nodes([all, all, all - 1, all, all]).allSatisfy { $0 == all }) }

    @Test("a count that makes no sense is no less than one", arguments: [0, -1, Int.min, Int.max])
    func senseless(count: Int) { #expect(nodes([count]).allSatisfy { (1...1_000_000).contains($0) }) }
}
