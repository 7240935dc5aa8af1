import Catalog
import Dispatch
import Gallery
import Pictures
import Synchronization
import TestSupport
import Viewport
import Web

/// Holds back whoever comes until it is opened, and tells of each.
final class TestGate: Sendable {
    /// Somebody has come.
    let arrivals: AsyncStream<Void>
    private let arrived: AsyncStream<Void>.Continuation
    private let semaphore = DispatchSemaphore(value: 0)
    private let arrivalCount = Atomic(0)

    init() { (arrivals, arrived) = AsyncStream.makeStream() }

    var count: Int { arrivalCount.load(ordering: .relaxed) }

    /// Blocks the thread until the gate is open.
    func pass() {
        arrivalCount.add(1, ordering: .relaxed)
        arrived.yield()
        semaphore.wait()
        semaphore.signal()
    }

    func open() { semaphore.signal() }

    /// Returns once somebody has come since the last call.
    func arrival() async {
        for await _ in arrivals { return }
    }
}

/// A list whose shapes, and whose item of that number, come when the test says so.
struct GatedCatalog: CatalogItems, CatalogSource {
    /// One that no session of the tests shows.
    static let heldItem = 900

    let shapes = TestGate()
    let items = TestGate()
    var itemCount = 1000
    /// The folder that its items are in; `nil` for addresses.
    var root: FolderRoot?
    /// Whether no facts are known; to ask for some is held back then.
    var isUnread = false
    let facts = TestGate()
    /// Where there is one, to count the facts that are known is held back.
    var counting: TestGate?

    var catalog: Catalog {
        Catalog(
            kind: .list, title: "Gated", sections: [Section(title: "All", from: 0, count: itemCount)],
            factsKnown: isUnread ? 0 : itemCount, items: self)
    }

    func item(_ index: Int) -> Item? {
        guard 0..<itemCount ~= index else { return nil }
        if index == Self.heldItem { items.pass() }
        let locator = root.map { Locator.file(path: "\($0.path)/\(index).jpg", root: $0) }
        return Item(
            locator: locator ?? .url("http://127.0.0.1:1/\(index)"), title: "\(index)", width: 300, height: 200)
    }

    var factsKnown: Int {
        counting?.pass()
        return isUnread ? 0 : itemCount
    }

    func preferFacts(of range: Range<Int>) { facts.pass() }

    var aspectRatios: AspectRatios {
        shapes.pass()
        return AspectRatios(count: itemCount) { _ in 1.5 }
    }
}

/// A server of a gated list, in this process.
final class GatedServer: Sendable {
    let catalog: GatedCatalog
    let server: GalleryServer
    let port: UInt16

    init(trustedProxies: [String] = []) async throws {
        let catalog = GatedCatalog()
        self.catalog = catalog
        var settings = Settings(
            publicDirectory: APIDescription.publicDirectory,
            renderCommand: [LookaheadProcess.executable, "render-worker"])
        settings.port = 0
        settings.trustedProxies = trustedProxies
        server = try GalleryServer(settings: settings)
        try server.galleries.add(catalog, id: "gated")
        port = try await server.start()
    }

    /// Returns once so many wait for layouts.
    func waiters(_ count: Int) async throws {
        try await eventually(
            "\(count) that wait", of: { server.galleries.layouts.waiterCount }, satisfies: { $0 >= count })
    }

    /// Opens the gates and stops the server.
    func stop() async {
        catalog.shapes.open()
        catalog.items.open()
        await server.shutdown()
    }
}
