import Fetch
import Media
import Store
import Synchronization
import TaskPool
import Threads
import Viewport

/// Makes thumbnails for single requests and for sessions. A session hands over all its wants at each update.
package final class ThumbnailService: Sendable {
    /// The result for an item. The event data is written once for all sessions that wait for the item.
    package typealias Outcome = Result<FinishedThumbnail, ItemFailure>
    package typealias Listener = @Sendable (ThumbnailKey, Outcome) -> Void
    /// Called with previews of the items that a session wants.
    package typealias PreviewListener = @Sendable (ThumbnailKey, FinishedThumbnail) -> Void

    package struct State {
        package var listeners: [SessionID: Listener] = [:]
        var previewListeners: [SessionID: PreviewListener] = [:]
        var lastSession: UInt64 = 0
        /// Number of servers that fetch from the same hosts, including this one.
        var nodes = 1
        /// Number of open lanes. `lastLane` is the number of the latest.
        var lanes = 0
        var lastLane = 0
        /// Number of cold sessions, except those on the server's own origin.
        var coldSessions = 0
        /// Concurrent downloads from one host, if changed while running.
        var concurrency: Int?
    }

    package let state: Mutex<State>
    package let pool: TaskPool<ThumbnailMaker>
    package let transfers: TransferMeter
    /// Threads that read files, the database or many sessions for a response. Responses to scrolling have priority.
    package let queries = FolderThreads("query", patience: .seconds(20), count: 2, limit: 256, niceness: 10)
    package let timers = TimerThread()
    package let maker: ThumbnailMaker
    package let store: ThumbnailStore
    package let known: KnownItems
    package let limits: TaskPoolLimits
    /// Budget for downloaded originals, held until they are sent.
    package let originals: ByteBudget

    package init(limits: TaskPoolLimits, maker: ThumbnailMaker, store: ThumbnailStore, transfers: TransferMeter) {
        var limits = limits
        limits.isShared = maker.services.sharing != nil
        let state = SharedState()
        self.state = Mutex(State())
        self.transfers = transfers
        self.maker = maker
        self.store = store
        self.limits = limits
        originals = ByteBudget(limit: limits.carriedBytes)
        known = KnownItems(capacity: maker.services.settings.knownItems)
        pool = TaskPool(
            limits: limits, maker: maker,
            onPreview: { key, sessions, preview in state.service?.previewed(key, sessions, preview) },
            onPause: { key, host, time in state.service?.hostPaused(key, host: host, for: time) },
            onFinished: { key, sessions, result in state.service?.finished(key, sessions, result) })
        state.set(self)
        guard let sharing = maker.services.sharing else { return }
        sharing.begin(for: pool, as: open { _, _ in })
        sharing.thumbnails.watchNodes { nodes in
            // The pool may be busy, and the caller must not wait.
            Task { state.service?.share(with: nodes) }
        }
    }

    /// Lets the pool, which the service owns, find the service.
    private final class SharedState: Sendable {
        private let box = Mutex<WeakService>(WeakService())
        private struct WeakService: Sendable { weak var service: ThumbnailService? }
        var service: ThumbnailService? { box.withLock { $0.service } }
        func set(_ service: ThumbnailService) { box.withLock { $0.service = service } }
    }

    // MARK: Sessions

    /// Opens a session in the pool. `listener` receives the results of its wants, and `onPreview` their previews before that,
    /// from any thread.
    package func open(onPreview: PreviewListener? = nil, _ listener: @escaping Listener) -> SessionID {
        state.withLock { state in
            state.lastSession += 1
            let session = SessionID(state.lastSession)
            state.listeners[session] = listener
            state.previewListeners[session] = onPreview
            return session
        }
    }

    package func close(_ session: SessionID) {
        state.withLock { state in
            state.listeners[session] = nil
            state.previewListeners[session] = nil
        }
        pool.end(session: session)
    }

    /// Returns the pool's number for a host, or for the folder of a file, below 0. The number is a hash of the name with this process's
    /// secret seed. So there is no table of names to grow or to shorten, and nobody can choose two host names that share a number.
    package func host(of locator: Locator) -> Int {
        switch locator {
        case .url(let url): Authority.name(in: url).hashValue | .min
        case .file(_, let root): root.path.hashValue | .min
        }
    }

    private func finished(_ key: ThumbnailKey, _ sessions: [SessionID], _ result: Result<Thumbnail, any Error>) {
        transfers.rendered(key)
        let outcome: Outcome
        switch result {
        case .success(let thumbnail):
            outcome = .success(FinishedThumbnail(key.item, thumbnail, id: maker.services.items.id(of: key)))
        case .failure(let error as ItemFailure): outcome = .failure(error)
        case .failure(let rest as HostUnavailable): outcome = .failure(.hostPaused(rest.milliseconds))
        case .failure(is CancellationError): outcome = .failure(.cancelled)
        case .failure(let error): outcome = .failure(ItemFailure(reason: "\(error)", retryable: true))
        }
        let item = KnownItems.Item(content: key.content, index: key.item)
        switch outcome {
        case .success(let finished):
            let placeholder = Placeholder(
                thumbHash: finished.thumbnail.thumbHash, isDamaged: finished.thumbnail.isDamaged,
                content: finished.thumbnail.content)
            known.record(.ready(placeholder), of: item)
        case .failure(let failure) where failure == .cancelled || failure.retryAfter != nil: break
        case .failure: known.record(.failed, of: item)
        }
        let listeners = state.withLock { state in sessions.compactMap { state.listeners[$0] } }
        for listener in listeners { listener(key, outcome) }
    }

    private func previewed(_ key: ThumbnailKey, _ sessions: [SessionID], _ preview: Thumbnail) {
        let listeners = state.withLock { state in sessions.compactMap { state.previewListeners[$0] } }
        guard !listeners.isEmpty else { return }
        let finished = FinishedThumbnail(
            key.item, preview: preview, size: key.size, id: maker.services.items.id(of: key))
        for listener in listeners { listener(key, finished) }
    }

    /// Number of times that stored bytes of a picture not rendered yet saved a second download.
    package var keptCount: Int { maker.unrendered.taken }

    /// Allows a retry of a failed picture, because a person requested it.
    package func forgetFailure(of key: ThumbnailKey) { maker.forgetFailure(of: key) }

    /// Returns the thumbnail if it is in memory. Reads the file status of a picture in a folder, so do not call this on a thread that
    /// must not wait.
    package func inMemory(_ key: ThumbnailKey) -> Thumbnail? {
        guard let picture = try? maker.picture(of: key) else { return nil }
        return picture.storeKey.flatMap(store.memory).map(picture.versioned)
    }

    /// Cancels everything and returns when the last task has stopped.
    package func shutdown() async {
        queries.shutdown()
        timers.shutdown()
        await pool.shutdown()
        maker.shutdown()
    }

    /// The common threads of each kind that requests wait for.
    package var commonThreads: [BlockingThreads] { [queries, maker.statThreads, maker.services.files].map(\.common) }

    /// Refuses work that waits for folders that do not respond.
    package func giveUpOnFolders(at now: ContinuousClock.Instant) {
        queries.giveUp(at: now)
        maker.giveUpOnFolders(at: now)
    }

    // MARK: Single requests

    /// Returns one thumbnail, with the urgency of a visible cell. Sessions that want the same thumbnail share the task. Does not wait
    /// for a paused host. Cancelling the Swift task removes the want.
    package func thumbnail(_ key: ThumbnailKey, host: Int) async throws(ItemFailure) -> Thumbnail {
        let result = Promise<Outcome>()
        let session = open { _, outcome in result.resolve(outcome) }
        defer { close(session) }
        pool.want([PoolWant(key: key, host: host, visible: true, waitsForHost: false)], session: session)
        return try await result.value { result.resolve(.failure(.cancelled)) }.get().thumbnail
    }

    /// Returns an unchanged picture file.
    ///
    /// - Parameter network: The client's network, as in ``Caller/network``.
    package func original(
        of locator: Locator, for network: String?, _ options: OriginalOptions = OriginalOptions()
    ) async throws(ItemFailure) -> OriginalPicture {
        if case .url = locator, let rest = pool.pause(host: host(of: locator)) { throw .hostPaused(rest) }
        return try await maker.originals.original(of: locator, in: originals.share(for: network), options)
    }
}
