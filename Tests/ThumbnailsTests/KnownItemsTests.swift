import Media
import Store
import Testing
import Thumbnails

@Suite struct KnownItemsTests {
    private func item(_ index: Int) -> KnownItems.Item { KnownItems.Item(content: 1, index: index) }

    @Test("items over the capacity are forgotten, the oldest first")
    func bound() {
        let known = KnownItems(capacity: 3)
        for index in 0..<3 { known.record(.failed, of: item(index)) }
        known.record(.ready(Placeholder(thumbHash: [1])), of: item(0))
        known.record(.failed, of: item(3))
        #expect((0...3).map { known[item($0)] != nil } == [false, true, true, true])
        for index in 4..<1000 { known.record(.failed, of: item(index)) }
        #expect((0..<1000).filter { known[item($0)] != nil } == [997, 998, 999])
    }
}
