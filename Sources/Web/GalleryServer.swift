import Catalog
import Cluster
import Fetch
import Gallery
import Glibc
import Logging
import Media
import MicroHTTP
import Numbers
import Synchronization
import Threads
import Thumbnails

/// A gallery server. It connects catalogues, sessions, the task pool and the rendering pipeline to the HTTP server.
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
    package let galleryEvents: GalleryEvents
    private let backend: ThumbnailBackend
    private let sharing: GallerySharing?
    package let archives = Downloads("archives", maximum: 8)
    package let offers = ArchiveOffers()
    package let originals = Downloads("originals", maximum: 128)
    private let placeholders: PlaceholderMaker
    private let logger: Logger
    package var thumbnails: ThumbnailService { backend.service }
    /// The processes that read and decode untrusted files.
    package var workers: WorkerPool { backend.workers }
    private let http: Server
    package let routes: [(method: Method, pattern: String)]
    private let upkeep = Mutex<[Task<Void, Never>]>([])

    /// - Parameter origin: origin that this server runs itself, if any. The API shows and changes its state.
    /// - Throws: ``SettingError`` if a setting cannot be used.
    package init(
        settings: Settings, origin: (any ThrottledOrigin)? = nil, logger: Logger = Logger(label: "lookahead")
    ) throws {
        self.settings = settings
        self.logger = logger
        SystemThread.onFirstRefusal {
            let reason = String(cString: strerror($0.code))
            let advice = "raise the limit of processes or memory. Until then, requests that need a thread get 503."
            logger.warning("The system cannot create more threads (\(reason)): \(advice)")
        }
        let sessions = SessionList(maxSessions: settings.maxSessions)
        self.sessions = sessions
        let galleryEvents = GalleryEvents()
        self.galleryEvents = galleryEvents
        galleries = GalleryList(maxGalleries: settings.maxGalleries) {
            gallery in
            let document = gallery.currentDocument
            if gallery.base == nil { galleryEvents.send("gallery", document) }
            await sessions.notify(over: .milliseconds(200), where: { $0.gallery === gallery }) {
                $0.galleryChanged(document)
            }
        }
        backend = try ThumbnailBackend(settings: settings, galleries: galleries) {
            logger.warning("\($0)")
        } report: {
            logger.warning("\($0)")
        }
        var lists = settings.lists
        lists.maxItems = settings.maxItems
        sharing = backend.shared.map { [galleries, backend, lists] shared in
            GallerySharing(
                SharedGalleries(shared), galleries: galleries, limits: lists, threads: backend.service.queries.common
            ) {
                galleryEvents.send("gallery", $0.currentDocument)
            } onRemoved: { gallery in
                sessions.end(reason: "the gallery was deleted") {
                    $0.gallery === gallery || $0.gallery.base === gallery
                }
                galleryEvents.sendRemoved(gallery)
            } report: {
                logger.warning("\($0)")
            }
        }
        let statistics = ServerStatistics(
            sessions: sessions, thumbnails: backend.service, downloads: [archives, originals], store: backend.store,
            fetcher: backend.fetcher, renders: backend.renders, shared: backend.shared)
        var router = Router()
        router.errorResponse = { status, detail, _ in API.response(Problem(status, Problem.sentence(detail))) }
        let proxies = try TrustedProxies(settings.trustedProxies)
        let embedOrigins = try EmbedOrigins(settings.embedOrigins)
        let gatekeeper = try Self.gatekeeper(settings, proxies, embedOrigins, logger) {
            sessions.session($0)?.opener
        }
        router.gate = { gatekeeper.refusal(of: $0) }
        if !embedOrigins.isEmpty { router.extraHeaders = { gatekeeper.headers(for: $0) } }
        let log = RequestLog(logger: logger, proxies: proxies)
        router.observer = { record in
            statistics.requests.record(record)
            log.record(record)
        }
        let firstScreens = FirstScreens(backend.service)
        placeholders = PlaceholderMaker(galleries: galleries, service: backend.service, renderer: backend.renderer)
        API(
            galleries: galleries, sessions: sessions, thumbnails: backend.service, archives: archives, offers: offers,
            originals: originals, uploads: ByteBudget(limit: 2 * settings.maxUpload), placeholders: placeholders,
            firstScreens: firstScreens,
            galleryEvents: galleryEvents, settings: settings, statistics: statistics, gatekeeper: gatekeeper,
            sharing: sharing, origin: origin,
            page: try Page(
                directory: settings.publicDirectory, front: FrontPage(galleries, firstScreens),
                embedOrigins: embedOrigins, queries: backend.service.queries.common)
        ).addRoutes(to: &router)
        routes = router.routes
        http = Server(router, configuration: Self.serverConfiguration(settings, proxies, logger))
        statistics.watch(http)
    }

    /// Downloads a file that is not a picture, such as a page of a bucket's listing, under the same rules as pictures. At most 16 MiB.
    package func download(_ url: String) async throws(FetchError) -> [UInt8] {
        var request = FetchRequest(url: url)
        request.bodyLimit = 16 << 20
        return try await backend.fetcher.fetch(request).body
    }

    /// - Returns: the port. If the setting is 0, the system chooses the port.
    /// - Throws: ``SettingError`` if a sandbox is required and not available.
    public func start() async throws -> UInt16 {
        try await checkSandbox()
        await sharing?.start(within: .seconds(1))
        let port = try http.start()
        let housekeeping = Housekeeping(
            sessions: sessions, thumbnails: backend.service, downloads: [archives, originals], offers: offers,
            sessionGrace: Duration(clampingSeconds: settings.sessionGrace))
        upkeep.withLock {
            $0 = [Task { await housekeeping.run() }, Task { [placeholders] in await placeholders.run() }]
        }
        return port
    }

    /// Tests the sandbox of the render processes before they get any data, and logs the result.
    private func checkSandbox() async throws(SettingError) {
        let fault: String
        do throws(RenderError) {
            let report = try await backend.workers.trySandbox()
            backend.renders.record(report)
            guard let found = report.fault else {
                logger.info("The render workers are sandboxed: Landlock \(report.landlock), seccomp, no_new_privs.")
                return
            }
            fault = found
        } catch {
            fault = "\(error)"
        }
        guard !settings.requiresSandbox else {
            throw SettingError("--require-sandbox: the sandbox of the render workers is incomplete: \(fault)")
        }
        logger.warning(
            "The sandbox of the render workers is incomplete: \(fault). --require-sandbox would refuse to start."
        )
    }

    /// Stops accepting connections, sends `bye` on all streams, finishes the requests in progress, aborts downloads, and writes the pending
    /// data of the store.
    public func shutdown() async {
        upkeep.withLock { $0.forEach { $0.cancel() } }
        sessions.closeAll()
        galleryEvents.close(reason: "the server is stopping")
        // Requests that wait for a layout or an arrangement end immediately, or with the build if the build has begun.
        galleries.shutdown()
        // A thread that runs a session's effects may not have sent the session's `bye` yet.
        await http.shutdown(grace: .milliseconds(1_500), bye: SessionEvent.bye(reason: "the server is stopping"))
        await backend.shutdown()
    }

    private static func gatekeeper(
        _ settings: Settings, _ proxies: TrustedProxies, _ embedOrigins: EmbedOrigins, _ logger: Logger,
        opener: @escaping @Sendable (String) -> Caller?
    ) throws(SettingError) -> Gatekeeper {
        guard settings.token != nil || Authority(host: settings.host).isLoopback else {
            throw SettingError(
                "listening on \(settings.host) opens the gallery to the network: set a token with "
                    + "--token-file or --token (at least \(AccessToken.minLength) characters; create one with openssl rand -hex 16)"
            )
        }
        guard settings.viewToken == nil || settings.token != nil else {
            throw SettingError("--view-token-file needs --token-file: without a token everyone has full access")
        }
        guard settings.viewToken == nil || settings.viewToken != settings.token else {
            throw SettingError("--view-token-file holds the full token: use another token for viewers")
        }
        for (flag, token) in [("--token", settings.token), ("--view-token-file", settings.viewToken)]
        where token?.isGuessable == true {
            logger.warning("The token of \(flag) is easy to guess: create a better one with openssl rand -hex 16.")
        }
        return Gatekeeper(
            tokens: settings.token.map { AccessTokens(full: $0, view: settings.viewToken) },
            names: try HostNames(listening: settings.host, allowed: settings.allowedHosts), proxies: proxies,
            embedOrigins: embedOrigins, opener: opener)
    }

    private static func serverConfiguration(
        _ settings: Settings, _ proxies: TrustedProxies, _ logger: Logger
    ) -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.address = settings.host
        configuration.keptDeadline = ReaderPace.window
        configuration.minimumKeptRate = ReaderPace.minimum
        configuration.port = settings.port
        configuration.maxConnections = settings.maxConnections
        configuration.isProxy = { proxies.contains($0) }
        configuration.bodyLimit = settings.maxBody
        configuration.responseDeadline = settings.responseDeadline
        configuration.requestDeadline = Duration(clampingSeconds: settings.requestTimeout)
        configuration.stuckTimeout = Duration(clampingSeconds: settings.readerTimeout)
        configuration.log = { logger.debug("\($0)") }
        return configuration
    }
}
