import Catalog
import Demo
import Gallery
import ServerFixtures
import TestSupport
import Testing
import Viewport

@Suite(.timeLimit(.minutes(1)))
struct LayoutCacheTests {
    private static let justified = LayoutOptions(kind: .justified(rowHeight: 150))
    private static let grid = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))

    @Test("a uniform grid is ready while another layout is being built")
    func grids() async throws {
        let catalog = GatedCatalog()
        let content = GalleryContent(catalog: catalog.catalog, serial: 1)
        async let slow = content.layout(Self.justified, width: 600)
        await catalog.shapes.arrival()
        #expect(content.readyLayout(Self.grid, width: 600) != nil)
        #expect(content.readyLayout(Self.justified, width: 600) == nil)
        catalog.shapes.open()
        _ = try await slow
        #expect(content.readyLayout(Self.justified, width: 600) != nil)
        #expect(content.readyLayout(Self.justified, width: 601) == nil)
    }

    @Test("a cancelled request for a layout returns at once, and the layout is still built once")
    func cancelled() async throws {
        let catalog = GatedCatalog()
        let cache = LayoutCache()
        let content = GalleryContent(catalog: catalog.catalog, serial: 1, layouts: cache)
        let first = Task { try await content.layout(Self.justified, width: 600) }
        await catalog.shapes.arrival()
        let second = Task { try await content.layout(Self.justified, width: 600) }
        try await eventually("two waiting requests", of: { cache.waiterCount }, satisfies: { $0 >= 2 })
        second.cancel()
        await #expect(throws: LayoutFailure.cancelled) { try await second.value }
        first.cancel()
        await #expect(throws: LayoutFailure.cancelled) { try await first.value }
        #expect(cache.waiterCount == 0)
        catalog.shapes.open()
        // The next request gets the layout that was begun.
        #expect(try await content.layout(Self.justified, width: 600).itemCount == 1000)
        #expect(catalog.shapes.count == 1)
    }

    @Test("a cache that shuts down finishes pending layouts and refuses new ones")
    func shutDown() async throws {
        let catalog = GatedCatalog()
        let cache = LayoutCache()
        let content = GalleryContent(catalog: catalog.catalog, serial: 1, layouts: cache)
        let waiting = Task { try await content.layout(Self.justified, width: 600) }
        await catalog.shapes.arrival()
        cache.shutdown()
        await #expect(throws: LayoutFailure.shutDown) { try await content.layout(Self.justified, width: 700) }
        catalog.shapes.open()
        #expect(try await waiting.value.itemCount == 1000)
    }

    @Test("a request that knows a newer shape waits for the next layout")
    func newerShapes() async throws {
        let catalog = GatedCatalog()
        let content = GalleryContent(catalog: catalog.catalog, serial: 1)
        let first = Task { try await content.layout(Self.justified, width: 600) }
        await catalog.shapes.arrival()
        content.learn(3, width: 1000, height: 100)
        let second = Task { try await content.layout(Self.justified, width: 600) }
        catalog.shapes.open()
        _ = try await first.value
        #expect(
            try await second.value.frame(of: 3).width
                == content.makeLayout(Self.justified, width: 600).frame(of: 3).width)
    }

    @Test(
        "cached layouts are bounded by items, and the least recently used is evicted")
    func bounded() async throws {
        let content = GalleryContent(
            catalog: DemoCatalog(itemCount: 100, origin: "http://a").catalog, serial: 1,
            layouts: LayoutCache(items: 250))
        for width in [600.0, 610] { _ = try await content.layout(Self.justified, width: width) }
        #expect(content.readyLayout(Self.justified, width: 600) != nil)
        _ = try await content.layout(Self.justified, width: 620)
        let ready = [600.0, 610, 620].map { content.readyLayout(Self.justified, width: $0) != nil }
        #expect(ready == [true, false, true])
    }

    @Test("cached layouts are bounded by memory, including layouts in use")
    func memory() async throws {
        let catalog = DemoCatalog(itemCount: 250_000, origin: "http://a")
        let one = makeLayout(
            Self.justified, width: 600, sections: [0..<250_000], aspectRatios: catalog.aspectRatios
        ).byteCount
        #expect(one > 1_000_000)
        let cache = LayoutCache(memory: 5 * one / 2)
        let content = GalleryContent(catalog: catalog.catalog, serial: 1, layouts: cache)
        var used: [any Layout] = [try await content.layout(Self.justified, width: 600)]
        // A layout without users makes room for the next one.
        for width in [610.0, 620, 630] { _ = try await content.layout(Self.justified, width: width) }
        #expect(cache.heldBytes <= 5 * one / 2)
        #expect(content.readyLayout(Self.justified, width: 610) == nil)
        let again = try await content.layout(Self.justified, width: 610)
        #expect(again.contentHeight == content.makeLayout(Self.justified, width: 610).contentHeight)
        used.append(again)
        await #expect(throws: LayoutFailure.noRoom) { try await content.layout(Self.justified, width: 640) }
        #expect(cache.waiterCount == 0)
        used = []
        // Layouts are freed on this or another thread. If this succeeds, both are gone.
        _ = try await content.layout(Self.justified, width: 640)
    }

    @Test("learning a shape that the catalogue knows keeps the layout")
    func known() async throws {
        let content = GalleryContent(catalog: DemoCatalog(itemCount: 100, origin: "http://a").catalog, serial: 1)
        _ = try await content.layout(Self.justified, width: 600)
        content.learn(3, width: 100, height: 100)
        #expect(content.readyLayout(Self.justified, width: 600) != nil)
    }
}
