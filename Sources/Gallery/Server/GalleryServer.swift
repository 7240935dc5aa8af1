import Catalog
import Logging
import MicroHTTP
import Pipeline
import Synchronization
import TaskPool

/// A server of galleries: it ties catalogues, sessions, the task pool and the pipeline to the HTTP server.
///
/// ```swift
/// let server = try GalleryServer(settings: settings)
/// try server.galleries.add(FolderCatalog("Pictures"), id: "pictures")
/// let port = try await server.start()
/// ```
public final class GalleryServer: Sendable {
    public let settings: Settings
    public let galleries: GalleryList

    private let sessions: SessionList
    private let thumbnails: ThumbnailService
    private let store: ThumbnailStore
    private let fetcher: CurlFetcher
    private let renderer: Renderer
    private let http: Server
    /// Every method and pattern that is answered.
    package let routes: [(method: Method, pattern: String)]
    private let housekeeping = Mutex<Task<Void, Never>?>(nil)

    /// - Throws: ``SettingError`` where a setting cannot be used.
    public init(settings: Settings, demo: DemoOrigin? = nil, logger: Logger = Logger(label: "lookahead")) throws {
        self.settings = settings
        let sessions = SessionList(maxSessions: settings.maxSessions)
        self.sessions = sessions
        galleries = GalleryList(maxGalleries: settings.maxGalleries) { gallery in
            for session in sessions.all where session.gallery === gallery { session.galleryChanged() }
        }
        store = ThumbnailStore(Self.storeConfiguration(settings)) { logger.warning("\($0)") }
        fetcher = try CurlFetcher(try Self.fetchConfiguration(settings))
        let renders = RenderMeter()
        renderer = Renderer(Self.rendererConfiguration(settings)) { renders.record($0, succeeded: $1) }
        let transfers = TransferMeter()
        thumbnails = ThumbnailService(
            limits: Self.poolLimits(settings),
            runner: ThumbnailRunner(
                galleries: galleries, store: store, fetcher: fetcher, renderer: renderer, maxBytes: settings.maxBytes,
                transfers: transfers),
            store: store, transfers: transfers)
        let statistics = ServerStatistics(
            sessions: sessions, thumbnails: thumbnails, store: store, fetcher: fetcher, renders: renders)
        var router = Router()
        router.errorResponse = { status, detail, _ in API.response(Problem(status, detail)) }
        let gatekeeper = try Self.gatekeeper(settings)
        router.gate = { gatekeeper.verdict(on: $0) }
        let log = RequestLog(logger: logger, proxies: try TrustedProxies(settings.trustedProxies))
        router.observer = { record in
            statistics.requests.record(record)
            log.record(record)
        }
        API(
            galleries: galleries, sessions: sessions, thumbnails: thumbnails, settings: settings,
            statistics: statistics, demo: demo
        ).addRoutes(to: &router)
        try Page.addRoutes(to: &router, directory: settings.publicDirectory)
        routes = router.routes
        http = Server(Self.serverConfiguration(settings, logger), router)
        statistics.watch(http)
    }

    /// Begins to serve.
    ///
    /// - Returns: the port, the one the system picked where the setting is 0.
    public func start() async throws -> UInt16 {
        let port = try http.start()
        let upkeep = Housekeeping(
            sessions: sessions, thumbnails: thumbnails, sessionGrace: .seconds(settings.sessionGrace))
        housekeeping.withLock { $0 = Task { await upkeep.run() } }
        return port
    }

    /// Stops accepting, says `bye` on every stream, finishes the requests in progress, aborts downloads and writes what
    /// the store holds.
    public func shutdown() async {
        housekeeping.withLock { $0?.cancel() }
        sessions.closeAll(reason: "the server is stopping")
        await http.shutdown(grace: .seconds(2))
        await thumbnails.pool.shutdown()
        await fetcher.shutdown()
        await renderer.shutdown()
        await store.close()
    }

    private static func gatekeeper(_ settings: Settings) throws(SettingError) -> Gatekeeper {
        guard settings.token != nil || Authority.isLoopback(settings.host.lowercased()) else {
            throw SettingError(
                "listening on \(settings.host) shows the gallery to the network: give a --token of "
                    + "\(AccessToken.minLength) or more characters (openssl rand -hex 16 makes one), or a --token-file")
        }
        return Gatekeeper(
            token: settings.token, names: try HostNames(listening: settings.host, allowed: settings.allowedHosts),
            proxies: try TrustedProxies(settings.trustedProxies))
    }

    private static func poolLimits(_ settings: Settings) -> TaskPoolLimits {
        var limits = TaskPoolLimits()
        limits.fetch = settings.maxDownloads
        limits.fetchPerHost = settings.maxDownloadsPerHost
        limits.render = settings.renderWorkers
        return limits
    }

    private static func serverConfiguration(_ settings: Settings, _ logger: Logger) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.address = settings.host
        configuration.port = settings.port
        configuration.maxConnections = settings.maxConnections
        configuration.maxConnectionsPerAddress = settings.maxConnectionsPerAddress
        configuration.maxStreams = settings.maxStreams
        configuration.bodyLimit = settings.maxBody
        configuration.log = { logger.debug("\($0)") }
        return configuration
    }

    private static func fetchConfiguration(_ settings: Settings) throws(SettingError) -> FetchConfiguration {
        var configuration = FetchConfiguration()
        for text in settings.allowedAddresses {
            guard let network = CIDR(text) else {
                throw SettingError("--allow-address must be a network such as 192.168.1.0/24, not \"\(text)\"")
            }
            configuration.policy.addresses.allowed.append(network)
        }
        for text in settings.allowedOrigins {
            guard let origin = WebOrigin(text) else {
                throw SettingError("--allow-origin must be HOST:PORT, not \"\(text)\"")
            }
            configuration.policy.origins.insert(origin)
        }
        configuration.bodyLimit = settings.maxBytes
        configuration.connections = max(configuration.connections, settings.maxDownloads)
        return configuration
    }
}

extension GalleryServer {
    private static func storeConfiguration(_ settings: Settings) -> StoreConfiguration {
        StoreConfiguration(
            directory: settings.cacheDirectory, memoryBytes: settings.memoryCache, diskBytes: settings.diskCache)
    }

    private static func rendererConfiguration(_ settings: Settings) -> RendererConfiguration {
        var limits = RenderLimits()
        limits.maxBytes = settings.maxBytes
        limits.maxJPEGPixels = min(limits.maxJPEGPixels, settings.maxPixels)
        limits.maxProgressivePixels = min(limits.maxProgressivePixels, settings.maxPixels)
        limits.maxPNGPixels = min(limits.maxPNGPixels, settings.maxPixels)
        limits.maxWebPPixels = min(limits.maxWebPPixels, settings.maxPixels)
        limits.maxGIFPixels = min(limits.maxGIFPixels, settings.maxPixels)
        return RendererConfiguration(
            executable: settings.renderCommand.first ?? "", arguments: Array(settings.renderCommand.dropFirst()),
            workers: settings.renderWorkers, limits: limits)
    }
}
