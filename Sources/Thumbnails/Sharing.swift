import Cluster
import Numbers
import Pictures
import Store
import Synchronization
import TaskPool

/// Ties what nodes share to this node's pool, which wants for other nodes what they wait for.
package final class Sharing: Sendable {
    private struct Pool: Sendable {
        weak var pool: TaskPool<ThumbnailMaker>?
        /// Wants for others.
        var session = SessionID(0)
        /// In the order in which they came.
        var wants: [PoolWant<ThumbnailKey>] = []
    }

    let thumbnails: SharedThumbnails
    private let pool = Mutex(Pool())

    package init(_ thumbnails: SharedThumbnails) { self.thumbnails = thumbnails }

    /// The pictures wanted for other nodes now.
    package var heldCount: Int { pool.withLock { $0.wants.count } }

    /// - Parameter session: of the pool, for what other nodes wait for.
    func begin(for pool: TaskPool<ThumbnailMaker>, as session: SessionID) {
        self.pool.withLock { $0 = Pool(pool: pool, session: session) }
    }

    /// Whether a host rests here, by its number in the pool.
    func rests(host: Int) -> Bool { pool.withLock { $0.pool }?.fetchLimit(host: host) == 0 }

    /// - Parameter wake: called when what is waited for has come.
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

    /// Keeps a want while others wait, so that the task goes on, least urgent, when all sessions here let go.
    private func hold(_ want: PoolWant<ThumbnailKey>, _ isHeld: Bool) {
        pool.withLock { state in
            state.wants.removeAll { $0.key == want.key }
            if isHeld { state.wants.append(want) }
            state.pool?.want(state.wants, session: state.session)
        }
    }

    /// Shares a task's result, with or without the lease. Returns at once.
    func save(_ result: SharedThumbnails.Result, of picture: TaskPicture) {
        if let want = picture.want {
            want.finish(result)
        } else if let storeKey = picture.storeKey {
            thumbnails.publish(result, of: storeKey)
        }
    }
}

/// The other nodes, for one picture: what they have made, and which of them makes it.
struct OtherNodes: Sendable {
    private let sharing: Sharing
    private let store: ThumbnailStore
    private let failures: PictureFailures

    init(_ sharing: Sharing, store: ThumbnailStore, failures: PictureFailures) {
        self.sharing = sharing
        self.store = store
        self.failures = failures
    }

    /// Other nodes' result for a picture, without asking for the right to fetch it.
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

    /// Waits for the right to make a thumbnail, which one node has at a time.
    ///
    /// - Returns: the thumbnail, if another node has made it. It may be stale.
    func lead(
        _ picture: inout TaskPicture, knowing known: Thumbnail?, _ other: OtherNode,
        in slot: inout PoolSlot<ThumbnailMaker>
    ) async throws -> Thumbnail? {
        guard let storeKey = picture.storeKey else { return nil }
        while true {
            let answer =
                if let want = picture.want {
                    await sharing.thumbnails.claim(again: want)
                } else {
                    await sharing.thumbnails.claim(
                        sharing.claim(
                            storeKey, slot.ticket, newerThan: newest(of: picture, knowing: known),
                            forgives: picture.retryRequested, host: picture.item.locator.host, wake: other.isDone))
                }
            // Dropping the answer releases what it holds.
            try Task.checkCancellation()
            switch answer {
            case .thumbnail(let thumbnail):
                picture.want = nil
                return take(thumbnail, picture)
            case .failure(let failure, let milliseconds): throw failures.take(failure, of: picture, for: milliseconds)
            case .rests(let milliseconds):
                picture.want = nil
                slot.fetched(FetchReport(.restsElsewhere, retryAfter: milliseconds))
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

    /// Keeps another node's thumbnail as if it were this one's.
    private func take(_ thumbnail: Thumbnail, _ picture: TaskPicture) -> Thumbnail {
        var thumbnail = thumbnail
        // Another node's clock may be ahead; this one's never takes a thumbnail for one of the future.
        if let confirmed = thumbnail.version?.confirmed { thumbnail.version?.confirmed = min(confirmed, UnixTime.now) }
        if let storeKey = picture.storeKey { store.save(thumbnail, as: storeKey) }
        return thumbnail
    }

    /// Another node's thumbnail must be newer than this, in seconds since 1970.
    private func newest(of picture: TaskPicture, knowing known: Thumbnail?) -> Double {
        guard case .url = picture.item.locator else { return -1 }
        return known?.version?.confirmed ?? -1
    }
}

/// Another node that makes a thumbnail, for a task that waits for it.
final class OtherNode: Sendable {
    private let news: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

    init() { (news, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// To be called when it is done, from any thread. Never waits.
    var isDone: @Sendable () -> Void { { [bell] in bell.yield() } }

    /// Returns when it is done, after so many milliseconds, or when the task is cancelled. What was said before counts.
    func wait(upTo milliseconds: Double) async {
        let alarm = Task { [bell] in
            if (try? await Task.sleep(for: Duration(clampingMilliseconds: milliseconds))) != nil { bell.yield() }
        }
        for await _ in news { break }
        alarm.cancel()
    }
}
