import Catalog
import Cluster
import Demo
import Fetch
import Gallery
import Media
import ServerFixtures
import Store
import Synchronization
import TaskPool
import TestSupport
import Thumbnails

/// One of several servers that share thumbnails, with its own pool, downloads, processes and memory.
final class NodeFixture: Sendable {
    static let items = 200
    static let agreement = "tests"

    let name: String
    let shared: SharedThumbnails
    let service: ThumbnailService
    let sharing: Sharing
    let fetcher: CurlFetcher
    private let renderer: Renderer
    private let gallery: PictureGallery
    /// Keeps the gallery and its content alive.
    private let galleries: GalleryList

    /// - Parameters:
    ///   - redis: URLs of the shared Redis servers.
    ///   - times: timeouts for Redis.
    init(
        _ name: String, redis: [String], origin port: UInt16, times: RedisTimes = .patient,
        settings: PictureMemorySettings = PictureMemorySettings()
    ) throws {
        self.name = name
        var configuration = FetchConfiguration()
        if let allowed = WebOrigin("127.0.0.1:\(port)") { configuration.policy.origins.insert(allowed) }
        fetcher = try CurlFetcher(configuration)
        renderer = Renderer(WorkerConfiguration(executable: LookaheadProcess.executable))
        galleries = GalleryList()
        gallery = try galleries.add(
            DemoCatalog(itemCount: Self.items, origin: "http://127.0.0.1:\(port)"), id: "demo")
        let transfers = TransferMeter()
        let store = ThumbnailStore(StoreConfiguration(directory: nil))
        shared = try SharedThumbnails(
            redis.compactMap { RedisAddress($0) }, node: name, agreement: Self.agreement,
            times: .patient, redis: times
        ) { _ in }
        sharing = Sharing(shared)
        let maker = ThumbnailMaker(
            items: galleries, store: store, fetcher: fetcher, renderer: renderer, transfers: transfers,
            settings: settings, sharing: sharing)
        service = ThumbnailService(
            limits: TaskPoolLimits(), maker: maker, store: store, transfers: transfers)
    }

    /// The pool's number for the host of all items.
    var host: Int { locator(0).map(service.host) ?? 0 }

    func locator(_ item: Int) -> Locator? { gallery.content.item(item)?.locator }

    func key(_ item: Int) -> ThumbnailKey {
        ThumbnailKey(content: gallery.content.serial, item: item, size: ThumbnailSize(width: 128, height: 0))
    }

    /// The store's key of an item.
    func storeKey(_ item: Int) throws -> String {
        guard let locator = gallery.content.item(item)?.locator, let identity = StoreKey.identity(of: locator) else {
            return ""
        }
        return StoreKey.make(
            identity: identity, size: key(item).size, format: ThumbnailFormat.jpeg.mediaType, renderer: Renderer.version
        )
    }

    /// The common beginning of an item's keys in Redis.
    func base(_ item: Int) throws -> String { shared.keys.base(of: try storeKey(item)) }

    /// Waits until this node holds work for other nodes.
    func holds() async throws { try await eventually("work held for others") { sharing.heldCount > 0 } }

    /// Waits until the Redis servers respond.
    func isReady(servers: Int = 1) async throws {
        try await reaches("\(servers) servers that answer") { $0.reachable == servers }
    }

    /// Waits until the counts satisfy a condition.
    func reaches(_ what: String, _ isWanted: (SharedCounts) -> Bool) async throws {
        try await eventually("\(what) at \(name)", of: { shared.counts }, satisfies: isWanted)
    }

    /// Requests items in one session and waits until all have finished.
    func thumbnails(of items: [Int]) async -> [Int: ThumbnailService.Outcome] {
        let (stream, continuation) = AsyncStream.makeStream(of: (Int, ThumbnailService.Outcome).self)
        let session = service.open { key, outcome in continuation.yield((key.item, outcome)) }
        service.pool.want(items.map { PoolWant(key: key($0), host: host, visible: true) }, session: session)
        var outcomes: [Int: ThumbnailService.Outcome] = [:]
        for await (item, outcome) in stream {
            outcomes[item] = outcome
            if outcomes.count == items.count { break }
        }
        service.close(session)
        return outcomes
    }

    func stop() async {
        await service.shutdown()
        await shared.shutdown()
        await fetcher.shutdown()
        await renderer.shutdown()
    }
}

extension LeaseTimes {
    /// Times so long that no lease expires on a slow machine.
    static let patient = {
        var times = LeaseTimes()
        (times.lease, times.patience) = (60_000, 120_000)
        return times
    }()
}

/// An origin, a Redis, and nodes that share through it.
struct NodesFixture {
    let origin: DemoOrigin
    /// The origin that nodes fetch from if the responses are held, instead of the demo's.
    let held: ScriptedOrigin?
    let redis: RedisServer
    private let line: SlowLine?
    let nodes: [NodeFixture]

    /// - Parameters:
    ///   - isHeld: whether the origin responds only once it is released.
    ///   - times: timeouts for Redis.
    ///   - distance: round trip to Redis in milliseconds.
    ///   - url: URL of another Redis.
    init(
        _ names: [String] = ["a", "b"], latency: Double = 0, failureRate: Double = 0, isHeld: Bool = false,
        options: [String] = [], times: RedisTimes = .patient, settings: PictureMemorySettings = PictureMemorySettings(),
        distance: Double? = nil, url: String? = nil
    ) async throws {
        origin = DemoOrigin(
            conditions: DemoOrigin.Conditions(
                latency: latency, jitter: 0, bandwidth: nil, failureRate: failureRate))
        let held = try isHeld ? ScriptedOrigin.heldDemo() : nil
        self.held = held
        let port = try held?.port ?? origin.start()
        let redis = try await RedisServer(options)
        self.redis = redis
        let line = try distance.map { try SlowLine(to: redis.port, milliseconds: $0) }
        self.line = line
        nodes = try names.map {
            try NodeFixture($0, redis: [url ?? line?.url ?? redis.url], origin: port, times: times, settings: settings)
        }
        for node in nodes { try await node.isReady() }
    }

    /// Returns the number of requests for each item, after the origin has responded to all.
    func requests() async throws -> [Int: Int] {
        if let held { return held.demoRequests }
        try await origin.waitForLog { $0.open == 0 }
        return origin.log.entries.reduce(into: [:]) { $0[$1.item ?? -1, default: 0] += 1 }
    }

    /// Waits until the origin holds a request for an item.
    func isAsked(for item: Int) async throws {
        try await eventually("a request for item \(item)", of: { held?.demoRequests }, satisfies: { $0?[item] == 1 })
    }

    /// Waits until Redis holds `count` keys of a kind: `t` for thumbnails, `n` for failures. They are saved after they
    /// are shown.
    func holds(_ count: Int, _ kind: String = "t") async throws {
        try await eventually(
            "\(count) keys of kind \(kind)",
            of: { try await redis.say("KEYS", "*:\(kind)").split(separator: "\n").count }, satisfies: { $0 == count })
    }

    func stop() async {
        for node in nodes { await node.stop() }
        await held?.stop()
        await origin.stop()
    }
}
