import BoundedCache
import Catalog
import Pipeline
import Shared
import Synchronization
import TaskPool
import Threads

/// Runs a task's stages: look in the store, show the preview of a large file, fetch the picture, render it and store the thumbnail.
package final class ThumbnailRunner: TaskRunning {
    package typealias Key = ThumbnailKey
    package typealias Work = ThumbnailWork

    let fetcher: any Fetcher
    let transfers: TransferMeter
    let settings: PictureMemorySettings
    let limits: RenderLimits
    let galleries: GalleryList
    /// The previews in large files; `nil` where none are shown.
    let previews: PreviewReader?
    /// The thumbnails shared with other nodes; `nil` where there are none.
    let sharing: Sharing?
    let store: ThumbnailStore
    private let renderer: Renderer
    let failures: FailureMemory
    /// Threads for looking at files, which takes no time where a folder answers.
    package let looks = FolderThreads(
        "look", patience: .seconds(20), count: 4, limit: 4096, niceness: Niceness.pool)
    /// Threads for reading files.
    private let files: FolderThreads
    /// Those whose failure is to be forgotten before they are looked for again.
    private let forgiven = Mutex(BoundedCache<ThumbnailKey, Bool>(limit: 16_384))
    package let unrendered: UnrenderedPictures
    /// Pixels of the longer side of the smaller tier; 0 for none.
    private let smallSide: Int
    private let stopwatch = Stopwatch()

    package init(
        galleries: GalleryList, store: ThumbnailStore, fetcher: any Fetcher, renderer: Renderer,
        transfers: TransferMeter, settings: PictureMemorySettings = PictureMemorySettings(), smallSide: Int = 0,
        previews: PreviewReader? = nil, sharing: Sharing? = nil,
        files: FolderThreads = FolderThreads(
            "file", patience: .seconds(60), count: 8, limit: 4096, niceness: Niceness.pool)
    ) {
        self.galleries = galleries
        self.store = store
        self.fetcher = fetcher
        self.renderer = renderer
        self.transfers = transfers
        self.settings = settings
        self.smallSide = smallSide
        self.files = files
        self.previews = previews
        self.sharing = sharing
        limits = renderer.configuration.limits
        failures = FailureMemory(capacity: settings.maxFailures)
        unrendered = UnrenderedPictures(limit: settings.unrenderedMemory)
    }

    package func run(_ ticket: Ticket<ThumbnailKey>, carrying work: ThumbnailWork?) async -> StageOutcome<ThumbnailWork>
    {
        Niceness.raise(to: Niceness.pool)
        do throws(ItemFailure) {
            switch (ticket.stage, work) {
            case (.store, _): return try await lookUp(ticket)
            case (.head, .absent(let picture)): return await readHead(ticket.key, picture)
            case (.remoteHead, .absent(let picture)): return try await fetchHead(ticket, picture)
            case (.fetch, .absent(let picture)):
                return try await fetchUnlessShared(ticket, picture, knowing: nil)
            case (.fetch, .stale(let picture)):
                return try await fetchUnlessShared(ticket, picture, knowing: await stored(picture))
            case (.render, .picture(let bytes, let picture)):
                return try await render(bytes, ticket.key, picture)
            default: return .failed(ItemFailure(reason: "internal error: a stage ran out of order", retryable: true))
            }
        } catch {
            return Task.isCancelled ? .cancelled : .failed(error)
        }
    }

    package func bytes(of work: ThumbnailWork) -> Int {
        if case .picture(let picture, _) = work { picture.bytes.count } else { 0 }
    }

    private func lookUp(_ ticket: Ticket<ThumbnailKey>) async throws(ItemFailure) -> StageOutcome<ThumbnailWork> {
        let key = ticket.key
        let (item, isCold) = try item(of: key)
        var picture: TaskPicture
        switch item.locator {
        case .url: picture = try TaskPicture(item, size: key.size)
        case .file(_, let root):
            picture = try await blocking(in: root, on: looks) { () throws(ItemFailure) in
                try TaskPicture(item, size: key.size)
            }
        }
        if isCold { picture.storeKey = nil }
        if forgiven.withLock({ $0.remove(key) }) != nil {
            failures.forget(picture.content, at: picture.sizeClass, now: now)
            picture.isForgiven = true
        }
        let known = await stored(picture)
        if let known, !isStale(known) { return ready(known, key, picture) }
        if known == nil, let failure = failures.failure(of: picture.content, at: picture.sizeClass, now: now) {
            throw failure
        }
        if let outcome = try await foundElsewhere(ticket, picture, knowing: known) { return outcome }
        if known != nil { return .advance(to: .fetch, carrying: .stale(picture)) }
        return .advance(to: firstStage(for: picture), carrying: .absent(picture))
    }

    /// The first stage for a picture that the store lacks.
    private func firstStage(for picture: TaskPicture) -> Stage {
        guard previews != nil else { return .fetch }
        switch picture.item.locator {
        case .file: return picture.bytes ?? 0 >= PreviewReader.leastBytes ? .head : .fetch
        case .url(let url): return beginning(of: picture, at: url) == nil ? .fetch : .remoteHead
        }
    }

    private func stored(_ picture: TaskPicture) async -> Thumbnail? {
        guard let storeKey = picture.storeKey else { return nil }
        return await store.thumbnail(storeKey)
    }

    /// Keeps a thumbnail for later, where it may be kept.
    func save(_ thumbnail: Thumbnail, of picture: TaskPicture) {
        guard let storeKey = picture.storeKey else { return }
        store.save(thumbnail, as: storeKey)
        sharing?.save(.thumbnail(thumbnail), of: picture)
    }

    private func forgetUnrendered(_ picture: TaskPicture) {
        if let storeKey = picture.storeKey { unrendered.remove(storeKey) }
    }

    /// Fetches a picture.
    ///
    /// - Parameter known: a thumbnail of it that may be out of date.
    func fetch(
        _ key: ThumbnailKey, _ picture: TaskPicture, knowing known: Thumbnail?
    ) async throws(ItemFailure) -> StageOutcome<ThumbnailWork> {
        switch (picture.item.locator, known) {
        case (.url(let url), let known?): return await revalidate(known, url, key, picture)
        case (.url(let url), nil):
            if let storeKey = picture.storeKey, let bytes = unrendered.picture(for: storeKey) {
                return .advance(to: .render, carrying: .picture(bytes, picture))
            }
            return await download(url, key, picture)
        case (.file(let path, let root), nil): return try await read(path, in: root, key, picture)
        case (.file, _): return .failed(ItemFailure(reason: "the picture has changed", retryable: true))
        }
    }

    private func read(
        _ path: String, in root: FolderRoot, _ key: ThumbnailKey, _ picture: TaskPicture
    ) async throws(ItemFailure) -> StageOutcome<ThumbnailWork> {
        transfers.begin(key)
        var completed = false
        defer { transfers.end(key, completed: completed) }
        let bytes = try await contents(of: path, in: root, for: key.size)
        transfers.received(bytes.count, of: key)
        completed = true
        return .advance(to: .render, carrying: .picture(PictureBytes(bytes: bytes), picture))
    }

    private func render(
        _ source: PictureBytes, _ key: ThumbnailKey, _ picture: TaskPicture
    ) async throws(ItemFailure) -> StageOutcome<ThumbnailWork> {
        do throws(RenderError) {
            let began = transfers.now
            var thumbnail = try await renderer.render(
                source.bytes, size: key.size,
                options: RenderOptions(smallSide: smallSide, acceptsPartial: source.isPartial))
            transfers.worked(transfers.now - began, for: key)
            forgetUnrendered(picture)
            failures.succeeded(picture.content, at: picture.sizeClass)
            thumbnail.version = source.version
            save(thumbnail, of: picture)
            return ready(thumbnail, key, picture)
        } catch {
            let failure = ItemFailure(reason: "\(error)", retryable: error.retryable)
            switch error {
            // What the picture itself did: it would do so again.
            case .notAPicture, .unsupported, .overLimit:
                forgetUnrendered(picture)
                remember(failure, of: picture, seconds: settings.brokenLifetime)
            // Another size may need less of it, or another part.
            case .broken, .workerDied:
                forgetUnrendered(picture)
                remember(failure, of: picture, at: picture.sizeClass, seconds: settings.brokenLifetime)
            case .tooSlow:
                forgetUnrendered(picture)
                throw rememberTimeout(failure, of: picture)
            case .truncated: forgetUnrendered(picture)
            case .interrupted, .noWorker, .cancelled, .shutDown: break
            }
            throw failure
        }
    }

    func ready(_ thumbnail: Thumbnail, _ key: ThumbnailKey, _ picture: TaskPicture) -> StageOutcome<ThumbnailWork> {
        galleries.content(serial: key.content)?.learn(
            key.item, of: picture.item, width: thumbnail.sourceWidth, height: thumbnail.sourceHeight)
        previews?.memory.remove(KnownItems.Item(content: key.content, index: key.item))
        return .ready(.thumbnail(thumbnail))
    }

    /// Not to be tried again for so long.
    ///
    /// - Parameter sizeClass: of the sizes that it is about; `nil` for all.
    func remember(_ failure: ItemFailure, of picture: TaskPicture, at sizeClass: Int? = nil, seconds: Double) {
        failures.note(picture.content, at: sizeClass, failure, for: seconds * 1e3, now: now)
        share(failure, of: picture, seconds: seconds)
    }

    /// Not to be tried again at such sizes for a while, the longer the more often it took too long.
    func rememberTimeout(_ failure: ItemFailure, of picture: TaskPicture) -> ItemFailure {
        let milliseconds = failures.noteTimeout(picture.content, at: picture.sizeClass, failure, now: now)
        share(failure, of: picture, seconds: milliseconds / 1e3)
        return failure.retried(afterMilliseconds: milliseconds)
    }

    private func share(_ failure: ItemFailure, of picture: TaskPicture, seconds: Double) {
        let shared = SharedFailure(reason: failure.reason, isRetryable: failure.retryable)
        sharing?.save(.failure(shared, seconds: seconds), of: picture)
    }

    /// Lets a picture that is remembered as missing or broken be tried again, when it is looked for next.
    func forgetFailure(of key: ThumbnailKey) {
        forgiven.withLock { $0.insert(true, for: key) }
    }

    /// A file of a folder, as far as a thumbnail of this size needs it.
    func contents(of path: String, in root: FolderRoot, for size: ThumbnailSize) async throws(ItemFailure) -> [UInt8] {
        try await blocking(in: root) { [limits] () throws(ItemFailure) in
            try PictureFile.read(path, in: root, for: size, limits: limits)
        }
    }

    /// Runs file access on a thread that may block.
    func blocking<Value: Sendable>(
        in root: FolderRoot, on threads: FolderThreads? = nil,
        _ work: @escaping @Sendable () throws(ItemFailure) -> Value
    ) async throws(ItemFailure) -> Value {
        let result: Result<Value, ItemFailure>
        do throws(BlockingThreads.Refusal) {
            result = try await (threads ?? files).threads(for: root).run { Result(catching: work) }
        } catch {
            switch error {
            case .hangs: throw .doesNotAnswer(root)
            case .busy: throw ItemFailure(reason: "too many files are being read", retryable: true)
            case .cancelled, .shutDown: throw ItemFailure(reason: "the server is stopping", retryable: true)
            }
        }
        return try result.get()
    }

    func giveUpOnFolders(at now: Int64) {
        looks.giveUp(at: now)
        files.giveUp(at: now)
        previews?.giveUpOnFolders(at: now)
    }

    /// Reads no more files.
    func shutdown() {
        looks.shutdown()
        files.shutdown()
        previews?.shutdown()
    }

    var now: Double { stopwatch.milliseconds }

    private func item(of key: ThumbnailKey) throws(ItemFailure) -> (item: Item, isCold: Bool) {
        guard let content = galleries.content(serial: key.content), let item = content.item(key.item) else {
            throw ItemFailure(reason: "the gallery no longer exists", retryable: false)
        }
        return (item, content.isCold)
    }

    /// The picture that a key names. Looks at its file where it is in a folder.
    package func picture(of key: ThumbnailKey) throws(ItemFailure) -> TaskPicture {
        try TaskPicture(item(of: key).item, size: key.size)
    }
}
