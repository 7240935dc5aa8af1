import Catalog
import Demo
import Media
import TestSupport
import Testing

/// Ids that stay the same when items move.
@Suite(.timeLimit(.minutes(1))) struct ItemIDTests {
    @Test("an id has exactly one form of 11 characters and parses back")
    func text() {
        for value in [0, 1, .max, 0x0123_4567_89AB_CDEF] + (0..<1000).map({ _ in UInt64.random(in: 0 ... .max) }) {
            let id = ItemID(rawValue: value)
            #expect(id.description.utf8.count == 11)
            #expect(ItemID(id.description) == id)
        }
        #expect(ItemID(rawValue: 0).description == "AAAAAAAAAAA")
        #expect(ItemID(rawValue: .max).description == "__________8")
        for wrong in ["", "AAAAAAAAAA", "AAAAAAAAAAAA", "AAAAAAAAAAB", "AAAAAAAAA+A", "AAAAAAAAAÄ"] {
            #expect(ItemID(wrong) == nil, "\(wrong)")
        }
    }

    @Test("ids depend only on the relative path or the URL without its fragment")
    func stable() {
        #expect(StableHash("foobar").value == 0x8594_4171_F739_67E8)
        let root = FolderRoot(path: "/photos")
        let id = ItemID(.file(path: "/photos/a/1.jpg", root: root))
        #expect(id == ItemID(.file(path: "/elsewhere/a/1.jpg", root: FolderRoot(path: "/elsewhere"))))
        #expect(id != ItemID(.file(path: "/photos/1.jpg", root: root)))
        #expect(ItemID(.url("http://a/1.jpg#etag")) == ItemID(.url("http://a/1.jpg")))
        #expect(ItemID(.url("http://a/1.jpg?size=2")) != ItemID(.url("http://a/1.jpg")))
    }

    @Test("a version hashes a file's identity, or a download's validators if any")
    func version() throws {
        let file = Item(locator: .file(path: "/a/1.jpg", root: FolderRoot(path: "/a")), title: "1")
        #expect(file.version(identity: "1|2", validators: nil) == ContentVersion(identity: "1|2"))
        #expect(file.version(identity: "1|3", validators: nil) != ContentVersion(identity: "1|2"))
        #expect(file.version(identity: nil, validators: nil) == nil)
        let url = Item(locator: .url("http://a/1.jpg"), title: "1")
        #expect(url.version(identity: "http://a/1.jpg", validators: nil) == nil)
        #expect(url.version(identity: "http://a/1.jpg", validators: Validators()) == nil)
        let all = [Validators(etag: "x"), Validators(etag: "y"), Validators(lastModified: "x")]
        let versions = all.compactMap { url.version(identity: nil, validators: $0) }
        #expect(Set(versions).count == 3)
    }

    /// Checks that every id comes from its locator and is found from any position.
    private func check(_ catalog: Catalog) {
        var ids: [ItemID] = []
        catalog.items.forEachID(of: 0..<catalog.itemCount) { ids.append($0) }
        #expect(ids == (0..<catalog.itemCount).compactMap(catalog.id))
        #expect(ids.count == catalog.itemCount && Set(ids).count == ids.count)
        for (index, id) in ids.enumerated() {
            for near in [index, 0, -1, .max, .min, Int.random(in: 0...catalog.itemCount)] {
                #expect(catalog.index(of: id, near: near) == index)
            }
            if catalog.kind != .demo { #expect(catalog.item(index).map { ItemID($0.locator) } == id) }
        }
        #expect(catalog.id(-1) == nil && catalog.id(catalog.itemCount) == nil)
        #expect(catalog.index(of: ItemID(rawValue: 0), near: 0) == nil)
    }

    private func name() -> String { String((0..<8).compactMap { _ in "abcdeÄ😀 0123".randomElement() }) + ".jpg" }

    @Test("a folder's pictures are found by id from any position, even if arranged", arguments: [0, 1, 3, 400])
    func folder(_ count: Int) async throws {
        let folder = try TemporaryFolder()
        for number in 0..<count {
            let path = ["", "a/", "a/b/", "c\(number)/"].randomElement() ?? ""
            try folder.write("\(path)x\(name())")
        }
        let source = try FolderCatalog(path: folder.path)
        defer { source.stop() }
        let catalog = await source.waitUntil { $0.isComplete }
        check(catalog)
        let arrangements = ArrangementSource(catalog)
        var some = Arrangement(sort: .name, order: .descending)
        check(arrangements.arranged(some).catalog)
        some.filter.text = "a"
        check(arrangements.arranged(some).catalog)
    }

    @Test("a list's pictures are found by id from any position", arguments: [1, 2, 1500])
    func list(_ count: Int) throws {
        let lines = (0..<count).map { number in
            let (folder, section) = (Int.random(in: 0...9), Int.random(in: 0...3))
            return "{\"url\":\"http://example.com/\(folder)/\(number).jpg\",\"section\":\"\(section)\"}\n"
        }
        var reader = ListReader(format: .ndjson)
        try reader.feed(Array(lines.joined().utf8))
        check(try reader.finish(title: "List").catalog)
    }

    @Test("the nearest entry is found if a list names a picture twice")
    func nearest() throws {
        var reader = ListReader(format: .text)
        let lines = (0..<1000).map { $0 % 500 == 100 ? "http://a/twice.jpg\n" : "http://a/\($0).jpg\n" }
        try reader.feed(Array(lines.joined().utf8))
        let list = try reader.finish(title: "List")
        let id = try #require(list.id(100))
        #expect([0, 99, 349, 351, 601, 999].map { list.index(of: id, near: $0) } == [100, 100, 100, 600, 600, 600])
    }

    @Test("a demo picture keeps its id and version at another address")
    func demo() {
        let demo = DemoCatalog(itemCount: 3_000, origin: "http://127.0.0.1:1")
        let other = DemoCatalog(itemCount: 2_000, origin: "http://127.0.0.1:2")
        check(demo.catalog)
        #expect((0..<2_000).allSatisfy { demo.id($0) == other.id($0) })
        #expect(demo.item(0)?.version != nil && demo.item(0)?.version == other.item(0)?.version)
    }
}
