import Pipeline
import Shared
import Synchronization
import TaskPool

/// Ties what nodes share to this node's pool: wakes tasks that wait for another node, and wants for other nodes what they wait
/// for.
package final class Sharing: Sendable {
    private struct Pool: Sendable {
        weak var pool: TaskPool<ThumbnailRunner>?
        /// Wants for others.
        var session = SessionID(0)
        /// In the order in which they came.
        var wants: [PoolWant<ThumbnailKey>] = []
    }

    let thumbnails: SharedThumbnails
    private let pool = Mutex(Pool())

    package init(_ thumbnails: SharedThumbnails) { self.thumbnails = thumbnails }

    /// What is wanted for other nodes now.
    package var heldCount: Int { pool.withLock { $0.wants.count } }

    /// - Parameter session: of the pool, for what other nodes wait for.
    func begin(for pool: TaskPool<ThumbnailRunner>, as session: SessionID) {
        self.pool.withLock { $0 = Pool(pool: pool, session: session) }
    }

    /// Whether a host rests here, by its number in the pool.
    func rests(host: Int) -> Bool { pool.withLock { $0.pool }?.fetchLimit(host: host) == 0 }

    /// The thumbnails that nodes share.
    func claim(
        _ storeKey: String, _ ticket: Ticket<ThumbnailKey>, newerThan: Double, forgives: Bool, host: String?
    ) -> SharedThumbnails.Claim {
        SharedThumbnails.Claim(storeKey: storeKey, newerThan: newerThan, forgives: forgives, host: host) {
            [weak self] in
            self?.pool.withLock { $0.pool }?.goOn(with: ticket.key)
        } hold: { [weak self] isHeld in
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
