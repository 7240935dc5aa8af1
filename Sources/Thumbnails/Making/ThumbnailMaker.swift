import Catalog
import Cluster
import Fetch
import Glibc
import Media
import Store
import TaskPool
import Threads

/// Makes thumbnails. ``make(_:in:)`` lists the stages of one thumbnail, from top to bottom.
///
/// Before that, ``lookUp(_:onResult:)`` finds thumbnails in memory or in the store, many at a time.
package final class ThumbnailMaker: ProductMaker {
    package typealias Key = ThumbnailKey
    package typealias Product = Thumbnail
    package typealias Slot = PoolSlot<ThumbnailMaker>

    /// Threads that read file status.
    package var statThreads: FolderThreads { services.statThreads }
    package var previews: PreviewReader? { services.previews }
    package var unrendered: UnrenderedPictures { services.unrendered }
    let services: MakerServices
    private let lookUpStage: LookUpStage
    private let previewStage: PreviewStage?
    private let fetchStage: FetchStage
    private let renderStage: RenderStage
    private let keepStage: KeepStage

    /// - Parameter smallSide: Longer side of the smaller tier, in pixels. 0 for no smaller tier.
    package init(
        items: any ThumbnailItems, store: ThumbnailStore, fetcher: any Fetcher, renderer: Renderer,
        transfers: TransferMeter, settings: PictureMemorySettings = PictureMemorySettings(), smallSide: Int = 0,
        previews: PreviewReader? = nil, sharing: Sharing? = nil,
        files: FolderThreads = FolderThreads(
            "file", patience: .seconds(60), count: 8, limit: 4096, niceness: Niceness.pool)
    ) {
        let unrendered = UnrenderedPictures(limit: settings.unrenderedMemory)
        let failures = PictureFailures(settings, unrendered: unrendered, sharing: sharing)
        let services = MakerServices(
            items: items, store: store, settings: settings, smallSide: smallSide, transfers: transfers,
            failures: failures, unrendered: unrendered,
            downloads: PictureDownloads(
                fetcher, transfers: transfers, limits: renderer.pool.configuration.limits,
                earlyStopSaving: settings.earlyStopSaving, previews: previews),
            renderer: renderer, previews: previews, sharing: sharing,
            nodes: sharing.map { OtherNodes($0, store: store, failures: failures) },
            statThreads: FolderThreads("look", patience: .seconds(20), count: 4, limit: 4096, niceness: Niceness.pool),
            files: files)
        let keep = KeepStage(services: services)
        let lookUp = LookUpStage(services, keeping: keep), fetch = FetchStage(services: services, keeping: keep)
        self.services = services
        lookUpStage = lookUp
        previewStage = previews.map {
            PreviewStage(previews: $0, services: services, lookUp: lookUp, fetching: fetch)
        }
        fetchStage = fetch
        renderStage = RenderStage(services: services, keeping: keep)
        keepStage = keep
    }

    // MARK: The stages

    package func lookUp(
        _ tickets: [Ticket<ThumbnailKey>], onResult: @escaping @Sendable ([LookedUp<ThumbnailKey, Thumbnail>]) -> Void
    ) async {
        Niceness.raise(to: Niceness.pool)
        await lookUpStage.lookUp(tickets, onResult: onResult)
    }

    package func make(_ key: ThumbnailKey, in slot: inout Slot) async throws -> Thumbnail {
        Niceness.raise(to: Niceness.pool)
        // Looks again, because the file may have changed while the task waited.
        var (picture, known) = try await lookUpStage.begin(key)
        if slot.kind == .head, case .url = picture.item.locator {
            // Shows the stored thumbnail while the origin is asked whether it is current.
            try await slot.take(.fetch, showing: known.map(picture.versioned))
        }
        var source = try await previewStage?.show(key, &picture, in: &slot)
        if source == nil { source = try await fetchStage.fetch(key, &picture, knowing: known, in: &slot) }
        switch source {
        case .picture(let bytes)?:
            try await slot.take(.render, holding: bytes.bytes.count)
            Niceness.raise(to: Niceness.pool)
            return keepStage.finish(try await renderStage.render(bytes, key, picture, in: &slot), key, picture)
        case .thumbnail(let thumbnail)?: return keepStage.finish(thumbnail, key, picture)
        case nil: throw ItemFailure(reason: "no thumbnail was made", retryable: true)
        }
    }

    /// The material of a thumbnail: a picture to render, or a finished thumbnail.
    enum Source {
        case picture(PictureBytes)
        /// A thumbnail that this or another node made before.
        case thumbnail(Thumbnail)
    }

    // MARK: Single questions

    /// Returns the picture of a key. If it is in a folder, reads the file's status on the calling thread.
    package func picture(of key: ThumbnailKey) throws(ItemFailure) -> TaskPicture {
        try lookUpStage.picture(of: key)
    }

    /// Returns what to get first of a picture whose thumbnail is not in the store.
    package func choice(for picture: TaskPicture) -> PreviewChoice { lookUpStage.choice(for: picture) }

    /// Allows a retry of a picture whose failure is remembered, at the next look-up.
    func forgetFailure(of key: ThumbnailKey) { lookUpStage.allowRetry(of: key) }

    /// Returns as much of a folder's file as a thumbnail of this size needs.
    package func contents(
        of path: String, in root: FolderRoot, for size: ThumbnailSize
    ) async throws(ItemFailure) -> [UInt8] {
        try await fetchStage.contents(of: path, in: root, for: size)
    }

    package var originals: OriginalReader {
        OriginalReader(
            files: services.files, fetcher: services.downloads.fetcher, workers: services.renderer.pool)
    }

    func giveUpOnFolders(at now: ContinuousClock.Instant) {
        services.statThreads.giveUp(at: now)
        services.files.giveUp(at: now)
        previews?.giveUpOnFolders(at: now)
    }

    func shutdown() {
        services.statThreads.shutdown()
        services.files.shutdown()
        previews?.shutdown()
    }
}

/// Seconds since 1970.
enum UnixTime {
    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
