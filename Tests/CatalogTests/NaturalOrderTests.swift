import Catalog
import Foundation
import Testing

@Suite struct NaturalOrderTests {
    @Test("numbers in names sort by value, regardless of zeros and length")
    func numbers() {
        let ordered = [
            "0.jpg", "a.jpg", "a0.jpg", "a01.jpg", "a1.jpg", "a2.jpg", "a10.jpg", "a10b1.jpg", "a10b2.jpg",
            "a10b10.jpg",
            "a99999999999999999999998.jpg", "a99999999999999999999999.jpg", "a100000000000000000000000.jpg", "b.jpg",
        ]
        #expect(ordered.reversed().sorted(by: NaturalOrder.areInIncreasingOrder) == ordered)
        #expect(ordered.sorted().sorted(by: NaturalOrder.areInIncreasingOrder) == ordered)
    }

    @Test("letters sort without regard to case, and case breaks ties")
    func letterCase() {
        let sorted = ["b", "A", "a", "B", "C"].sorted(by: NaturalOrder.areInIncreasingOrder)
        #expect(sorted == ["A", "a", "B", "b", "C"])
    }

    @Test("letters sort by base letter, then accent, then case")
    func accents() {
        let ordered = [
            "Abend", "Ägypten", "coste", "Cote", "cote", "coté", "côte", "côté", "Émile", "emily", "Łódź 2", "lodz 10",
            "Öl",
            "Om", "Straße", "strassen", "Ÿ", "z", "αβ", "Άγ", "ера", "ёрш", "или", "йод", "кот", "مرا",
        ]
        #expect(ordered.reversed().sorted(by: NaturalOrder.areInIncreasingOrder) == ordered)
        // macOS stores letters and accents decomposed.
        let apart = ordered.map(\.decomposedStringWithCanonicalMapping)
            .filter { $0 != "йод".decomposedStringWithCanonicalMapping }
        #expect(apart.reversed().sorted(by: NaturalOrder.areInIncreasingOrder) == apart)
    }

    @Test("the natural order is strict and total")
    func total() {
        let pieces = ["0", "00", "1", "01", "12", "a", "A", "-", String(repeating: "7", count: 300), "é", "É", "e"]
        var names: [String] = []
        for a in pieces { for b in pieces { for c in ["", "1", "b"] { names.append(a + b + c) } } }
        let unique = Array(Set(names))
        let sorted = unique.sorted(by: NaturalOrder.areInIncreasingOrder)
        for (x, y) in zip(sorted, sorted.dropFirst()) {
            #expect(NaturalOrder.areInIncreasingOrder(x, y))
            #expect(!NaturalOrder.areInIncreasingOrder(y, x))
        }
        for x in unique { #expect(!NaturalOrder.areInIncreasingOrder(x, x)) }
        // Transitive: each name comes before all later ones, not only its neighbour.
        for i in stride(from: 0, to: sorted.count, by: 7) {
            for j in stride(from: i + 1, to: sorted.count, by: 11) {
                #expect(NaturalOrder.areInIncreasingOrder(sorted[i], sorted[j]))
            }
        }
    }
}
