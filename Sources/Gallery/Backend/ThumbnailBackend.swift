import Cluster
import Fetch
import Media
import Store
import TaskPool
import Thumbnails

/// The parts that produce thumbnails, built from the settings: store, downloads, render workers, and the pool that runs them.
package final class ThumbnailBackend: Sendable {
    package let store: ThumbnailStore
    package let fetcher: CurlFetcher
    /// The processes that read and decode untrusted files.
    package let workers: WorkerPool
    package let renderer: Renderer
    package let renders = RenderMeter()
    package let service: ThumbnailService
    /// The thumbnails shared with other nodes. `nil` if there are none.
    package let shared: SharedThumbnails?

    /// - Parameters:
    ///   - galleries: the galleries that contain the items.
    ///   - warn: receives warnings about the store for an operator.
    ///   - report: receives messages about sharing with other nodes for an operator.
    /// - Throws: ``SettingError`` if a setting cannot be used. `FetchError` if libcurl cannot be started.
    package init(
        settings: Settings, galleries: GalleryList, warn: @escaping @Sendable (StoreWarning) -> Void = { _ in },
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        shared = try Self.shared(settings, report: report)
        store = ThumbnailStore(Self.storeConfiguration(settings), warn: warn)
        fetcher = try CurlFetcher(try Self.fetchConfiguration(settings))
        workers = WorkerPool(Self.workerConfiguration(settings))
        renderer = Renderer(workers) { [renders] in renders.record($0, succeeded: $1) }
        let transfers = TransferMeter(workers: settings.renderWorkers)
        service = ThumbnailService(
            limits: Self.poolLimits(settings),
            maker: ThumbnailMaker(
                items: galleries, store: store, fetcher: fetcher, renderer: renderer, transfers: transfers,
                settings: settings.memory, smallSide: settings.smallTier, previews: PreviewReader(workers),
                sharing: shared.map(Sharing.init)),
            store: store, transfers: transfers)
    }

    /// Aborts downloads, ends the workers and writes the store's pending thumbnails. Takes about three seconds at most. A
    /// reader that does not end, or a disk that does not respond, is left to the end of the process.
    package func shutdown() async {
        await Self.run(for: .seconds(1)) { [self] in
            await service.shutdown()
            await shared?.shutdown()
            await fetcher.shutdown()
            await renderer.shutdown()
        }
        await Self.run(for: .seconds(2)) { [store] in await store.close() }
    }

    /// Waits until `work` has ended, but no longer than `limit`. The work continues after that.
    package static func run(for limit: Duration, _ work: @escaping @Sendable () async -> Void) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        Task {
            await work()
            end.yield()
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            end.yield()
        }
        for await _ in ends { break }
        timer.cancel()
    }

    private static func poolLimits(_ settings: Settings) -> TaskPoolLimits {
        var limits = settings.pool
        limits.fetch = settings.maxDownloads
        limits.fetchPerHost = settings.maxDownloadsPerHost
        limits.render = settings.renderWorkers
        limits.carriedReserve = limits.carriedBytes / 4
        limits.hosts.breaker.longestPause = limits.hosts.longestPause
        return limits
    }

    private static func fetchConfiguration(_ settings: Settings) throws(SettingError) -> FetchConfiguration {
        var configuration = settings.network
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
        configuration.connectionsPerHost = max(configuration.connectionsPerHost, settings.maxDownloadsPerHost)
        return configuration
    }

    private static func storeConfiguration(_ settings: Settings) -> StoreConfiguration {
        var configuration = settings.store
        configuration.directory = settings.cacheDirectory
        configuration.memoryBytes = settings.memoryCache
        configuration.diskBytes = settings.diskCache
        return configuration
    }

    private static func workerConfiguration(_ settings: Settings) -> WorkerConfiguration {
        var limits = settings.pictures
        limits.maxBytes = settings.maxBytes
        limits.maxPixels = settings.maxPixels
        var configuration = WorkerConfiguration(
            executable: settings.renderCommand.first ?? "", arguments: Array(settings.renderCommand.dropFirst()),
            workers: settings.renderWorkers, limits: limits)
        configuration.requiresSandbox = settings.requiresSandbox
        return configuration
    }
}
