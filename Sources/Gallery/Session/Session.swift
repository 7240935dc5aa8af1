import JSON
import MicroHTTP
import Pipeline
import Synchronization
import TaskPool
import Viewport

/// One viewport: a lock around its ``SessionCore``, the streams that listen, and its name in the pool.
///
/// Whatever changes what the session wants is handed to the pool under the session's lock, so that two updates never
/// reach the pool in the wrong order. Nothing called under the lock calls back into the session.
final class Session: Sendable {
    let id: String
    let gallery: PictureGallery
    /// What others follow it by: unlike ``id``, it lets nobody scroll.
    let followID: String
    /// Who opened it.
    let opener: Caller
    /// The items this session shows, for as long as it lives.
    let content: GalleryContent
    /// The session's own line to the demo's origin, where it has one.
    let lane: SessionLane?
    let thumbnails: ThumbnailService
    let followers = Followers()
    let state: Mutex<SessionState>
    let clock = ContinuousClock()
    /// When the session began: the zero of its times.
    let epoch = ContinuousClock().now

    /// - Parameter layout: of `content`, as `options` say, as wide as the viewport.
    init(
        gallery: PictureGallery, content: GalleryContent, lane: SessionLane?, thumbnails: ThumbnailService,
        layout: any Layout, viewport: Size, pixelRatio: Double, options: LayoutOptions, policy: PolicyName,
        prefetching: Bool, start: ViewportStart, name: String, maxUpdates: Int, opener: Caller = .local
    ) {
        id = Identifier.random(bytes: 16)
        followID = Identifier.random(bytes: 16)
        self.gallery = gallery
        self.opener = opener
        self.lane = lane
        self.content = content
        self.thumbnails = thumbnails
        let model = ViewportModel(
            layout: layout, viewport: viewport, policy: policy, prefetching: prefetching)
        state = Mutex(
            SessionState(
                core: SessionCore(model: model, scrollTop: start.scrollTop(in: model.layout)), options: options,
                pixelRatio: pixelRatio,
                size: ThumbnailSize(cells: options, layoutWidth: viewport.width, pixelRatio: pixelRatio),
                name: name, maxUpdates: maxUpdates))
    }

    deinit { content.release(state.withLock { $0.core.model.layout }) }

    /// Begins to want what is visible.
    func open() {
        let poolID = thumbnails.open { [weak self] key, outcome in self?.finished(key, outcome) }
        state.withLock { state in
            state.poolID = poolID
            state.aloneSince = clock.now
            want(&state)
        }
    }

    /// Ends the session: its streams say `bye`, and what only it wanted is cancelled.
    func close(reason: String) {
        let (listeners, poolID, timer) = state.withLock { state in
            state.isClosed = true
            state.wish = nil
            defer { state.listeners = [] }
            return (state.listeners, state.poolID, state.timer)
        }
        if let timer { thumbnails.timers.cancel(timer) }
        if let poolID { thumbnails.close(poolID) }
        lane?.close(thumbnails)
        followers.close(bye: SessionEvent.bye(reason: reason))
        for listener in listeners { listener.stream.close(bye: SessionEvent.bye(reason: reason)) }
    }

    /// How long the session has had no stream; zero while it has one.
    var loneliness: Duration {
        state.withLock { state in
            guard state.listeners.isEmpty, let since = state.aloneSince else { return .zero }
            return clock.now - since
        }
    }

    // MARK: The viewport

    /// Counts an update of the viewport.
    ///
    /// - Throws: 429 where there were too many of late.
    func admitUpdate() throws(Problem) {
        guard let wait = state.withLock({ $0.updates.take(at: now) }) else { return }
        throw Problem(
            429, "A session takes \(Int(state.withLock { $0.updates.rate })) updates a second (--max-updates).",
            retryAfter: max(1, Int((wait / 1000).rounded(.up))))
    }

    /// Takes a posted viewport and answers the plan in force after it.
    func update(_ update: SessionCore.Update, write: (SessionState) -> [UInt8]) -> [UInt8] {
        state.withLock { state in
            guard !state.isClosed, update.seq > state.core.seq else { return write(state) }
            state.clockOffset = update.time - now
            state.recorder.append(update.sample)
            if !update.missing.isEmpty { askAgain(update.missing, &state) }
            let host = host(of: state.core.plan.visible.lowerBound)
            state.core.setNetwork(thumbnails.network(of: content.serial, host: host))
            noteProgress(&state)
            if state.core.update(update) != nil { planned(&state) }
            return write(state)
        }
    }

