import Catalog
import Testing

@Suite(.timeLimit(.minutes(1))) struct SortingTests {
    @Test("items sort by key, and equal keys keep their order", arguments: 1...20)
    func stable(_ seed: UInt64) {
        var random = SystemRandomNumberGenerator()
        let maximum: UInt64 = [1, 5, 1 << 12, 1 << 40, .max][Int(seed) % 5]
        let keys = (0..<Int(seed) * 40).map { _ in UInt64.random(in: 0...maximum, using: &random) }
        let items = (0..<UInt32(keys.count)).shuffled()
        let expected = items.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }.map { items[$0] }
        #expect(StableSort.sorted(items, by: keys) == expected)
        #expect(StableSort.sorted(items, by: keys.map { UInt128($0) << 64 }) == expected)
    }

    @Test("names sort as they compare, even if not UTF-8, and equal names keep their order")
    func names() throws {
        var names = TextColumn()
        var texts: [[UInt8]] = []
        let beginnings: [[UInt8]] =
            ["IMG_", "img_", "a-name-as-long-as-two-keys-of-sixteen-bytes-", "Ä", "a\u{308}", "ß", "ss", "漢", "0", ""]
            .map { Array($0.utf8) } + [[0xC3], [0xFF]]
        for _ in 0..<6_000 {
            let zeros = String(repeating: "0", count: .random(in: 0...2))
            var name = beginnings.randomElement() ?? []
            name += beginnings.randomElement() ?? []
            name += Array("\(zeros)\(Int.random(in: 0...400)).jpg".utf8)
            texts.append(name)
            _ = names.append(name)
        }
        let sorted = NaturalOrder.sorted(names).map(Int.init)
        #expect(sorted.sorted() == Array(texts.indices))
        for (first, second) in zip(sorted, sorted.dropFirst()) {
            let isBefore = texts[first].withUnsafeBufferPointer { a in
                texts[second].withUnsafeBufferPointer { b in NaturalOrder.precedes(a, b) }
            }
            #expect(isBefore || texts[first] == texts[second] && first < second, "\(texts[first]), \(texts[second])")
        }
    }

    @Test("a permutation and its inverse agree", arguments: [0, 1, 2, 50, 1000])
    func permutation(_ count: Int) {
        for share in [1.0, 0.5, 0] {
            let items = (0..<UInt32(count)).shuffled().filter { _ in .random(in: 0..<1) < share }
            let permutation = Permutation(items, of: count)
            #expect(permutation.count == items.count)
            for original in -1...count {
                let place = permutation.place(of: original)
                #expect(place == items.firstIndex { Int($0) == original })
            }
        }
    }

    @Test("a search word is found at every position, and nowhere else")
    func words() {
        let text = Array("a text, as long as a file's name may be: 20190712_153000.jpg".utf8)
        for from in text.indices {
            for to in from + 1...text.count { #expect(SearchWord(Array(text[from..<to])).isIn(text)) }
        }
        for word in [
            "x as", "20190712_153001", "jpgg", "a text, as long as a file's name may be: 20190712_153000.jpg.",
        ] {
            #expect(!SearchWord(Array(word.utf8)).isIn(text), "\(word)")
        }
    }
}
