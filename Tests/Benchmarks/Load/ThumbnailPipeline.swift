import Bench
import Catalog
import Gallery
import Pictures
import TaskPool
import Thumbnails

/// Thumbnails of one source, without sessions and HTTP: pool, downloads, rendering and store behind one list of wants.
final class ThumbnailPipeline: Sendable {
    private let backend: ThumbnailBackend
    private let content: GalleryContent
    private let session: SessionID
    private let size: ThumbnailSize

    /// - Parameters:
    ///   - width: of the thumbnails in pixels; their height follows.
    ///   - onFinished: told of each item that became ready or failed, on any thread.
    init(
        of source: any CatalogSource, settings: Settings, width: Int,
        onFinished: @escaping @Sendable (_ item: Int, _ isReady: Bool) -> Void
    ) throws {
        let galleries = GalleryList()
        backend = try ThumbnailBackend(settings: settings, galleries: galleries)
        content = try galleries.add(source, id: "pipeline").content
        size = ThumbnailSize(width: width, height: 0)
        session = backend.service.open { key, outcome in
            if case .success = outcome { onFinished(key.item, true) } else { onFinished(key.item, false) }
        }
    }

    /// Wants these items, the first one first, and nothing else any more.
    func want(_ items: [Int]) {
        let wants = items.map { item in
            PoolWant(
                key: ThumbnailKey(content: content.serial, item: item, size: size),
                host: content.host(of: item, number: backend.service.host), visible: true)
        }
        backend.service.pool.want(wants, session: session)
    }

    /// Downloads under way.
    var downloads: Int {
        let running = backend.service.pool.counts.running
        return running.remoteHead + running.fetch
    }

    /// Downloads at once that the pool has learned to allow the first item's host.
    var learnedLimit: Int? {
        content.item(0).map { backend.service.pool.fetchLimit(host: backend.service.host(of: $0.locator)) }
    }

    /// Bytes that came, and of them those of downloads that were cancelled.
    var bytes: (all: Int, abandoned: Int) {
        let totals = backend.service.transfers.totals
        return (totals.bytes, totals.abandonedBytes)
    }

    /// Connections opened so far.
    var connections: Int { backend.fetcher.counts.connections }

    var workerProcesses: [Int32] { backend.renderer.workerProcesses }

    /// Aborts downloads, ends the workers and writes what the store holds.
    func shutdown() async {
        backend.service.close(session)
        await backend.shutdown()
    }
}
