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

    @Test("nobody waits for a uniform grid, though a layout by shapes is being made")
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

    @Test("who is cancelled while a layout is made is told at once, and nothing of it is left")
    func cancelled() async throws {
        let catalog = GatedCatalog()
        let cache = LayoutCache()
        let content = GalleryContent(catalog: catalog.catalog, serial: 1, layouts: cache)
        let first = Task { try await content.layout(Self.justified, width: 600) }
        await catalog.shapes.arrival()
        let second = Task { try await content.layout(Self.justified, width: 600) }
        try await eventually("two that wait", of: { cache.waiterCount }, satisfies: { $0 >= 2 })
        second.cancel()
        await #expect(throws: LayoutFailure.cancelled) { try await second.value }
        first.cancel()
        await #expect(throws: LayoutFailure.cancelled) { try await first.value }
        #expect(cache.waiterCount == 0)
        catalog.shapes.open()
        // The layout that was begun is there for the next one.
        #expect(try await content.layout(Self.justified, width: 600).itemCount == 1000)
        #expect(catalog.shapes.count == 1)
    }

    @Test("a cache that shuts down tells all who wait, and those who come later")
    func shutDown() async throws {
        let catalog = GatedCatalog()
        let cache = LayoutCache()
        let content = GalleryContent(catalog: catalog.catalog, serial: 1, layouts: cache)
        let waiting = Task { try await content.layout(Self.justified, width: 600) }
        await catalog.shapes.arrival()
        cache.shutdown()
        await #expect(throws: LayoutFailure.shutDown) { try await waiting.value }
        await #expect(throws: LayoutFailure.shutDown) { try await content.layout(Self.justified, width: 700) }
        catalog.shapes.open()
    }

    @Test("large layouts take no more memory than they may; what is in use counts, and what was let go is made anew")
    func memory() async throws {
        let catalog = DemoCatalog(itemCount: 250_000, origin: "http://a")
        let one = makeLayout(
            Self.justified, width: 600, sections: [0..<250_000], aspectRatios: catalog.aspectRatios
        ).byteCount
        #expect(one > 1_000_000)
        let cache = LayoutCache(memory: 5 * one / 2)
        let content = GalleryContent(catalog: catalog.catalog, serial: 1, layouts: cache)
        var used: [any Layout] = [try await content.layout(Self.justified, width: 600)]
        // One that nobody uses makes room for the next.
        for width in [610.0, 620, 630] { _ = try await content.layout(Self.justified, width: width) }
        #expect(cache.heldBytes <= 5 * one / 2)
        #expect(content.readyLayout(Self.justified, width: 610) == nil)
        let again = try await content.layout(Self.justified, width: 610)
        #expect(again.contentHeight == content.makeLayout(Self.justified, width: 610).contentHeight)
        used.append(again)
        await #expect(throws: LayoutFailure.noRoom) { try await content.layout(Self.justified, width: 640) }
        #expect(cache.waiterCount == 0)
        used = []
        // Freed on a thread of their own or here: both are gone when there is room.
        _ = try await content.layout(Self.justified, width: 640)
    }

    @Test("shapes that the catalogue tells are nothing new: the layout stays the one that is there")
    func known() async throws {
        let content = GalleryContent(catalog: DemoCatalog(itemCount: 100, origin: "http://a").catalog, serial: 1)
        _ = try await content.layout(Self.justified, width: 600)
        content.learn(3, width: 100, height: 100)
        #expect(content.readyLayout(Self.justified, width: 600) != nil)
    }
}

/// The queue alone, with numbers for layouts.
@Suite struct LayoutQueueTests {
    private func key(_ width: Double, content: Int = 1) -> LayoutKey {
        LayoutKey(content: content, options: LayoutOptions(kind: .justified(rowHeight: 100)), width: width)
    }

    private func name(_ answer: LayoutQueue<Int>.WaitResult) -> String {
        switch answer {
        case .ready(let layout): "ready \(layout)"
        case .build: "build"
        case .wait: "wait"
        case .refused: "refused"
        }
    }

    @Test("one builds for all who ask for the same meanwhile, and later ones have it at once")
    func shared() {
        var queue = LayoutQueue<Int>()
        #expect((1...3).map { name(queue.wait($0, for: key(600), shapes: 0)) } == ["build", "wait", "wait"])
        #expect(name(queue.wait(4, for: key(601), shapes: 0)) == "build")
        #expect(queue.begin(key(600)) == true)
        let finished = queue.finish(key(600), 7, shapes: 0, items: 10)
        #expect(finished.served == [1, 2, 3] && !finished.isBegunAgain)
        #expect(name(queue.wait(5, for: key(600), shapes: 0)) == "ready 7")
        #expect(queue.waiterCount == 1)
    }

    @Test("who knows of newer shapes waits for the next build, and gets no older layout")
    func newerShapes() {
        var queue = LayoutQueue<Int>()
        _ = queue.wait(1, for: key(600), shapes: 5)
        _ = queue.begin(key(600))
        #expect(name(queue.wait(2, for: key(600), shapes: 6)) == "wait")
        let first = queue.finish(key(600), 7, shapes: 5, items: 10)
        #expect(first.served == [1] && first.isBegunAgain)
        #expect(queue.layout(key(600), shapes: 6) == nil && queue.layout(key(600), shapes: 5) == 7)
        #expect(queue.begin(key(600)) == true)
        let second = queue.finish(key(600), 8, shapes: 9, items: 10)
        #expect(second.served == [2] && !second.isBegunAgain && second.dropped == [7])
        #expect(queue.layout(key(600), shapes: 9) == 8)
    }

    @Test("a build that nobody waits for when its turn comes is forgotten")
    func abandoned() {
        var queue = LayoutQueue<Int>()
        _ = queue.wait(1, for: key(600), shapes: 0)
        #expect(queue.leave(1) && !queue.leave(1))
        #expect(queue.begin(key(600)) == false)
        #expect(name(queue.wait(2, for: key(600), shapes: 0)) == "build")
        #expect(queue.close() == [2] && queue.waiterCount == 0)
    }

    @Test("layouts, items and waiters are bounded; what was not used for longest goes first")
    func bounded() {
        var queue = LayoutQueue<Int>(limits: .init(layouts: 3, items: 100, waiters: 2))
        for width in 1...3 { _ = queue.finish(key(Double(width)), width, shapes: 0, items: 10) }
        #expect(queue.layout(key(1), shapes: 0) == 1)
        #expect(queue.finish(key(4), 4, shapes: 0, items: 10).dropped == [2])
        #expect(queue.finish(key(5), 5, shapes: 0, items: 85).dropped == [3, 1])
        // One that is larger than all may be is kept alone.
        #expect(queue.finish(key(6), 6, shapes: 0, items: 1000).dropped == [4, 5])
        #expect(queue.keptCount == 1)
        #expect((1...3).map { name(queue.wait($0, for: key(9), shapes: 0)) } == ["build", "wait", "refused"])
        #expect(queue.forget(content: 2) == [] && queue.forget(content: 1) == [6])
    }
}
