import Catalog
import Numbers
import Testing

@Suite struct IndexPagesTests {
    private func page(_ path: String, _ count: Int) -> FolderPage {
        var names = TextColumn()
        for number in 0..<count { _ = names.append(Array("\(number).jpg".utf8)) }
        return FolderPage(path: path, names: names)
    }

    private func unread(_ count: Int) -> [FactRecord] { [FactRecord](repeating: .unread, count: count) }

    @Test("pages are read in order and in chunks, each picture once")
    func order() throws {
        var pages = IndexPages()
        let first = page("a", 150), second = page("b", 3)
        pages.enter(first, unread(150))
        pages.enter(second, unread(3))
        var seen: [String] = []
        while let chunk = pages.next() {
            seen.append("\(chunk.page.path) \(chunk.range)")
            #expect(!pages.isDone)
            _ = pages.finish(chunk, chunk.records)
        }
        #expect(seen == ["a 0..<64", "a 64..<128", "a 128..<150", "b 0..<3"])
        #expect(pages.isDone && pages.known == 0)
    }

    @Test("preferred pictures come first, and only once")
    func preferred() throws {
        var pages = IndexPages()
        let first = page("a", 300), second = page("b", 300)
        pages.enter(first, unread(300))
        pages.enter(second, unread(300))
        pages.prefer(second, 130..<200)
        pages.prefer(first, 250..<251)
        // An unknown page and indices out of range.
        pages.prefer(page("b", 300), 0..<10)
        pages.prefer(first, 900..<901)
        var seen: [String] = []
        while let chunk = pages.next() { seen.append("\(chunk.page.path)\(chunk.range.lowerBound)") }
        #expect(seen.prefix(4) == ["a192", "b128", "b192", "a0"])
        #expect(Set(seen).count == 10 && seen.count == 10)
    }

    @Test("listing a folder again restarts its reading and drops results for the old page")
    func again() throws {
        var pages = IndexPages()
        let old = page("a", 2), new = page("a", 3)
        pages.enter(old, unread(2))
        let found = pages.next()
        let chunk = try #require(found)
        pages.enter(new, [.unread, FactRecord(stamp: 7), .unread])
        #expect(pages.known == 1)
        let isNew = pages.finish(chunk, [FactRecord(stamp: 5), FactRecord(stamp: 6)])
        #expect(!isNew)
        #expect(pages.known == 1 && pages.records(of: old) == [] && pages.records(of: new).count == 3)
        let following = pages.next()
        let next = try #require(following)
        #expect(next.page === new && next.records[1].stamp == 7)
        pages.keep(["b"])
        let last = pages.next()
        #expect(pages.known == 0)
        #expect(last == nil)
    }

    @Test("each picture is read once per listing of its folder, in any order of events", arguments: 1...30)
    func properties(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var pages = IndexPages()
        var current: [String: FolderPage] = [:]
        var looked: [ObjectIdentifier: [Int]] = [:]
        var open: [IndexPages.Chunk] = []
        var all: [FolderPage] = []
        for _ in 0..<300 {
            switch random.below(6) {
            case 0:
                let new = page("p\(random.below(4))", random.below(200))
                pages.enter(new, unread(new.names.count))
                current[new.path] = new
                looked[ObjectIdentifier(new)] = [Int](repeating: 0, count: new.names.count)
                all.append(new)
            case 1:
                if let page = current.randomElement(using: &random)?.value, page.names.count > 0 {
                    let from = random.below(page.names.count)
                    pages.prefer(page, from..<min(page.names.count, from + random.below(100)))
                }
            case 2, 3:
                if let chunk = pages.next() {
                    for index in chunk.range { looked[ObjectIdentifier(chunk.page)]?[index] += 1 }
                    open.append(chunk)
                }
            default:
                if let chunk = open.popLast() {
                    _ = pages.finish(chunk, chunk.records.map { _ in FactRecord(stamp: 9) })
                }
            }
        }
        while let chunk = pages.next() {
            for index in chunk.range { looked[ObjectIdentifier(chunk.page)]?[index] += 1 }
            open.append(chunk)
        }
        for chunk in open { _ = pages.finish(chunk, chunk.records.map { _ in FactRecord(stamp: 9) }) }
        #expect(pages.isDone)
        #expect(pages.known == current.values.reduce(0) { $0 + $1.names.count })
        for page in all {
            let times = looked[ObjectIdentifier(page)] ?? []
            if current[page.path] === page {
                #expect(times.allSatisfy { $0 == 1 })
                #expect(pages.records(of: page).allSatisfy { $0.isKnown })
            } else {
                #expect(times.allSatisfy { $0 <= 1 })
            }
        }
    }

    @Test("names are found by their hash, and unknown names are not")
    func positions() {
        let page = page("", 5_000)
        let positions = NamePositions(page.names)
        func find(_ name: String) -> Int? { Array(name.utf8).withUnsafeBufferPointer { positions[$0] } }
        for number in stride(from: 0, to: 5_000, by: 7) { #expect(find("\(number).jpg") == number) }
        #expect(find("5000.jpg") == nil && find("") == nil)
        #expect(NamePositions(TextColumn())[UnsafeBufferPointer(start: nil, count: 0)] == nil)
    }
}
