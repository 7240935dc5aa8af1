import Catalog
import TestSupport
import Testing
import Viewport

@Suite struct AspectRatioTests {
    /// The same items with the default implementation of aspect ratios.
    private struct Plain: CatalogItems {
        let catalog: Catalog
        var itemCount: Int { catalog.itemCount }
        func item(_ index: Int) -> Item? { catalog.item(index) }
    }

    private func expectSame(_ catalog: Catalog) {
        let (own, plain) = (catalog.aspectRatios, Plain(catalog: catalog).aspectRatios)
        #expect(own.count == catalog.itemCount && plain.count == catalog.itemCount)
        for item in 0..<catalog.itemCount {
            #expect(own[item] == plain[item] && own.isKnown(item) == plain.isKnown(item), "item \(item)")
        }
    }

    @Test("a list reports the aspect ratios it was given, in display order")
    func list() throws {
        var reader = ListReader(format: .ndjson)
        try reader.feed(
            Array(
                """
                {"url":"http://a/1.jpg","section":"B","width":300,"height":200}
                {"url":"http://a/2.jpg","section":"A","width":100,"height":400}
                {"url":"http://a/3.jpg","section":"B"}
                {"url":"http://a/4.jpg","section":"A","width":500}
                {"url":"http://a/5.jpg","section":"B","width":7,"height":7}
                """.utf8))
        let list = try reader.finish(title: "Shapes")
        expectSame(list.catalog)
        #expect((0..<5).map { list.aspectRatios.isKnown($0) } == [true, false, true, true, false])
    }

    @Test("a folder without an index knows no aspect ratios")
    func folder() async throws {
        let folder = try TemporaryFolder()
        for number in 1...3 { try folder.write("\(number).jpg", [0]) }
        let catalog = try FolderCatalog(path: folder.path)
        let listing = await catalog.waitUntil { $0.isComplete }
        expectSame(listing)
        #expect(!listing.aspectRatios.isKnown(0))
    }
}
