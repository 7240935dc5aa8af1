import Pipeline
import Shared
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

    /// What is wanted for other nodes now.
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
            if (try? await Task.sleep(for: .milliseconds(milliseconds))) != nil { bell.yield() }
        }
        for await _ in news { break }
        alarm.cancel()
    }
}
