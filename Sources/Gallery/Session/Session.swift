import MicroHTTP
import Pipeline
import Synchronization
import TaskPool
import Threads
import Trace
import Viewport

/// One viewport: a lock around its ``SessionCore``, the streams that listen, and its name in the pool.
///
/// The lock of the state is taken in this file alone; what happens under it is in the extensions. What changes the wants is
/// handed to the pool under the lock, so that two updates never reach the pool in the wrong order. Nothing called under the
/// lock calls back into the session, or writes to a stream.
package final class Session: Sendable {
    package let id: String
    package let gallery: PictureGallery
    /// The id that followers use: unlike ``id``, it does not allow scrolling.
    package let followID: String
    /// Who opened it.
    let opener: Caller
    /// The items this session shows, for as long as it lives.
    let content: GalleryContent
    /// The session's own line to the demo's origin, where it has one.
    let lane: SessionLane?
    let thumbnails: ThumbnailService
    let followers = Followers()
    private let state: Mutex<SessionState>
    /// How often a client may still change something.
    private let updates: Mutex<TokenBucket>
    let clock = ContinuousClock()
    /// When the session began: the zero of its times.
    private let stopwatch = Stopwatch()

    /// - Parameters:
    ///   - layout: of `content`, as `options` say, as wide as the viewport.
    ///   - node: the server's name among several, which a proxy finds in the session's ids.
    package init(
        gallery use: PictureGallery.Use, content: GalleryContent, lane: SessionLane?, thumbnails: ThumbnailService,
        layout: any Layout, viewport: Size, pixelRatio: Double, options: LayoutOptions, policy: PolicyName,
        prefetching: Bool, start: ViewportStart, name: String, maxUpdates: Int, node: String? = nil,
        opener: Caller = .local
    ) {
        id = Identifier.random(bytes: 16, of: node)
        followID = Identifier.random(bytes: 16, of: node)
        gallery = use.gallery
        self.opener = opener
        self.lane = lane
        self.content = content
        self.thumbnails = thumbnails
        let model = ViewportModel(
            layout: layout, viewport: viewport, policy: policy, prefetching: prefetching)
        state = Mutex(
            SessionState(
                core: SessionCore(model: model, scrollTop: start.scrollTop(in: model.layout)), use: use,
                options: options, pixelRatio: pixelRatio,
                size: ThumbnailSize(cells: options, layoutWidth: viewport.width, pixelRatio: pixelRatio),
                name: name))
        updates = Mutex(TokenBucket(rate: Double(maxUpdates), at: 0))
    }

    deinit { content.release(layout) }

    /// Begins to want what is visible.
    package func open() {
        let poolID = thumbnails.open(
            onPreview: { [weak self] key, preview in self?.state.update { self?.previewed(key, preview, &$0) } },
            { [weak self] key, outcome in self?.state.update { self?.finished(key, outcome, &$0) } })
        state.update { state in
            state.poolID = poolID
            state.aloneSince = clock.now
            handOver(&state)
        }
    }

    /// Ends the session: its streams say `bye`, and tasks that only it wanted are cancelled.
    package func close(reason: String) {
        let bye = SessionEvent.bye(reason: reason)
        let (poolID, timer) = state.update { state in
            state.isClosed = true
            state.wish = nil
            state.use = nil
            for listener in state.listeners { state.outbox.close(listener.stream, bye: bye) }
            state.listeners = []
            return (state.poolID, state.timer)
        }
        if let timer { thumbnails.timers.cancel(timer) }
        if let poolID { thumbnails.close(poolID) }
        lane?.close(thumbnails)
        followers.close(bye: bye)
    }

    /// Milliseconds since the session began.
    var now: Double { stopwatch.milliseconds }

    // MARK: What clients change

    /// Counts a change that a client asks for. Comes before its body is read, so that a flood costs little.
    ///
    /// - Throws: 429 where there were too many of late.
    func admit() throws(Problem) {
        let (wait, rate) = updates.withLock { ($0.take(at: now), Int($0.rate)) }
        guard let wait else { return }
        throw Problem(
            429, "Too many updates: the limit for a session is \(rate) a second (--max-updates).",
            retryAfter: max(1, Int((wait / 1000).rounded(.up))))
    }

    /// Takes a posted viewport.
    ///
    /// - Throws: 422 where too much would be visible.
    func post(_ posted: PostedViewport) throws(Problem) -> PostedAnswer {
        try state.update { state throws(Problem) in try answer(posted, &state) }
    }

    /// Takes an update whose layout is there now, and returns the plan in force after it.
    package func plan(after update: SessionCore.Update) -> [UInt8] { state.update { plan(after: update, &$0) } }

    /// Moves the viewport on the server; pages that show this session follow.
    ///
    /// - Returns: the session's document.
    func scroll(_ request: ScrollRequest) -> [UInt8] {
        state.update { state in
            scroll(request, &state)
            return document(state)
        }
    }

    /// Changes what is given: the layout when it is there, by ``settle()``.
    ///
    /// - Returns: the session's document; `nil` where a layout is on its way.
    /// - Throws: as ``post(_:)``.
    func change(_ change: SessionChange) throws(Problem) -> [UInt8]? {
        try state.update { state throws(Problem) in
            try apply(change, &state)
            return beginSettling(&state) ? nil : document(state)
        }
    }

    /// Returns when the layout wished for last is in force. Where nobody waits for it any more it is wished for no longer.
    func settle() async throws(LayoutFailure) {
        defer { state.withLock { endSettling(&$0) } }
        while let wish = state.withLock({ $0.wish }) {
            let layout = try await content.layout(wish.options, width: wish.viewport.width)
            state.update { fulfil(wish, with: layout, &$0) }
        }
    }

    // MARK: What clients read

    var document: [UInt8] { state.withLock { document($0) } }

    var followDocument: [UInt8] { state.withLock { followDocument($0) } }

    var layout: any Layout { state.withLock { $0.core.model.layout } }

    /// The items that are visible, and what their thumbnails are rendered to.
    package var screen: (visible: Range<Int>, size: ThumbnailSize) {
        state.withLock { ($0.core.plan.visible, $0.size) }
    }

    /// The last two minutes of scrolling.
    var trace: Trace { state.withLock { trace($0) } }

    /// Plays the end of that twice, with prefetching and without. Not for a thread that must not wait.
    func comparePrefetching() throws(Problem) -> PrefetchComparison {
        let (model, visible) = state.withLock { ($0.core.model, $0.core.plan.visible.count) }
        return try PrefetchComparison(trace, policy: model.policy, network: model.network, visible: visible)
    }

    /// The items of a range that the session waits for, and whether each is being fetched.
    func pending(in range: Range<Int>) -> [(item: Int, isLoading: Bool)] { state.withLock { pending(in: range, $0) } }

    /// What the pages of this session have shown so far.
    var exposure: Exposure.Totals { state.withLock { $0.core.exposure.totals } }

    /// How long the session has had no stream; zero while it has one.
    var loneliness: Duration {
        state.withLock { state in
            guard state.listeners.isEmpty, let since = state.aloneSince else { return .zero }
            return clock.now - since
        }
    }

    // MARK: Who listens

    var streamCount: Int { state.withLock { $0.listeners.count } }

    /// Bytes queued for readers that are behind.
    var pressure: (bytes: Int, count: Int) {
        state.withLock { $0.listeners }.reduce(into: (0, 0)) { sum, listener in
            let pressure = listener.stream.pressure
            sum = (sum.0 + pressure.bytes, sum.1 + pressure.count)
        }
    }

    /// Adds a listener, which hears `hello` and then what it lacks of what is shown and wanted now.
    ///
    /// - Parameters:
    ///   - only: names of the events it wants to hear; `nil` for all but `progress`.
    ///   - lastHeard: the last event it knows of; 0 for a new one.
    /// - Returns: whether it was taken; not when the session is over or has `limit` streams.
    func attach(_ stream: EventStream, only: Set<String>?, lastHeard: Int, limit: Int) -> Bool {
        // Told on whatever thread noticed it, perhaps the reactor's, which it must not hold up: so on another task.
        stream.onDrain { [weak self] in
            Task { self?.state.update { self?.payOwed(&$0) } }
        }
        let begins: Bool? = state.update { state in
            guard !state.isClosed, state.listeners.count < limit else { return nil }
            return attach(stream, only: only, lastHeard: lastHeard, &state)
        }
        guard let begins else { return false }
        // What has changed since the session began was told to the streams that there were.
        if lane == nil, gallery.content !== content {
            let document = gallery.document
            state.update { tellGallery(document, to: stream, &$0) }
        }
        if begins { reportProgress(unless: []) }
        stream.onClose { [weak self] _ in
            Task { self?.state.update { self?.detach(stream, &$0) } }
        }
        return true
    }

    /// Adds a follower, which hears `hello` and the plan in force.
    func follow(_ stream: EventStream, limit: Int) -> Bool {
        let greeting = state.withLock { state in
            [SessionEvent.hello(followDocument(state)), .plan(state.core.plan, seq: state.core.seq)]
        }
        return followers.add(stream, greeting: greeting, limit: limit)
    }

    /// Sends `stats` to the listeners; costs nothing where there are none.
    func sendStats(_ server: ServerRates) { state.update { sendStats(server, &$0) } }

    /// Tells the pages that the gallery's items have changed: they may open a session on the new ones.
    ///
    /// - Parameter document: the gallery's, written once for all sessions.
    func galleryChanged(_ document: [UInt8]) { state.update { broadcast(.gallery(document), &$0) } }

    // MARK: What timers and threads call

    /// Lets the model decide again at the time it asked for, without a scroll.
    func tick() { state.update { tick(&$0) } }

    func sendLatestPlan() { state.update { sendLatestPlan(&$0) } }

    func announceLayout() { state.update { announceLayout(&$0) } }

    func payOwed() {
        state.update { state in
            state.paysLater = false
            payOwed(&state)
        }
    }

    /// Has the facts of what is visible read before others.
    func preferFacts() {
        let visible = state.withLock { state in
            state.prefersFacts = false
            return state.core.plan.visible
        }
        content.catalog.preferFacts(of: visible)
    }

    /// Reports how far each picture is, repeatedly while there are listeners.
    func reportProgress(unless last: [UInt8]) {
        guard let report = state.update({ progressReport(unless: last, &$0) }) else { return }
        thumbnails.timers.call(after: Self.progressInterval) { [weak self] in self?.reportProgress(unless: report) }
    }

    /// Sends a few of the pictures that a listener lacks, and goes on until it lacks none. They are looked for on a thread
    /// that yields to others, which takes no lock of the session: one that waits for a processor would hold up updates.
    func resendBatch(to stream: EventStream) {
        let batch = state.withLock { nextBatch(of: stream, &$0) }
        guard !batch.items.isEmpty else { return }
        thumbnails.queries.threads(for: content.root).start { [weak self] in
            guard let self else { return }
            let found = find(batch)
            thumbnails.queries.common.startPromptly { [self] in
                deliver(found, of: batch, to: stream)
                resendBatch(to: stream)
            }
        }
    }

    /// One picture after the other: whether the listener is behind shows once the last one is written.
    private func deliver(_ found: [FinishedThumbnail?], of batch: Batch, to stream: EventStream) {
        var lost: [Int] = []
        for ((item, key), picture) in zip(batch.items, found) {
            let isLost = state.update { deliver(picture, of: item, key, areOwed: batch.areOwed, to: stream, &$0) }
            if isLost { lost.append(item) }
        }
        state.update { endDelivery(lost: lost, areOwed: batch.areOwed, to: stream, &$0) }
    }
}
