import Catalog
import Gallery
import Media
import Synchronization
import TestSupport
import Testing
import Viewport

@Suite(.timeLimit(.minutes(1))) struct ArrangedGalleriesTests {
    @Test("equal arrangements share one gallery")
    func shared() async throws {
        let galleries = GalleryList()
        let base = try galleries.add(Letters("abc"), id: "letters")
        let arrangement = Arrangement(sort: .name, order: .descending)
        async let first = galleries.arrange(base, arrangement)
        async let second = galleries.arrange(base, arrangement)
        let third = try await galleries.arrange(base, arrangement)
        let (one, two) = try await (first, second)
        #expect(one.gallery === two.gallery && one.gallery === third.gallery)
        #expect(try await galleries.arrange(base, arrangement).isNew == false)
        #expect(third.gallery.id.hasPrefix("letters~") && third.gallery.base === base)
        #expect(galleries.gallery(third.gallery.id) === third.gallery)
        #expect(galleries.all.count == 1)
        #expect(try await galleries.arrange(base, Arrangement(sort: .name)).gallery !== third.gallery)
        galleries.shutdown()
    }

    @Test("an arrangement's id depends only on its contents")
    func ids() throws {
        var arrangement = Arrangement(sort: .taken)
        #expect(arrangement.fingerprint == Arrangement(sort: .taken, order: .descending).fingerprint)
        var ids: Set = [arrangement.fingerprint]
        arrangement.group = .day
        ids.insert(arrangement.fingerprint)
        arrangement.filter.text = "a"
        ids.insert(arrangement.fingerprint)
        arrangement.filter.kinds = [.jpeg, .raw]
        ids.insert(arrangement.fingerprint)
        arrangement.filter.takenFrom = WallPeriod("2019")
        ids.insert(arrangement.fingerprint)
        #expect(ids.count == 5 && ids.allSatisfy { $0.count == 16 })
    }

    @Test("an arrangement shares thumbnail keys and learnt sizes with its base")
    func pictures() async throws {
        let galleries = GalleryList()
        let base = try galleries.add(Letters("abc"), id: "letters")
        let content = try await galleries.arrange(base, Arrangement(sort: .name, order: .descending)).gallery.content
        let size = ThumbnailSize(width: 256, height: 0)
        #expect(content.item(0)?.title == "c" && base.content.item(2)?.title == "c")
        #expect(content.thumbnailKey(0, size: size) == base.content.thumbnailKey(2, size: size))
        #expect(content.item(ofOriginal: 2) == 0)
        base.content.learn(2, width: 300, height: 100)
        #expect(content.size(of: 0)?.width == 300 && content.size(of: 1) == nil)
        let rows = LayoutOptions(kind: .justified(rowHeight: 100))
        let layout = content.makeLayout(rows, width: 1000)
        #expect(abs(layout.frame(of: 0).width / layout.frame(of: 0).height - 3) < 0.1)
        galleries.shutdown()
    }

    @Test("the least recently used arrangement without users is evicted")
    func bounded() async throws {
        var limits = ArrangedGalleries.Limits()
        limits.galleries = 2
        let galleries = GalleryList()
        let arranged = ArrangedGalleries(limits: limits) { _ in }
        let base = try galleries.add(Letters("abc"), id: "letters")
        func arrange(_ text: String) async throws -> PictureGallery {
            var arrangement = Arrangement()
            arrangement.filter.text = text
            return try await arranged.arrange(base, of: galleries, arrangement).gallery
        }
        let first = try await arrange("a")
        let held = PictureGallery.Use(first)
        let forgotten = try await arrange("b").id
        let later = try await arrange("c").id
        #expect(arranged.count == 2)
        #expect(
            arranged.gallery(first.id) != nil && arranged.gallery(later) != nil && arranged.gallery(forgotten) == nil)
        let other = try await arrange("d").id
        do {
            let use = try #require(arranged.use(other))
            await #expect(throws: Problem.self) { try await arrange("e") }
            #expect(arranged.gallery(other) != nil)
            withExtendedLifetime(use) {}
        }
        // A reference without a use does not keep the gallery.
        let known = try #require(arranged.gallery(other))
        _ = try await arrange("e")
        #expect(arranged.gallery(other) == nil && !known.isUsed && first.isUsed)
        withExtendedLifetime(held) {}
        arranged.shutdown()
    }

    @Test("a gallery over the limit is neither arranged nor searched, and the error names the limit")
    func tooLarge() async throws {
        var limits = ArrangedGalleries.Limits()
        limits.baseItems = 2
        let galleries = GalleryList()
        let arranged = ArrangedGalleries(limits: limits) { _ in }
        let base = try galleries.add(Letters("abc"), id: "letters")
        let problem = await #expect(throws: Problem.self) {
            try await arranged.arrange(base, of: galleries, Arrangement())
        }
        #expect(problem?.status == 422 && problem?.field == "/of" && problem?.detail.contains("is 2.") == true)
        // A search error names no field.
        let question = await #expect(throws: Problem.self) { try await arranged.suggestions(for: "a", in: base) }
        #expect(question?.status == 409 && question?.field == nil && question?.detail.contains("is 2.") == true)
    }

    @Test("an arrangement follows changes of its base and reports them")
    func follows() async throws {
        let letters = GrowingLetters("bd")
        let (told, teller) = AsyncStream.makeStream(of: String.self)
        let galleries = GalleryList { teller.yield($0.id) }
        let base = try galleries.add(letters, id: "letters")
        let arranged = try await galleries.arrange(base, Arrangement(sort: .name, order: .descending)).gallery
        #expect((0..<2).map { arranged.content.item($0)?.title } == ["d", "b"])
        let before = arranged.content
        letters.show("bdc")
        for await id in told where id == arranged.id { break }
        #expect((0..<3).map { arranged.content.item($0)?.title } == ["d", "c", "b"])
        #expect(String(decoding: arranged.document, as: UTF8.self).contains("\"itemCount\":3"))
        // A session on the old snapshot keeps its items and finds them in the new one.
        #expect(before.itemCount == 2)
        #expect(before.item(1).flatMap { arranged.content.catalog.index(of: $0.locator) } == 2)
        galleries.shutdown()
    }

    @Test("describing a gallery or an arrangement reads no item facts", arguments: [3, 300])
    func described(_ count: Int) async throws {
        let letters = Letters(String(repeating: "a", count: count))
        let galleries = GalleryList()
        let base = try galleries.add(letters, id: "letters")
        let arranged = try await galleries.arrange(base, Arrangement(sort: .name)).gallery
        #expect(letters.columnReads == 1, "one read to sort the items")
        for gallery in [base, arranged] {
            let document = String(decoding: gallery.document, as: UTF8.self)
            #expect(document.contains("\"taken\":{\"from\":\"1970-01-01T00:00:00"))
        }
        #expect(letters.columnReads == 1)
        galleries.shutdown()
    }

    @Test("removing a gallery removes its arrangements")
    func removed() async throws {
        let galleries = GalleryList()
        let base = try galleries.add(Letters("abc"), id: "letters")
        let id = try await galleries.arrange(base, Arrangement(sort: .name)).gallery.id
        galleries.remove("letters")
        #expect(galleries.gallery(id) == nil)
        await #expect(throws: Problem.self) { try await galleries.arrange(base, Arrangement(sort: .name)) }
        galleries.shutdown()
    }
}

