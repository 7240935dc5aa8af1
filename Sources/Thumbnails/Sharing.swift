import Cluster
import Fetch
import Media
import Numbers
import Store
import Synchronization
import TaskPool

/// Keeps local tasks alive while other nodes wait for their results.
package final class Sharing: Sendable {
    private struct Pool: Sendable {
        weak var pool: TaskPool<ThumbnailMaker>?
        /// Session that wants pictures for other nodes.
        var session = SessionID(0)
        /// Wants for other nodes, in the order in which they were added.
        var wants: [PoolWant<ThumbnailKey>] = []
    }

    let thumbnails: SharedThumbnails
    private let pool = Mutex(Pool())

    package init(_ thumbnails: SharedThumbnails) { self.thumbnails = thumbnails }

    /// Number of pictures wanted for other nodes now.
    package var heldCount: Int { pool.withLock { $0.wants.count } }

    /// - Parameter session: The pool session for wants of other nodes.
    func begin(for pool: TaskPool<ThumbnailMaker>, as session: SessionID) {
        self.pool.withLock { $0 = Pool(pool: pool, session: session) }
    }

    /// Whether this node has paused a host. `host` is the host's number in the pool.
    func hostPaused(host: Int) -> Bool { pool.withLock { $0.pool }?.fetchLimit(host: host) == 0 }

    /// - Parameter wake: Called when the other node's result has arrived.
    func claim(
        _ storeKey: String, _ ticket: Ticket<ThumbnailKey>, newerThan: Double, forgives: Bool, host: String?,
        wake: @escaping @Sendable () -> Void = {}
    ) -> SharedThumbnails.Claim {
        SharedThumbnails.Claim(
            storeKey: storeKey, newerThan: newerThan, forgives: forgives, host: host, wake: wake
        ) { [weak self] isHeld in
            self?.hold(PoolWant(key: ticket.key, host: ticket.host, visible: false), isHeld)
        }
    }

    /// Adds or removes a want for other nodes. While it exists, the task continues, least urgent, even if no local session wants it.
    private func hold(_ want: PoolWant<ThumbnailKey>, _ isHeld: Bool) {
        pool.withLock { state in
            state.wants.removeAll { $0.key == want.key }
            if isHeld { state.wants.append(want) }
            state.pool?.want(state.wants, session: state.session)
        }
    }

    /// Shares a task's result, with or without the lease. Returns immediately.
    func save(_ result: SharedThumbnails.Result, of picture: TaskPicture) {
        if let want = picture.want {
            want.finish(result)
        } else if let storeKey = picture.storeKey {
            thumbnails.publish(result, of: storeKey)
        }
    }
}

/// The other nodes, for one picture: results they have, and which node makes the thumbnail.
struct OtherNodes: Sendable {
    private let sharing: Sharing
    private let store: ThumbnailStore
    private let failures: PictureFailures

    init(_ sharing: Sharing, store: ThumbnailStore, failures: PictureFailures) {
        self.sharing = sharing
        self.store = store
        self.failures = failures
    }

    /// Returns another node's result for a picture, without requesting the right to fetch the picture.
    func made(
        _ ticket: Ticket<ThumbnailKey>, _ picture: TaskPicture, knowing known: Thumbnail?
    ) async throws(ItemFailure) -> Thumbnail? {
        guard let storeKey = picture.storeKey else { return nil }
        let claim = sharing.claim(
            storeKey, ticket, newerThan: newest(of: picture, knowing: known), forgives: picture.retryRequested,
            host: picture.item.locator.host)
        switch await sharing.thumbnails.look(claim) {
        case .thumbnail(let thumbnail)?: return take(thumbnail, picture)
        case .failure(let failure, let milliseconds)?: throw failures.take(failure, of: picture, for: milliseconds)
        default: return nil
        }
    }

    /// Waits for the right to make a thumbnail. One node has this right at a time.
    ///
    /// - Returns: the thumbnail, if another node has made it. It may be stale. `nil` if this node shall make the thumbnail.
    func lead(
        _ picture: inout TaskPicture, knowing known: Thumbnail?, _ other: OtherNode,
        in slot: inout PoolSlot<ThumbnailMaker>
    ) async throws -> Thumbnail? {
        guard let storeKey = picture.storeKey else { return nil }
        while true {
            let result =
                if let want = picture.want {
                    await sharing.thumbnails.claim(again: want)
                } else {
                    await sharing.thumbnails.claim(
                        sharing.claim(
                            storeKey, slot.ticket, newerThan: newest(of: picture, knowing: known),
                            forgives: picture.retryRequested, host: picture.item.locator.host, wake: other.isDone))
                }
            // Dropping the claim's result releases any lease or place it holds.
            try Task.checkCancellation()
            switch result {
            case .thumbnail(let thumbnail):
                picture.want = nil
                return take(thumbnail, picture)
            case .failure(let failure, let milliseconds): throw failures.take(failure, of: picture, for: milliseconds)
            case .hostPaused(let milliseconds):
                picture.want = nil
                slot.fetched(FetchReport(.pausedElsewhere, retryAfter: milliseconds))
                try await slot.giveBack {}
            case .wait(let want, let milliseconds):
                picture.want = want
                try await slot.giveBack { await other.wait(upTo: milliseconds) }
            case .lead(let want):
                picture.want = want
                return nil
            case .alone:
                picture.want = nil
                return nil
            }
        }
    }

    private func take(_ thumbnail: Thumbnail, _ picture: TaskPicture) -> Thumbnail {
        var thumbnail = thumbnail
        // Another node's clock may be ahead, so limit the time to this node's present.
        if let confirmed = thumbnail.version?.confirmed { thumbnail.version?.confirmed = min(confirmed, UnixTime.now) }
        if let storeKey = picture.storeKey { store.save(thumbnail, as: storeKey) }
        return thumbnail
    }

    /// Time of the known thumbnail, in seconds since 1970. Another node's thumbnail must be newer.
    private func newest(of picture: TaskPicture, knowing known: Thumbnail?) -> Double {
        guard case .url = picture.item.locator else { return -1 }
        return known?.version?.confirmed ?? -1
    }
}

/// Another node that is making a thumbnail. A task on this node waits for it.
final class OtherNode: Sendable {
    private let news: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init() { (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Call this when the other node is done, from any thread. Never waits.
    var isDone: @Sendable () -> Void { { [bell] in bell.yield() } }

    /// Waits until the other node is done, `milliseconds` have passed, or the task is cancelled. A call of `isDone` before the wait
    /// counts.
    func wait(upTo milliseconds: Double) async {
        let alarm = Task { [bell] in
            if (try? await Task.sleep(for: Duration(clampingMilliseconds: milliseconds))) != nil { bell.yield() }
        }
        for await _ in news { break }
        alarm.cancel()
    }
}

extension Locator {
    /// Host name and port of a URL, or `nil` for a file.
    package var host: String? { if case .url(let url) = self { Authority.name(in: url) } else { nil } }
}
