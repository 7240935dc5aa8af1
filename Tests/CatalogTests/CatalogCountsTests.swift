import Catalog
import Synchronization
import Testing

@Suite("Catalogue counts") struct CatalogCountsTests {
    /// Photographs that count how often they are read.
    private struct Watched: CatalogItems {
        final class Looks: Sendable {
            private let looks = Atomic(0)
            var count: Int { looks.load(ordering: .relaxed) }
            func add() { looks.add(1, ordering: .relaxed) }
        }

        let photographs: Photographs
        let looks = Looks()

        init(_ count: Int) {
            photographs = Photographs(
                (0..<count).map { .init(name: "\($0).jpg", taken: $0 % 10 == 0 ? nil : "\(2000 + $0 % 20)") })
        }

        var catalog: Catalog {
            let own = photographs.catalog
            return Catalog(
                kind: own.kind, title: own.title, sections: own.sections, dates: TakenDates(of: taken), items: self)
        }
        private var taken: [Int64] { photographs.factColumns?.taken ?? [] }

        var itemCount: Int { photographs.itemCount }
        func item(_ index: Int) -> Item? {
            looks.add()
            return photographs.item(index)
        }
        var factColumns: FactColumns? {
            looks.add()
            return photographs.factColumns
        }
    }

    private func ask(_ catalog: Catalog) {
        for _ in 0..<100 {
            #expect(catalog.datedCount * 10 == catalog.itemCount * 9 && catalog.factsKnown == catalog.itemCount)
            #expect(catalog.takenRange?.lowerBound == WallPeriod("2001")?.seconds.lowerBound)
            #expect(catalog.takenRange?.upperBound == WallPeriod("2019")?.seconds.lowerBound)
            #expect(catalog.sections.last?.range.upperBound == catalog.itemCount)
        }
    }

    @Test("a catalogue and its arrangements store their counts without reading items", arguments: [20, 2000])
    func stored(_ count: Int) {
        let items = Watched(count)
        let catalog = items.catalog
        ask(catalog)
        #expect(catalog.defaultArrangement == Arrangement(sort: .taken, group: .month))
        #expect(items.looks.count == 0)
        let arranged = ArrangementSource(catalog).arranged(Arrangement(sort: .taken, group: .month))
        let before = items.looks.count
        ask(arranged.catalog)
        #expect(arranged.catalog.defaultArrangement == nil)
        #expect(items.looks.count == before)
    }

    @Test("an arrangement counts only the dates of the items it shows")
    func filtered() {
        var arrangement = Arrangement(sort: .taken)
        arrangement.filter.takenFrom = WallPeriod("2005")
        arrangement.filter.takenTo = WallPeriod("2007")
        let arranged = ArrangementSource(Watched(20).catalog).arranged(arrangement).catalog
        #expect(arranged.itemCount == 3 && arranged.datedCount == 3)
        #expect(arranged.takenRange?.lowerBound == WallPeriod("2005")?.seconds.lowerBound)
        #expect(arranged.takenRange?.upperBound == WallPeriod("2007")?.seconds.lowerBound)
        arrangement.filter.text = "nowhere"
        let none = ArrangementSource(Watched(20).catalog).arranged(arrangement).catalog
        #expect(none.itemCount == 0 && none.datedCount == 0 && none.takenRange == nil)
    }
}