/// Each letter is a picture with the letter as title, taken a second after the previous one.
private struct Letters: CatalogItems, CatalogSource {
    let letters: [Character]
    var revision = 0
    var itemCount: Int { letters.count }
    var catalog: Catalog {
        let sections = letters.isEmpty ? [] : [Section(title: "Letters", from: 0, count: letters.count)]
        return Catalog(
            kind: .folder, title: "Letters", revision: revision, sections: sections,
            dates: TakenDates(of: letters.indices.map(Int64.init)), items: self)
    }
    /// Number of reads of the fact columns.
    var columnReads: Int { reads.count.load(ordering: .relaxed) }
    private let reads = Reads()
    private final class Reads: Sendable { let count = Atomic(0) }

    var factColumns: FactColumns? {
        reads.count.add(1, ordering: .relaxed)
        var columns = FactColumns()
        columns.taken = letters.indices.map(Int64.init)
        return columns
    }

    init(_ letters: String, revision: Int = 0) {
        self.letters = Array(letters)
        self.revision = revision
    }

    func item(_ index: Int) -> Item? {
        guard letters.indices.contains(index) else { return nil }
        return Item(locator: .url("http://127.0.0.1:1/\(letters[index])"), title: String(letters[index]))
    }

    func index(of locator: Locator) -> Int? { (0..<itemCount).first { item($0)?.locator == locator } }
}

/// Letters that the test can change.
private final class GrowingLetters: CatalogSource {
    private let letters: Mutex<Letters>
    let changes: AsyncStream<Int>
    private let change: AsyncStream<Int>.Continuation
    var catalog: Catalog { letters.withLock { $0.catalog } }

    init(_ letters: String) {
        self.letters = Mutex(Letters(letters))
        (changes, change) = AsyncStream.makeStream()
    }

    func show(_ text: String) {
        letters.withLock { $0 = Letters(text, revision: $0.revision + 1) }
        change.yield(1)
    }
}