    /// Moves the viewport on the server; pages that show this session follow.
    func scroll(to scrollTop: Double, item: Int?, animated: Bool) {
        state.withLock { state in
            _ = state.core.advance(to: scrollTop, phase: .jump, time: now + state.clockOffset)
            broadcast(.scroll(scrollTop: state.core.plan.scrollTop, item: item, animated: animated), &state)
            planned(&state)
        }
    }

    // MARK: Plans

    /// Hands a new plan to the pool, to the streams and to the clock.
    func planned(_ state: inout SessionState) {
        for item in state.core.plan.cancel {
            state.cancelledBytes += thumbnails.transfers.bytesInFlight(of: key(item, state)) ?? 0
        }
        want(&state)
        discardStale(&state)
        publishPlan(&state)
        payOwed(&state)
        armTimer(&state)
    }

    func want(_ state: inout SessionState) {
        guard let poolID = state.poolID, !state.isClosed else { return }
        // Most updates scroll by less than a row and change nothing here.
        let wanted = state.core.plan.wanted
        if let handed = state.handed,
            handed.elementsEqual(wanted, by: { $0.item == $1.item && $0.visible == $1.visible })
        {
            return
        }
        state.handed = wanted
        let wants = zip(wanted, hosts(of: wanted)).map { want, host in
            PoolWant(key: key(want.item, state), host: host, visible: want.visible)
        }
        thumbnails.pool.want(wants, session: poolID)
    }

    private func host(of item: Int) -> Int { lane?.host ?? content.host(of: item, number: thumbnails.host) }

    private func hosts(of wanted: [Want]) -> [Int] {
        if let host = lane?.host { return Array(repeating: host, count: wanted.count) }
        return content.hosts(of: wanted.lazy.map(\.item), number: thumbnails.host)
    }

    func key(_ item: Int, _ state: SessionState) -> ThumbnailKey {
        ThumbnailKey(content: content.serial, item: item, size: state.size)
    }

    /// Makes the pool start these again although it has met this session's want of them once.
    func askAgain(_ items: [Int], _ state: inout SessionState) {
        for item in items where state.core.failures[item] != nil { thumbnails.forgetFailure(of: key(item, state)) }
        state.core.forget(items)
        state.handed = nil
        if let poolID = state.poolID { thumbnails.pool.renew(items.map { key($0, state) }, session: poolID) }
    }

    private func finished(_ key: ThumbnailKey, _ outcome: ThumbnailService.Outcome) {
        state.withLock { state in
            guard !state.isClosed, key.size == state.size else { return }
            switch outcome {
            case .success(let finished):
                // On a lane of its own what was downloaded is known; elsewhere what is sent stands for it.
                let bytes = thumbnails.transfers.weight(of: key) ?? finished.thumbnail.bytes.count
                let id = state.core.finished(key.item, bytes: bytes, time: now + state.clockOffset)
                send(finished, item: key.item, id: id, &state)
                payOwed(&state)
                noteShape(of: key.item, &state)
            case .failure(let failure):
                let id = state.core.failed(key.item, failure)
                send(.failed(failure, item: key.item), id: id, &state)
            }
        }
    }

    /// Milliseconds since the session began.
    var now: Double { (clock.now - epoch) / .milliseconds(1) }

    /// Wakes up when the model asked to be heard again although nobody scrolls. One timer at the most; one that is due
    /// too early looks again when it fires.
    private func armTimer(_ state: inout SessionState) {
        guard let tick = state.core.model.nextTick else { return }
        let due = tick - state.clockOffset
        guard state.timer == nil || due < state.timerDue else { return }
        if let timer = state.timer { thumbnails.timers.cancel(timer) }
        state.timerDue = due
        state.timer = thumbnails.timers.call(after: .milliseconds(max(due - now, 0))) { [weak self] in self?.tick() }
    }

    private func tick() {
        state.withLock { state in
            state.timer = nil
            guard !state.isClosed, let tick = state.core.model.nextTick else { return }
            let pageTime = now + state.clockOffset
            if tick <= pageTime {
                _ = state.core.advance(to: state.core.plan.scrollTop, phase: nil, time: pageTime)
                planned(&state)
            } else {
                armTimer(&state)
            }
        }
    }
}
