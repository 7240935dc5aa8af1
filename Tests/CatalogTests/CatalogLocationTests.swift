import Catalog
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CatalogLocationTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("a source is recognised as a folder, a list or standard input")
    func kinds() throws {
        let list = try folder.write("list.CSV")
        #expect(try CatalogLocation(folder.path) == .folder(path: folder.path))
        #expect(try CatalogLocation(list) == .list(path: list))
        #expect(try CatalogLocation("-") == .standardInput)
    }

    @Test("any other source is an error that names the source and the fix", arguments: ["none", "picture.jpg"])
    func otherSources(_ name: String) throws {
        try folder.write("picture.jpg")
        let path = "\(folder.path)/\(name)"
        #expect { try CatalogLocation(path) } throws: { error in
            "\(error)".hasPrefix(path + ": ") && ("\(error)".contains(".ndjson") || "\(error)".contains("No such file"))
        }
    }

    @Test("a list logs the entries it leaves out, and the reason if it is unreadable")
    func told() throws {
        let told = Mutex<[String]>([])
        let path = try folder.write("list.txt", Array("http://a/1.jpg\nnonsense\nhttp://a/2.jpg\n".utf8))
        let source = try CatalogLocation(path).open { line in told.withLock { $0.append(line) } }
        #expect(source.catalog.itemCount == 2)
        #expect(told.withLock { $0 } == ["\(path): line 2, field url: is not an http or https URL; left out."])
        let bad = try folder.write("list.json", Array("[".utf8))
        #expect(throws: SourceError(source: bad, reason: "line 1: the text ends before the list does")) {
            try CatalogLocation(bad).open()
        }
    }

    @Test("a list keeps pictures with wrong optional fields and logs their number")
    func toldHints() throws {
        let told = Mutex<[String]>([])
        let path = try folder.write("list.csv", Array("url,width\nhttp://a/1.jpg,wide\nhttp://a/2.jpg,0\n".utf8))
        let source = try CatalogLocation(path).open { line in told.withLock { $0.append(line) } }
        #expect(source.catalog.itemCount == 2)
        let sentence = "2 optional fields are left out: line 2, field width: is not a whole number, and 1 more."
        #expect(told.withLock { $0 } == ["\(path): \(sentence)"])
    }

    @Test("opening a folder finds its pictures")
    func opens() async throws {
        try folder.write("a/1.jpg")
        let source = try CatalogLocation(folder.path).open()
        let opened = try #require(source as? FolderCatalog)
        await opened.waitUntil { $0.isComplete }
        #expect(opened.catalog.itemCount == 1)
        opened.stop()
    }

    @Test("an item's section is found, and none outside the list")
    func sections() {
        let sections = [
            Section(title: "a", from: 0, count: 3), Section(title: "empty", from: 3, count: 0),
            Section(title: "b", from: 3, count: 2),
        ]
        #expect((-1...6).map { sections.section(of: $0)?.title } == [nil, "a", "a", "a", "b", "b", nil, nil])
        #expect([Section]().section(of: 0) == nil)
    }
}
