import Catalog
import Gallery
import Media
import Testing
import Viewport

@Suite struct LearnedSizesTests {
    private struct List: CatalogItems {
        var itemCount: Int { 3 }
        var catalog: Catalog {
            Catalog(kind: .list, title: "List", sections: [Section(title: "All", from: 0, count: 3)], items: self)
        }

        func item(_ index: Int) -> Item? {
            guard 0..<3 ~= index else { return nil }
            var item = Item(locator: .url("http://example.com/\(index).jpg"), title: "\(index)")
            if index == 0 { (item.width, item.height) = (400, 200) }
            return item
        }
    }

    @Test("sizes are stored by item, and huge sizes are scaled down")
    func sizes() {
        var sizes = LearnedSizes()
        #expect(sizes[7] == nil && sizes[-1] == nil)
        let news = [(7, 300, 200), (7, 300, 200), (1_000_000, 131_070, 65_535), (8, 0, 5)].map { item, width, height in
            sizes.learn(item, width: width, height: height)
        }
        #expect(news == [true, false, true, false])
        #expect(sizes[7]?.width == 300 && sizes[7]?.height == 200)
        #expect(sizes[1_000_000]?.width == 65_535 && sizes[1_000_000]?.height == 32_767)
        #expect(sizes[8] == nil && sizes.count == 2)
    }

    @Test("a learnt size shapes the next layout unless the list gives a size")
    func layout() async throws {
        let content = GalleryContent(catalog: List().catalog, serial: 1)
        let masonry = LayoutOptions(kind: .masonry(columnWidth: 100))
        func heights() async throws -> [Double] {
            let layout = try await content.layout(masonry, width: 300)
            return (0..<3).map { layout.frame(of: $0).height }
        }
        let before = try await heights()
        #expect(before[0] == 50 && before[1] == before[2])
        content.learn(0, width: 100, height: 100)
        content.learn(1, width: 200, height: 600)
        let after = try await heights()
        // A layout stores ratios with a precision of 0.013 %.
        #expect(after[0] == 50 && abs(after[1] - 300) < 0.1 && after[2] == before[2])
        #expect(content.size(of: 0)?.width == 400 && content.size(of: 1)?.height == 600)
        #expect(content.size(of: 2) == nil)
    }
}
