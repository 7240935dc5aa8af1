import Catalog
import Cluster
import Synchronization
import Threads

/// Shares the galleries that are created through the API among servers. Saves galleries created on this server, loads galleries
/// of other servers, and deletes galleries everywhere. While Redis is unreachable, this server continues without it, and
/// catches up when Redis is back.
package final class GallerySharing: Sendable {
    struct State {
        var ledgers: [GalleryLedger]
        /// Whether a task is carrying out a server's steps, by Redis server.
        var isBusy: [Bool]
        /// Whether a server has changed while its steps were carried out, by Redis server.
        var isBehind: [Bool]
        /// Whether the steps of a server were carried out at least once, by Redis server.
        var isKnown: [Bool]
        /// Number of heartbeats to wait before failed steps are retried, by Redis server.
        var pause: [Int]
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let shared: SharedGalleries
    let galleries: GalleryList
    let limits: ListLimits
    let threads: BlockingThreads
    let onAdded: @Sendable (PictureGallery) -> Void
    let onRemoved: @Sendable (PictureGallery) -> Void
    let report: @Sendable (String) -> Void
    let state: Mutex<State>
    /// Heartbeats to wait after a failure, one second each.
    private static let pause = 5

    /// - Parameters:
    ///   - onAdded: called for a gallery that another server created.
    ///   - onRemoved: called for a gallery that another server deleted.
    ///   - report: receives messages for an operator.
    package init(
        _ shared: SharedGalleries, galleries: GalleryList, limits: ListLimits, threads: BlockingThreads,
        onAdded: @escaping @Sendable (PictureGallery) -> Void,
        onRemoved: @escaping @Sendable (PictureGallery) -> Void, report: @escaping @Sendable (String) -> Void
    ) {
        self.shared = shared
        self.galleries = galleries
        self.limits = limits
        self.threads = threads
        (self.onAdded, self.onRemoved, self.report) = (onAdded, onRemoved, report)
        let count = shared.servers.count
        state = Mutex(
            State(
                ledgers: Array(repeating: GalleryLedger(), count: count),
                isBusy: Array(repeating: false, count: count), isBehind: Array(repeating: false, count: count),
                isKnown: Array(repeating: false, count: count), pause: Array(repeating: 0, count: count)))
        shared.watch { [weak self] server, revision in self?.received(revision, of: server) }
    }

    /// Waits until loading the galleries of every Redis server was tried once, but no longer than `time`.
    package func start(within time: Duration) async {
        let limit = Task { [weak self] in
            // Cancelled if loading was tried before that.
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

    /// Returns why a gallery with this id cannot be saved for all servers, or `nil` if it can be saved or Redis is unreachable.
    package func refusal(of id: String) async -> Problem? {
        let server = shared.server(of: id)
        guard let policy = await shared.evictingPolicy(server) else { return nil }
        return Problem(
            503,
            "The gallery cannot be saved for all servers: Redis at \(shared.servers[server]) may delete it when full "
                + "(maxmemory-policy \(policy)). Set its maxmemory-policy to volatile-lru.")
    }

    /// Saves a gallery that was created on this server. Returns once other servers can load it, or Redis does not respond.
    package func made(_ id: String) async {
        let server = shared.server(of: id)
        state.withLock { $0.ledgers[server].made(id) }
        // If saving fails, it is retried later.
        _ = await save(id, server)
    }

    /// Deletes a gallery on all servers that was deleted on this server. Returns immediately.
    package func deleted(_ id: String) {
        let server = shared.server(of: id)
        state.withLock { $0.ledgers[server].deleted(id) }
        Task { [weak self] in await self?.look(at: server) }
    }

    // MARK: Changes on other servers

    private func received(_ revision: Int64, of server: Int) {
        let isDue = state.withLock { state in
            guard state.ledgers[server].isBehind(revision) else { return false }
            state.pause[server] -= 1
            return state.pause[server] < 0
        }
        if isDue { Task { [weak self] in await self?.look(at: server) } }
    }

    /// Carries out the pending steps of a Redis server, one after the other. If this is already in progress, the steps are
    /// carried out again afterwards.
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
