import Catalog
import Cluster
import Synchronization
import Threads

/// Shares the galleries that are made through the API among servers: saves those made here, takes those made elsewhere, and
/// deletes them everywhere. While Redis is away this server goes on alone, and catches up when Redis is back.
package final class GallerySharing: Sendable {
    struct State {
        /// By server of Redis.
        var ledgers: [GalleryLedger]
        /// By server, whether it is being looked at, and whether it has changed meanwhile.
        var isBusy: [Bool]
        var isBehind: [Bool]
        /// By server, whether all it has was taken once.
        var isKnown: [Bool]
        /// By server, beats to wait before failed steps are tried again.
        var pause: [Int]
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let shared: SharedGalleries
    let galleries: GalleryList
    let limits: ListLimits
    let threads: BlockingThreads
    let onAdded: @Sendable (PictureGallery) -> Void
    let onRemoved: @Sendable (PictureGallery) -> Void
    let tell: @Sendable (String) -> Void
    let state: Mutex<State>
    /// Beats, a second each, after a failure.
    private static let pause = 5

    /// - Parameters:
    ///   - threads: for what takes long.
    ///   - onAdded: told of a gallery that another server made.
    ///   - onRemoved: told of a gallery that another server deleted.
    ///   - tell: hears what an operator should know.
    package init(
        _ shared: SharedGalleries, galleries: GalleryList, limits: ListLimits, threads: BlockingThreads,
        onAdded: @escaping @Sendable (PictureGallery) -> Void,
        onRemoved: @escaping @Sendable (PictureGallery) -> Void, tell: @escaping @Sendable (String) -> Void
    ) {
        self.shared = shared
        self.galleries = galleries
        self.limits = limits
        self.threads = threads
        (self.onAdded, self.onRemoved, self.tell) = (onAdded, onRemoved, tell)
        let count = shared.servers.count
        state = Mutex(
            State(
                ledgers: Array(repeating: GalleryLedger(), count: count),
                isBusy: Array(repeating: false, count: count), isBehind: Array(repeating: false, count: count),
                isKnown: Array(repeating: false, count: count), pause: Array(repeating: 0, count: count)))
        shared.watch { [weak self] server, revision in self?.heard(revision, of: server) }
    }

    /// Returns once all galleries were taken that Redis has, or after so long.
    package func start(within time: Duration) async {
        let limit = Task { [weak self] in
            // Cancelled once all were taken.
            guard (try? await Task.sleep(for: time)) != nil else { return }
            self?.begin()
        }
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.isKnown.allSatisfy(\.self) { return true }
                state.waiting.append(continuation)
                return false
            }
            if isDone { continuation.resume() }
        }
        limit.cancel()
    }

    private func begin() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    // MARK: Changes here

    /// Why a gallery of this id could not be kept for all servers; `nil` where it can be, or Redis is away.
    package func refusal(of id: String) async -> Problem? {
        let server = shared.server(of: id)
        guard let policy = await shared.evictingPolicy(server) else { return nil }
        return Problem(
            503,
            "The gallery cannot be saved for all servers: Redis at \(shared.servers[server]) may delete it when full "
                + "(maxmemory-policy \(policy)). Set its maxmemory-policy to volatile-lru.")
    }

    /// Saves a gallery that was made here; returns once the others can have it, or Redis does not answer.
    package func made(_ id: String) async {
        let server = shared.server(of: id)
        state.withLock { $0.ledgers[server].made(id) }
        // Where this fails it is tried again later.
        _ = await save(id, server)
    }

    /// Has a gallery that was deleted here deleted everywhere. Returns at once.
    package func deleted(_ id: String) {
        let server = shared.server(of: id)
        state.withLock { $0.ledgers[server].deleted(id) }
        Task { [weak self] in await self?.look(at: server) }
    }

    // MARK: Changes on other servers

    private func heard(_ revision: Int64, of server: Int) {
        let isDue = state.withLock { state in
            guard state.ledgers[server].isBehind(revision) else { return false }
            state.pause[server] -= 1
            return state.pause[server] < 0
        }
        if isDue { Task { [weak self] in await self?.look(at: server) } }
    }

    /// Does what is to be done with a server's galleries, one thing after the other.
    private func look(at server: Int) async {
        let isMine = state.withLock { state in
            state.isBehind[server] = state.isBusy[server]
            defer { state.isBusy[server] = true }
            return !state.isBusy[server]
        }
        guard isMine else { return }
        repeat {
            await takeSteps(server)
        } while state.withLock({ state in
            state.isBusy[server] = state.isBehind[server]
            defer { state.isBehind[server] = false }
            return state.isBusy[server]
        })
        if state.withLock({ $0.isKnown.allSatisfy(\.self) }) { begin() }
    }

    private func takeSteps(_ server: Int) async {
        guard let (revision, ids) = await shared.list(server) else { return }
        var isWhole = true
        for step in state.withLock({ $0.ledgers[server].steps(listed: ids, revision: revision) }) {
            let isDone =
                switch step {
                case .load(let id): await load(id, server)
                case .save(let id): await save(id, server)
                case .remove(let id): await remove(id, server)
                }
            isWhole = isWhole && isDone
        }
        state.withLock { state in
            state.isKnown[server] = true
            if isWhole { state.ledgers[server].finished(revision) } else { state.pause[server] = Self.pause }
        }
    }
}
