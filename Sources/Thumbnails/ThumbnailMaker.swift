import BoundedCache
import Catalog
import Cluster
import Fetch
import Glibc
import Media
import Store
import Synchronization
import TaskPool
import Threads

/// Makes thumbnails. ``make(_:in:)`` shows all steps of one thumbnail, from top to bottom.
///
/// Before that, ``lookUp(_:onResult:)`` finds thumbnails in memory or in the store, many at a time.
package final class ThumbnailMaker: ProductMaker {
    package typealias Key = ThumbnailKey
    package typealias Product = Thumbnail
    package typealias Slot = PoolSlot<ThumbnailMaker>

    let transfers: TransferMeter
    let settings: PictureMemorySettings
    let limits: RenderLimits
    let items: any ThumbnailItems
    /// Reader of the previews in large files, or `nil` if previews are off.
    package let previews: PreviewReader?
    /// The thumbnails shared with other nodes, or `nil` if there are no other nodes.
    let sharing: Sharing?
    /// The work of other nodes, or `nil` if there are no other nodes.
    private let nodes: OtherNodes?
    let downloads: PictureDownloads
    private let store: ThumbnailStore
    private let renderer: Renderer
    private let failures: PictureFailures
    /// Threads that read file status. This is quick, unless a folder does not respond.
    package let statThreads = FolderThreads(
        "look", patience: .seconds(20), count: 4, limit: 4096, niceness: Niceness.pool)
    let files: FolderThreads
    private let retryStates = Mutex(BoundedCache<ThumbnailKey, RetryState>(limit: 16_384))
    package let unrendered: UnrenderedPictures
    /// Longer side of the smaller tier, in pixels. 0 for no smaller tier.
    private let smallSide: Int

    /// State of a thumbnail between its look-up and its making.
    private struct RetryState: Sendable {
        /// Whether a person requested a retry after a failure.
        var retryRequested = false
        /// Whether the store has a thumbnail whose picture may have changed at its origin.
        var isStale = false
    }

    package init(
        items: any ThumbnailItems, store: ThumbnailStore, fetcher: any Fetcher, renderer: Renderer,
        transfers: TransferMeter, settings: PictureMemorySettings = PictureMemorySettings(), smallSide: Int = 0,
        previews: PreviewReader? = nil, sharing: Sharing? = nil,
        files: FolderThreads = FolderThreads(
            "file", patience: .seconds(60), count: 8, limit: 4096, niceness: Niceness.pool)
    ) {
        self.items = items
        self.store = store
        self.renderer = renderer
        self.transfers = transfers
        self.settings = settings
        self.smallSide = smallSide
        self.files = files
        self.previews = previews
        self.sharing = sharing
        limits = renderer.pool.configuration.limits
        downloads = PictureDownloads(
            fetcher, transfers: transfers, limits: limits, earlyStopSaving: settings.earlyStopSaving, previews: previews
        )
        unrendered = UnrenderedPictures(limit: settings.unrenderedMemory)
        failures = PictureFailures(settings, unrendered: unrendered, sharing: sharing)
        nodes = sharing.map { [store, failures] in
            OtherNodes($0, store: store, failures: failures)
        }
    }

    // MARK: Making a thumbnail

    package func make(_ key: ThumbnailKey, in slot: inout Slot) async throws -> Thumbnail {
        Niceness.raise(to: Niceness.pool)
        var picture = try await look(at: key)
        let retryState = retryStates.withLock { $0.remove(key) } ?? RetryState()
        picture.retryRequested = retryState.retryRequested
        let known = retryState.isStale ? await stored(picture) : nil

        // Show the stored thumbnail while the origin is asked whether it is current.
        if slot.kind == .head, case .url = picture.item.locator {
            try await slot.take(.fetch, showing: known.map(picture.versioned))
        }
        var source = try await showPreview(key, &picture, in: &slot)
        if source == nil { source = try await fetch(key, &picture, knowing: known, in: &slot) }
        switch source {
        case .picture(let bytes)?:
            try await slot.take(.render, holding: bytes.bytes.count)
            Niceness.raise(to: Niceness.pool)
            let thumbnail = try await render(bytes, key, picture, in: &slot)
            return ready(thumbnail, key, picture)
        case .thumbnail(let thumbnail)?: return ready(thumbnail, key, picture)
        case nil: throw ItemFailure(reason: "no thumbnail was made", retryable: true)
        }
    }

    private enum Source {
        case picture(PictureBytes)
        /// A thumbnail that this or another node made before.
        case thumbnail(Thumbnail)
    }

    // MARK: Looking up

    package func lookUp(
        _ tickets: [Ticket<ThumbnailKey>], onResult: @escaping @Sendable ([LookedUp<ThumbnailKey, Thumbnail>]) -> Void
    ) async {
        Niceness.raise(to: Niceness.pool)
        var inFolders: [String: (root: FolderRoot, found: [Found])] = [:]
        var elsewhere: [Found] = []
        var lost: [LookedUp<ThumbnailKey, Thumbnail>] = []
        for ticket in tickets {
            do throws(ItemFailure) {
                let (item, isCold) = try item(of: ticket.key)
                let found = Found(ticket: ticket, item: item, isCold: isCold)
                if case .file(_, let root) = item.locator {
                    inFolders[root.path, default: (root, [])].found.append(found)
                } else {
                    elsewhere.append(found)
                }
            } catch {
                lost.append(LookedUp(ticket, .failed(error)))
            }
        }
        if !lost.isEmpty { onResult(lost) }
        // A folder that does not respond delays only its own pictures.
        await withDiscardingTaskGroup { [elsewhere, inFolders] group in
            for (root, found) in inFolders.values {
                group.addTask { onResult(await self.lookUp(found, in: root)) }
            }
            if !elsewhere.isEmpty { onResult(await lookUp(elsewhere, in: nil)) }
        }
    }

    private struct Found: Sendable {
        var ticket: Ticket<ThumbnailKey>
        var item: Item
        var isCold: Bool
    }

    /// - Parameter root: The folder of all of `found`, or `nil` if they are in no folder.
    private func lookUp(_ found: [Found], in root: FolderRoot?) async -> [LookedUp<ThumbnailKey, Thumbnail>] {
        @Sendable func look() -> [Result<TaskPicture, ItemFailure>] {
            found.map { one in
                Result { () throws(ItemFailure) in
                    try TaskPicture(one.item, size: one.ticket.key.size, isCold: one.isCold)
                }
            }
        }
        let pictures: [Result<TaskPicture, ItemFailure>]
        if let root {
            do throws(ItemFailure) {
                pictures = try await statThreads.run(in: root) { look() }
            } catch {
                return found.map { LookedUp($0.ticket, .failed(error)) }
            }
        } else {
            pictures = look()
        }
        let known = await store.thumbnails(pictures.compactMap { try? $0.get().storeKey })
        var lookedUp: [LookedUp<ThumbnailKey, Thumbnail>] = []
        for (one, picture) in zip(found, pictures) {
            do throws(ItemFailure) {
                let picture = try picture.get()
                let thumbnail = picture.storeKey.flatMap { known[$0] }
                lookedUp.append(LookedUp(one.ticket, try await judge(one.ticket, picture, knowing: thumbnail)))
            } catch {
                lookedUp.append(LookedUp(one.ticket, .failed(error)))
            }
        }
        return lookedUp
    }

    /// - Parameter known: The stored thumbnail, if any.
    private func judge(
        _ ticket: Ticket<ThumbnailKey>, _ picture: TaskPicture, knowing known: Thumbnail?
    ) async throws(ItemFailure) -> LookedUp<ThumbnailKey, Thumbnail>.Outcome {
        let key = ticket.key
        var picture = picture
        picture.retryRequested = retryStates.withLock { $0[key]?.retryRequested } ?? false
        if picture.retryRequested { failures.forgive(picture) }
        let isStale = known.map(isStale) ?? false
        if let known, !isStale { return .found(ready(known, key, picture)) }
        if known == nil, !PictureKind.video.isBuiltIn, picture.item.isVideo { throw .videoWithoutPicture }
        if known == nil, let failure = failures.known(of: picture) { throw failure }
        // The host is paused here, but other nodes may have the thumbnail.
        if let sharing, sharing.hostPaused(host: ticket.host),
            let thumbnail = try await nodes?.made(ticket, picture, knowing: known)
        {
            return .found(ready(thumbnail, key, picture))
        }
        guard isStale else { return .absent(first: firstSlot(for: picture)) }
        retryStates.withLock { $0.insert(RetryState(retryRequested: picture.retryRequested, isStale: true), for: key) }
        // A task that begins in this slot can show the stored thumbnail.
        return .absent(first: .head)
    }

    /// Returns the first slot for a picture whose thumbnail is not in the store.
    private func firstSlot(for picture: TaskPicture) -> SlotKind {
        switch choice(for: picture) {
        case .whole: .fetch
        case .preview: .head
        case .beginning: .remoteHead
        }
    }

    package func choice(for picture: TaskPicture) -> PreviewChoice {
        guard let previews else { return .whole }
        switch picture.item.locator {
        case .file: return .file(bytes: picture.bytes)
        case .url(let url):
            return .url(
                from: previews.remoteFiles.withLock { $0[Authority.name(in: url)] },
                isHere: picture.storeKey.map(unrendered.holds) ?? false, hasTimedOut: failures.hasTimedOut(picture),
                isShared: sharing != nil)
        }
    }

    private func isStale(_ thumbnail: Thumbnail) -> Bool {
        thumbnail.version?.isStale(at: UnixTime.now, standard: settings.revalidateAfter) ?? false
    }

    private func stored(_ picture: TaskPicture) async -> Thumbnail? {
        guard let storeKey = picture.storeKey else { return nil }
        return await store.thumbnail(storeKey)
    }

    private func item(of key: ThumbnailKey) throws(ItemFailure) -> (item: Item, isCold: Bool) {
        guard let found = items.item(of: key) else {
            throw ItemFailure(reason: "the gallery no longer exists", retryable: false)
        }
        return found
    }

    /// Returns the picture of a key. If it is in a folder, reads the file's status on the calling thread.
    package func picture(of key: ThumbnailKey) throws(ItemFailure) -> TaskPicture {
        let (item, isCold) = try item(of: key)
        return try TaskPicture(item, size: key.size, isCold: isCold)
    }

    private func look(at key: ThumbnailKey) async throws(ItemFailure) -> TaskPicture {
        let (item, isCold) = try item(of: key)
        guard case .file(_, let root) = item.locator else {
            return try TaskPicture(item, size: key.size, isCold: isCold)
        }
        return try await statThreads.run(in: root) { () throws(ItemFailure) in
            try TaskPicture(item, size: key.size, isCold: isCold)
        }
    }

    // MARK: Previews

    /// Shows the preview in the beginning of a large picture, if it has one, and takes a slot for the whole picture. Does nothing in
    /// a slot of another kind.
    ///
    /// - Returns: the picture if it was downloaded whole, a thumbnail if there is a current one, or `nil` if a fetch is needed.
    private func showPreview(
        _ key: ThumbnailKey, _ picture: inout TaskPicture, in slot: inout Slot
    ) async throws -> Source? {
        guard slot.kind < .fetch, let previews else { return nil }
        let item = KnownItems.Item(content: key.content, index: key.item)
        if let known = previews.memory[item] {
            if slot.kind == .remoteHead { picture.begun = JPEGHead.length }
            try await slot.take(.fetch, showing: known)
            return nil
        }
        switch picture.item.locator {
        case .file(let path, let root):
            let began = transfers.now
            let preview = await previews.preview(in: path, of: root).map(picture.versioned)
            // If the file is broken, reading the whole file reports the error.
            if preview == nil { try Task.checkCancellation() }
            if let preview {
                transfers.previewed(in: transfers.now - began, for: key)
                previews.memory.keep(preview, of: item)
                learn(preview.sourceWidth, preview.sourceHeight, of: picture, key)
            }
            try await slot.take(.fetch, showing: preview)
            return nil
        case .url(let url): return try await showPreview(at: url, key, &picture, previews, in: &slot)
        }
    }

    private func showPreview(
        at url: String, _ key: ThumbnailKey, _ picture: inout TaskPicture, _ previews: PreviewReader,
        in slot: inout Slot
    ) async throws -> Source? {
        while true {
            if let thumbnail = try await nodes?.made(slot.ticket, picture, knowing: nil), !isStale(thumbnail) {
                return .thumbnail(thumbnail)
            }
            if let bytes = unrenderedBytes(of: picture) { return .picture(bytes) }
            // Other downloads may have shown since the look-up how the host's files are.
            let beginning = choice(for: picture).beginning
            if beginning == nil, sharing != nil { break }
            try requireBudget(of: picture, key)
            let outcome: PictureDownloads.Outcome
            do throws(PictureDownloads.Failure) {
                outcome = try await download(url, key, picture, beginning: beginning, in: &slot)
            } catch {
                if error.error == .cancelled { throw CancellationError() }
                // The host may handle range requests badly, so request the whole picture before the picture fails.
                if beginning?.requestsRange == true, error.report?.outcome != .timedOut { break }
                try await slot.tryAgain(after: failures.take(error.error, of: picture))
                continue
            }
            switch outcome {
            case .picture(let bytes): return .picture(bytes)
            case .unchanged(let thumbnail): return .thumbnail(thumbnail)
            case .beginning(let response):
                picture.begun = response.body.count
                let preview = try await preview(in: response, url, key, picture, previews)
                try await slot.take(.fetch, showing: preview)
                return nil
            }
        }
        try await slot.take(.fetch)
        return nil
    }

    private func preview(
        in response: FetchResponse, _ url: String, _ key: ThumbnailKey, _ picture: TaskPicture,
        _ previews: PreviewReader
    ) async throws -> Thumbnail? {
        let began = transfers.now
        let found = await previews.preview(inBeginning: response.body)
        let preview = found?.thumbnail.map(picture.versioned)
        if preview == nil { try Task.checkCancellation() }
        previews.remoteFiles.withLock {
            $0.came(
                from: Authority.name(in: url), size: response.announced ?? response.body.count,
                hasPreview: preview != nil)
        }
        if let found, found.width > 0, found.height > 0 { learn(found.width, found.height, of: picture, key) }
        guard let preview else { return nil }
        transfers.previewed(
            in: transfers.now - began + response.total, downloading: response.body.count, for: key)
        previews.memory.keep(preview, of: KnownItems.Item(content: key.content, index: key.item))
        return preview
    }

    // MARK: Fetching

    /// Reads a picture from its folder or downloads it, unless another node has its thumbnail or is making it.
    ///
    /// - Parameter known: A thumbnail that may be stale.
    private func fetch(
        _ key: ThumbnailKey, _ picture: inout TaskPicture, knowing known: Thumbnail?, in slot: inout Slot
    ) async throws -> Source {
        let other = nodes.map { _ in OtherNode() }
        var known = known
        var hasTaken = false
        while true {
            if let nodes, let other,
                let thumbnail = try await nodes.lead(&picture, knowing: known, other, in: &slot)
            {
                // Download again at most once, because the clocks of nodes differ.
                if hasTaken || !isStale(thumbnail) { return .thumbnail(thumbnail) }
                (known, hasTaken) = (thumbnail, true)
                continue
            }
            switch picture.item.locator {
            case .file(let path, let root):
                return .picture(PictureBytes(bytes: try await read(path, in: root, key)))
            case .url(let url):
                if known == nil, let bytes = unrenderedBytes(of: picture) { return .picture(bytes) }
                try requireBudget(of: picture, key)
                do throws(PictureDownloads.Failure) {
                    switch try await download(url, key, picture, unlessStill: known, in: &slot) {
                    case .picture(let bytes): return .picture(bytes)
                    case .unchanged(let thumbnail):
                        keep(thumbnail, of: picture)
                        return .thumbnail(thumbnail)
                    case .beginning: throw PictureDownloads.Failure(error: .transport("only the beginning arrived"))
                    }
                } catch {
                    if error.error == .cancelled { throw CancellationError() }
                    let failure = failures.take(error.error, of: picture, knowing: known)
                    // Another node may have the thumbnail before the next try.
                    picture.want?.release()
                    // The stored thumbnail is better than none, unless the origin says that the picture is gone.
                    if let known, error.report?.outcome != .gone { return .thumbnail(known) }
                    try await slot.tryAgain(after: failure)
                }
            }
        }
    }

    private func read(_ path: String, in root: FolderRoot, _ key: ThumbnailKey) async throws(ItemFailure) -> [UInt8] {
        transfers.begin(key)
        var completed = false
        defer { transfers.end(key, completed: completed) }
        let bytes = try await contents(of: path, in: root, for: key.size)
        transfers.received(bytes.count, of: key)
        completed = true
        return bytes
    }

    /// Returns as much of a folder's file as a thumbnail of this size needs.
    package func contents(of path: String, in root: FolderRoot, for size: ThumbnailSize) async throws(ItemFailure)
        -> [UInt8]
    {
        try await files.run(in: root) { [renderer] () throws(ItemFailure) in
            try PictureFile.read(path, in: root, for: size, workers: renderer.pool)
        }
    }

    /// Makes one try at a download and reports it to the pool.
    private func download(
        _ url: String, _ key: ThumbnailKey, _ picture: TaskPicture, unlessStill known: Thumbnail? = nil,
        beginning: FetchRequest.Beginning? = nil, in slot: inout Slot
    ) async throws(PictureDownloads.Failure) -> PictureDownloads.Outcome {
        do throws(PictureDownloads.Failure) {
            let (outcome, report) = try await downloads.download(
                url, for: key, holding: picture.begun, unlessStill: known, beginning: beginning)
            slot.fetched(report)
            if case .picture(let bytes) = outcome, let storeKey = picture.storeKey {
                unrendered.keep(bytes, for: storeKey)
            }
            return outcome
        } catch {
            if let report = error.report { slot.fetched(report) }
            throw error
        }
    }

    /// Downloaded bytes after which a cold session starts no more downloads.
    private static let coldBytes = 128 << 20

    /// Throws if a cold session has reached its download limit.
    private func requireBudget(of picture: TaskPicture, _ key: ThumbnailKey) throws(ItemFailure) {
        guard picture.storeKey == nil, let bytes = transfers.settledBytes(of: key.content), bytes >= Self.coldBytes
        else { return }
        throw ItemFailure(
            reason: "the cold session reached its download limit of \(Self.coldBytes >> 20) MB", retryable: false)
    }

    /// Returns the bytes of a picture that was downloaded before but not rendered.
    private func unrenderedBytes(of picture: TaskPicture) -> PictureBytes? {
        picture.storeKey.flatMap(unrendered.picture)
    }

    // MARK: Rendering and storing

    private func render(
        _ source: PictureBytes, _ key: ThumbnailKey, _ picture: TaskPicture, in slot: inout Slot
    ) async throws(ItemFailure) -> Thumbnail {
        do throws(RenderError) {
            var began = transfers.now
            var thumbnail = try await renderer.render(
                source.bytes, size: key.size,
                options: RenderOptions(smallSide: smallSide, acceptsPartial: source.isPartial)
            ) { () throws(CancellationError) in
                // A large picture that waits for its turn must not keep the slot of a small one.
                try await slot.take(.largeRender, holding: source.bytes.count)
                began = transfers.now
            }
            transfers.worked(transfers.now - began, for: key)
            if let storeKey = picture.storeKey { unrendered.remove(storeKey) }
            failures.succeeded(picture)
            thumbnail.version = source.version
            if case .url(let url) = picture.item.locator {
                previews?.remoteFiles.withLock {
                    $0.rendered(
                        from: Authority.name(in: url), size: source.bytes.count, hasPreview: thumbnail.hasPreview)
                }
            }
            keep(thumbnail, of: picture)
            return thumbnail
        } catch {
            throw failures.take(error, of: picture)
        }
    }

    /// Stores a thumbnail and shares it with other nodes, unless its picture has no store key.
    private func keep(_ thumbnail: Thumbnail, of picture: TaskPicture) {
        guard let storeKey = picture.storeKey else { return }
        store.save(thumbnail, as: storeKey)
        sharing?.save(.thumbnail(thumbnail), of: picture)
    }

    private func ready(_ thumbnail: Thumbnail, _ key: ThumbnailKey, _ picture: TaskPicture) -> Thumbnail {
        learn(thumbnail.sourceWidth, thumbnail.sourceHeight, of: picture, key)
        previews?.memory.remove(KnownItems.Item(content: key.content, index: key.item))
        return picture.versioned(thumbnail)
    }

    private func learn(_ width: Int, _ height: Int, of picture: TaskPicture, _ key: ThumbnailKey) {
        items.learn(key, of: picture.item, width: width, height: height)
    }

    /// Allows a retry of a picture whose failure is remembered, at the next look-up.
    func forgetFailure(of key: ThumbnailKey) {
        retryStates.withLock { $0.insert(RetryState(retryRequested: true), for: key) }
    }

    // MARK: Files

    package var originals: OriginalReader {
        OriginalReader(files: files, fetcher: downloads.fetcher, workers: renderer.pool)
    }

    func giveUpOnFolders(at now: ContinuousClock.Instant) {
        statThreads.giveUp(at: now)
        files.giveUp(at: now)
        previews?.giveUpOnFolders(at: now)
    }

    func shutdown() {
        statThreads.shutdown()
        files.shutdown()
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
