import Catalog
import Testing

@Suite struct NaturalOrderTests {
    @Test("numbers in names count as numbers, whatever their zeros and however long they are")
    func numbers() {
        let ordered = [
            "0.jpg", "a.jpg", "a0.jpg", "a01.jpg", "a1.jpg", "a2.jpg", "a10.jpg", "a10b1.jpg", "a10b2.jpg",
            "a10b10.jpg",
            "a99999999999999999999998.jpg", "a99999999999999999999999.jpg", "a100000000000000000000000.jpg", "b.jpg",
        ]
        #expect(ordered.reversed().sorted(by: NaturalOrder.areInIncreasingOrder) == ordered)
        #expect(ordered.sorted().sorted(by: NaturalOrder.areInIncreasingOrder) == ordered)
    }

    @Test("letters sort without regard to case, and names that differ in case only keep one order")
    func letterCase() {
        let sorted = ["b", "A", "a", "B", "C"].sorted(by: NaturalOrder.areInIncreasingOrder)
        #expect(sorted == ["A", "a", "B", "b", "C"])
    }

    @Test("the order is strict and total on names made of digits, zeros, letters and very long runs")
    func total() {
        let pieces = ["0", "00", "1", "01", "12", "a", "A", "-", String(repeating: "7", count: 300), "é"]
        var names: [String] = []
        for a in pieces { for b in pieces { for c in ["", "1", "b"] { names.append(a + b + c) } } }
        let unique = Array(Set(names))
        let sorted = unique.sorted(by: NaturalOrder.areInIncreasingOrder)
        for (x, y) in zip(sorted, sorted.dropFirst()) {
            #expect(NaturalOrder.areInIncreasingOrder(x, y))
            #expect(!NaturalOrder.areInIncreasingOrder(y, x))
        }
        for x in unique { #expect(!NaturalOrder.areInIncreasingOrder(x, x)) }
        // Transitive: what stands earlier comes before all that stand later, not only its neighbour.
        for i in stride(from: 0, to: sorted.count, by: 7) {
            for j in stride(from: i + 1, to: sorted.count, by: 11) {
                #expect(NaturalOrder.areInIncreasingOrder(sorted[i], sorted[j]))
            }
        }
    }
}
