import Catalog
import Demo
import Fetch
import Gallery
import Media
import Store
import Synchronization
import TaskPool
import TestSupport
import Testing
import Thumbnails

/// Thumbnails of the demo's pictures, downloaded from an origin that fails on command.
final class DownloadFixture: Sendable {
    static let items = 200

    let origin: DemoOrigin
    let service: ThumbnailService
    let maker: ThumbnailMaker
    let fetcher: CurlFetcher
    let renderer: Renderer
    private let gallery: PictureGallery

    init(
        failureRate: Double = 0, latency: Double = 0, settings: PictureMemorySettings = PictureMemorySettings(),
        idleTimeout: Int? = nil, connectTimeout: Int? = nil, workers: Int = 2,
        _ change: (inout TaskPoolLimits) -> Void = { _ in }
    ) throws {
        origin = DemoOrigin(
            conditions: DemoOrigin.Conditions(
                latency: latency, jitter: 0, bandwidth: nil, failureRate: failureRate))
        let port = try origin.start()
        var configuration = FetchConfiguration()
        configuration.idleTimeout = idleTimeout ?? configuration.idleTimeout
        configuration.connectTimeout = connectTimeout ?? configuration.connectTimeout
        if let allowed = WebOrigin("127.0.0.1:\(port)") { configuration.policy.origins.insert(allowed) }
        fetcher = try CurlFetcher(configuration)
        renderer = Renderer(WorkerConfiguration(executable: LookaheadProcess.executable, workers: workers))
        let galleries = GalleryList()
        gallery = try galleries.add(
            DemoCatalog(itemCount: Self.items, origin: "http://127.0.0.1:\(port)"), id: "demo")
        let transfers = TransferMeter()
        let store = ThumbnailStore(StoreConfiguration(directory: nil))
        maker = ThumbnailMaker(
            items: galleries, store: store, fetcher: fetcher, renderer: renderer, transfers: transfers,
            settings: settings)
        var limits = TaskPoolLimits()
        change(&limits)
        service = ThumbnailService(limits: limits, maker: maker, store: store, transfers: transfers)
        self.galleries = galleries
    }

    /// Keeps the gallery and its content alive.
    private let galleries: GalleryList

    func stop() async {
        await service.pool.shutdown()
        await fetcher.shutdown()
        await renderer.shutdown()
        await origin.stop()
    }

    /// The key and host of a picture from another origin on this machine.
    func picture(from port: UInt16) throws -> (key: ThumbnailKey, host: Int) {
        if let allowed = WebOrigin("127.0.0.1:\(port)") { fetcher.allow(allowed) }
        let other = try galleries.add(DemoCatalog(itemCount: 1, origin: "http://127.0.0.1:\(port)"), id: "\(port)")
        var key = key(0)
        key.content = other.content.serial
        return (key, service.host(of: try #require(other.content.item(0)).locator))
    }

    func locator(_ item: Int) throws -> Locator { try #require(gallery.content.item(item)).locator }

    func key(_ item: Int) -> ThumbnailKey {
        ThumbnailKey(
            content: gallery.content.serial, item: item, size: ThumbnailSize(width: 128, height: 0))
    }

    func want(_ items: [Int], session: SessionID) {
        service.pool.want(items.map { PoolWant(key: key($0), host: 1, visible: true) }, session: session)
    }

    /// The first item that fails in this way, or the first that succeeds if `fault` is `nil`.
    func item(_ fault: DemoOrigin.Fault?) -> Int? {
        (0..<Self.items).first { item in
            let shape = DemoCatalog.shape(item)
            let picture = DemoPicture(width: shape.width, height: shape.height, text: "food \(item + 1)")
            return picture?.fault(failureRate: origin.conditions.failureRate) == fault
        }
    }

    /// Number of the origin's finished responses for an item.
    func requests(_ item: Int) -> Int { origin.log.entries.count { $0.item == item } }
}
