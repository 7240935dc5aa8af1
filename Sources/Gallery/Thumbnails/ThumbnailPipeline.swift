import Catalog
import Pipeline
import TaskPool

/// Thumbnails of one catalogue, without sessions and HTTP: pool, downloads, rendering and store behind one list of wants.
package final class ThumbnailPipeline: Sendable {
    private let stages: ThumbnailStages
    private let content: GalleryContent
    private let session: SessionID
    private let size: ThumbnailSize

    /// - Parameters:
    ///   - width: of the thumbnails in pixels; their height follows.
    ///   - onFinished: told of each item that became ready or failed, on any thread.
    package init(
        of catalog: any Catalog, settings: Settings, width: Int,
        onFinished: @escaping @Sendable (_ item: Int, _ isReady: Bool) -> Void
    ) throws {
        let galleries = GalleryList()
        stages = try ThumbnailStages(settings: settings, galleries: galleries)
        content = try galleries.add(catalog, id: "pipeline").content
        size = ThumbnailSize(width: width, height: 0)
        session = stages.service.open { key, outcome in
            if case .success = outcome { onFinished(key.item, true) } else { onFinished(key.item, false) }
        }
    }

    /// Wants these items, the first one first, and nothing else any more.
    package func want(_ items: [Int]) {
        let wants = items.map { item in
            PoolWant(
                key: ThumbnailKey(content: content.serial, item: item, size: size),
                host: content.host(of: item, number: stages.service.host), visible: true)
        }
        stages.service.pool.want(wants, session: session)
    }

    /// Downloads under way.
    package var downloads: Int {
        let running = stages.service.pool.counts.running
        return running.remoteHead + running.fetch
    }

    /// Downloads at once that the pool has learned to allow the first item's host.
    package var learnedLimit: Int? {
        content.item(0).map { stages.service.pool.fetchLimit(host: stages.service.host(of: $0.locator)) }
    }

    /// Bytes that came, and of them those of downloads that were cancelled.
    package var bytes: (all: Int, abandoned: Int) {
        let totals = stages.service.transfers.totals
        return (totals.bytes, totals.abandonedBytes)
    }

    /// Connections opened so far.
    package var connections: Int { stages.fetcher.counts.connections }

    package var workerProcesses: [Int32] { stages.renderer.workerProcesses }

    /// Aborts downloads, ends the workers and writes what the store holds.
    package func shutdown() async {
        stages.service.close(session)
        await stages.shutdown()
    }
}
