import Gallery
import ServerFixtures
import TestSupport
import Testing
import Threads
import Viewport

/// Sessions that the test blocks while they open.
@Suite(.timeLimit(.minutes(1)))
struct SessionListTests {
    /// A session whose first item is the one the catalogue holds back.
    private func session(_ gated: GatedServer) throws -> Session {
        let use = try #require(gated.server.galleries.use("gated"))
        let options = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
        let layout = use.gallery.content.makeLayout(options, width: 600)
        return Session(
            gallery: use, content: use.gallery.content, lane: nil, thumbnails: gated.server.thumbnails, layout: layout,
            viewport: Size(width: 600, height: 360), pixelRatio: 1, options: options, policy: .lookahead,
            prefetching: false, start: .scrollTop(layout.frame(of: GatedCatalog.heldItem).y), name: "",
            maxUpdates: 1000)
    }

    private func listeners(_ gated: GatedServer) -> Int {
        gated.server.thumbnails.state.withLock { $0.listeners.count }
    }

    @Test("a session is listed once open and releases everything at its end")
    func opening() async throws {
        let gated = try await GatedServer()
        let session = try session(gated)
        let list = SessionList(maxSessions: 1)
        let threads = BlockingThreads("test", count: 1, limit: 1)
        async let added = threads.run { Result { try list.add(session) } }
        await gated.catalog.items.arrival()
        #expect(list.count == 0 && list.session(session.id) == nil && list.followed(session.followID) == nil)
        #expect(throws: Problem.self) { try list.add(session) }
        gated.catalog.items.open()
        try await added.get()
        #expect(list.session(session.id) === session && session.gallery.isUsed && listeners(gated) == 1)
        list.end(reason: "over") { _ in true }
        #expect(list.count == 0 && !session.gallery.isUsed && listeners(gated) == 0)
        await gated.stop()
    }

    @Test("a session that opens during shutdown is ended and leaves no listener")
    func stopping() async throws {
        let gated = try await GatedServer()
        let session = try session(gated)
        let list = SessionList(maxSessions: 4)
        let threads = BlockingThreads("test", count: 1, limit: 1)
        async let added = threads.run { Result { try list.add(session) } }
        await gated.catalog.items.arrival()
        list.closeAll()
        gated.catalog.items.open()
        try await added.get()
        #expect(list.count == 0 && listeners(gated) == 0)
        #expect(throws: Problem.stopping) { try list.add(session) }
        await gated.stop()
    }
}
