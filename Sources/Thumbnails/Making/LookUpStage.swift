import BoundedCache
import Catalog
import Cluster
import Fetch
import Media
import Store
import Synchronization
import TaskPool

/// The first stage of a thumbnail: looks for it in memory, in the store and on other nodes, and decides what to get first if it is nowhere.
final class LookUpStage: Sendable {
    /// State of a thumbnail between its look-up and its making.
    private struct RetryState: Sendable {
        /// Whether a person requested a retry after a failure.
        var retryRequested = false
        /// Whether the store has a thumbnail whose picture may have changed at its origin.
        var isStale = false
    }

    private let services: MakerServices
    private let keeping: KeepStage
    private let retryStates = Mutex(BoundedCache<ThumbnailKey, RetryState>(limit: 16_384))

    init(_ services: MakerServices, keeping: KeepStage) {
        self.services = services
        self.keeping = keeping
    }

    func lookUp(
        _ tickets: [Ticket<ThumbnailKey>], onResult: @escaping @Sendable ([LookedUp<ThumbnailKey, Thumbnail>]) -> Void
    ) async {
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
                pictures = try await services.statThreads.run(in: root) { look() }
            } catch {
                return found.map { LookedUp($0.ticket, .failed(error)) }
            }
        } else {
            pictures = look()
        }
        let known = await services.store.thumbnails(pictures.compactMap { try? $0.get().storeKey })
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
        if picture.retryRequested { services.failures.forgive(picture) }
        let isStale = known.map(services.isStale) ?? false
        if let known, !isStale { return .found(keeping.finish(known, key, picture)) }
        if known == nil, !PictureKind.video.isBuiltIn, picture.item.isVideo { throw .videoWithoutPicture }
        if known == nil, let failure = services.failures.known(of: picture) { throw failure }
        // The host is paused here, but other nodes may have the thumbnail.
        if let sharing = services.sharing, sharing.hostPaused(host: ticket.host),
            let thumbnail = try await services.nodes?.made(ticket, picture, knowing: known)
        {
            return .found(keeping.finish(thumbnail, key, picture))
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

    func choice(for picture: TaskPicture) -> PreviewChoice {
        guard let previews = services.previews else { return .whole }
        switch picture.item.locator {
        case .file: return .file(bytes: picture.bytes)
        case .url(let url):
            return .url(
                from: previews.remoteFiles.withLock { $0[Authority.name(in: url)] },
                isHere: picture.storeKey.map(services.unrendered.holds) ?? false,
                hasTimedOut: services.failures.hasTimedOut(picture),
                isShared: services.sharing != nil)
        }
    }

    /// Looks at the picture of a task that begins.
    ///
    /// - Returns: the picture, and its stored thumbnail if that is stale.
    func begin(_ key: ThumbnailKey) async throws(ItemFailure) -> (picture: TaskPicture, known: Thumbnail?) {
        var picture = try await look(at: key)
        let state = retryStates.withLock { $0.remove(key) } ?? RetryState()
        picture.retryRequested = state.retryRequested
        guard state.isStale, let storeKey = picture.storeKey else { return (picture, nil) }
        return (picture, await services.store.thumbnail(storeKey))
    }

    private func look(at key: ThumbnailKey) async throws(ItemFailure) -> TaskPicture {
        let (item, isCold) = try item(of: key)
        guard case .file(_, let root) = item.locator else {
            return try TaskPicture(item, size: key.size, isCold: isCold)
        }
        return try await services.statThreads.run(in: root) { () throws(ItemFailure) in
            try TaskPicture(item, size: key.size, isCold: isCold)
        }
    }

    /// Returns the picture of a key. If it is in a folder, reads the file's status on the calling thread.
    func picture(of key: ThumbnailKey) throws(ItemFailure) -> TaskPicture {
        let (item, isCold) = try item(of: key)
        return try TaskPicture(item, size: key.size, isCold: isCold)
    }

    private func item(of key: ThumbnailKey) throws(ItemFailure) -> (item: Item, isCold: Bool) {
        guard let found = services.items.item(of: key) else {
            throw ItemFailure(reason: "the gallery no longer exists", retryable: false)
        }
        return found
    }

    /// Allows a retry of a picture whose failure is remembered, at the next look-up.
    func allowRetry(of key: ThumbnailKey) {
        retryStates.withLock { $0.insert(RetryState(retryRequested: true), for: key) }
    }
}
