import Media
import MicroHTTP
import Numbers
import Replay
import TaskPool
import Thumbnails
import Viewport

/// One viewport: a lock around its ``SessionState``, and the code that carries out the state's decisions.
///
/// A call reads the outside data that a decision needs, takes the lock, calls the state once, unlocks, and carries out the
/// effects. The only other lock taken while this lock is held is that of ``Followers``, to read names. ``EffectLock`` keeps the
/// effects of all calls in order.
package final class Session: Sendable {
    package let id: String
    package let gallery: PictureGallery
    /// The id that followers use. Unlike ``id``, it does not allow scrolling.
    package let followID: String
    package let opener: Caller
    /// The items that this session shows during its whole life.
    package let content: GalleryContent
    /// The session's own resources if it is cold, otherwise `nil`.
    let lane: SessionLane?
    private let thumbnails: ThumbnailService
    private let services: SessionServices
    private let state: EffectLock<SessionState>
    private let updateLimit: UpdateLimit
    /// Maximum length of a presenter's name, in bytes.
    package static let maxNameLength = 80
    private static let progressInterval = Duration.milliseconds(100)
    private static let audienceInterval = Duration.milliseconds(500)

    /// - Parameters:
    ///   - layout: layout of `content` with `options`, as wide as the viewport.
    ///   - node: the server's name among several servers. A proxy finds it in the session's ids.
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
        let initial = SessionState(
            identity: SessionState.Identity(
                id: id, followID: followID, gallery: use.gallery.id, isCold: lane != nil, share: lane?.share),
            core: SessionCore(model: model, scrollTop: start.scrollTop(in: model.layout)), use: use, options: options,
            pixelRatio: pixelRatio, name: name)
        services = SessionServices(content, lane, thumbnails)
        services.moved(to: initial)
        state = EffectLock(initial)
        updateLimit = UpdateLimit(rate: Double(maxUpdates))
    }

    deinit { content.release(layout) }

    /// Begins to want the visible items.
    package func open() {
        let pool = thumbnails.open(
            onPreview: { [weak self] key, preview in self?.previewed(key, preview) },
            { [weak self] key, outcome in self?.finished(key, outcome) })
        update { $0.open(as: pool) }
    }

    /// Closes the session. Its streams receive `bye`, and tasks that no other session wants are cancelled.
    package func close(reason: String) { update { $0.close(bye: SessionEvent.bye(reason: reason)) } }

    // MARK: The lock

    /// Takes the lock for one change, then carries out its effects after unlocking.
    func update<Result: Sendable, Failure: Error>(
        _ body: (inout SessionState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let (time, hasFollowers) = (services.now, followers.count > 0)
        return try state.update(carryingOut: { services.carryOut($0, of: self) }) { state throws(Failure) in
            state.begin(at: time, hasFollowers: hasFollowers)
            defer { services.moved(to: state) }
            return try body(&state)
        }
    }

    package var followers: Followers { services.followers }

    // MARK: Changes by clients

    /// Counts a change that a client requests. Call this before reading the request's body. Takes no lock, so that a flood
    /// costs little.
    ///
    /// - Throws: 429 if there were too many changes recently.
    package func admit() throws(Problem) {
        guard let wait = updateLimit.take(at: services.now) else { return }
        throw Problem(
            429,
            "Too many updates: the limit for a session is \(Int(clamping: updateLimit.rate)) a second (--max-updates).",
            retryAfter: max(1, Int(clamping: (wait / 1000).rounded(.up))))
    }

    /// - Throws: 422 if too many items would be visible.
    package func post(_ posted: PostedViewport) throws(Problem) -> PostedResponse {
        let (transfers, size) = services.transfers
        let response = try update { state throws(Problem) in try state.receive(posted, transfers, at: size) }
        guard case .waits(let update) = response, layOutNow(before: update) else { return response }
        return .plan(plan(after: update))
    }

    /// Applies an update whose layout is ready, and returns the document of the plan in force after it.
    package func plan(after update: ViewportUpdate) -> [UInt8] {
        let (transfers, size) = services.transfers
        return self.update { $0.plan(after: update, transfers, at: size) }
    }

    /// Handles the timer that the model requested.
    func tick() {
        let (transfers, size) = services.transfers
        update { $0.tick(transfers, at: size) }
    }

    /// Moves the viewport on the server. Pages that show this session follow.
    ///
    /// - Returns: the session's document.
    package func scroll(_ request: ScrollRequest) -> [UInt8] {
        let snapshot = services.snapshot
        return update { state in
            state.scroll(request)
            return state.document(snapshot)
        }
    }

    /// Retries the host of the first visible item now, if failures have paused the host.
    package func retry() { services.probe() }

    /// Changes the network of this session only.
    ///
    /// - Throws: 422 that names the wrong field, or if the session shares its network.
    package func change(network: FieldReader) throws(Problem) {
        guard let lane = lane?.lane else {
            throw Problem(
                422, "This session shares its network. Open a session with network or share.", field: network.pointer)
        }
        try lane.change(network)
    }

    /// Applies the given changes. If a layout must be built, ``settle()`` puts it into force.
    ///
    /// - Returns: the session's document, or `nil` if a layout is being built.
    /// - Throws: the same errors as ``post(_:)``.
    package func change(_ change: SessionChange) throws(Problem) -> [UInt8]? {
        let followers = followers.count
        let (waits, isPublished) = try update { state throws(Problem) in try state.apply(change, followers: followers) }
        if !waits || layOutNow() { return document }
        if !isPublished { update { $0.planChanged() } }
        return nil
    }

    /// Turns prefetching off for the presenter that the page follows, or on again if the page wants prefetching.
    func suspendPrefetching(_ isSuspended: Bool) { update { $0.suspendPrefetching(isSuspended) } }

    /// Puts requested layouts into force that are ready. Returns `false` if a layout must be built.
    private func layOutNow(before next: ViewportUpdate? = nil) -> Bool {
        while let request = state.read({ $0.layout.pending }) {
            guard let layout = content.readyLayout(request.options, width: request.viewport.width) else { return false }
            update { $0.fulfil(request, with: layout, before: next) }
        }
        update { $0.endWaiting() }
        return true
    }

    /// Waits until the layout requested last is in force. Drops the request if no call waits for the layout any longer.
    package func settle() async throws(LayoutFailure) {
        defer { update { $0.endWaiting() } }
        while let request = state.read({ $0.layout.pending }) {
            let layout = try await content.layout(request.options, width: request.viewport.width)
            update { $0.fulfil(request, with: layout) }
        }
    }

    // MARK: Responses to clients

    package var document: [UInt8] {
        let snapshot = services.snapshot
        return state.read { $0.document(snapshot) }
    }

    package var followDocument: [UInt8] {
        let followers = followers.count
        return state.read { $0.followDocument(followers: followers) }
    }

    package var layout: any Layout { state.read { $0.core.model.layout } }

    package var screen: (visible: Range<Int>, size: ThumbnailSize) { state.read { ($0.core.plan.visible, $0.size) } }

    /// The session's place as its presenter sees it, or `nil` if the session has ended.
    var place: FollowerPlace? { state.read { $0.place } }

    /// The last two minutes of scrolling.
    package var trace: Trace { state.read { $0.trace } }

    /// The last minute: the scroll, and what became of each wanted picture.
    package var record: RecordDocument { state.read { $0.record } }

    /// Returns the items of a range that the session waits for, and whether each item is being fetched.
    package func pending(in range: Range<Int>) -> [(item: Int, isLoading: Bool)] {
        let snapshot = services.snapshot
        return state.read { $0.pending(in: range, snapshot) }
    }

    var exposure: Exposure.Totals { state.read { $0.core.exposure.totals } }

    /// Time since the session's last stream ended. Zero while the session has a stream.
    package var timeWithoutStream: Duration {
        let now = services.now
        return state.read { $0.streamlessSince.map { Duration(clampingMilliseconds: max(0, now - $0)) } ?? .zero }
    }

    package var streamCount: Int { state.read { $0.listeners.all.count } }

    /// Bytes and number of events that are queued for readers.
    package var pressure: (bytes: Int, count: Int) {
        state.read { $0.listeners.all }.reduce(into: (0, 0)) { sum, listener in
            let pressure = listener.stream.pressure
            sum = (sum.0 + pressure.bytes, sum.1 + pressure.count)
        }
    }

    // MARK: Streams

    /// Adds a listener, which receives `hello` and then the current pictures that it lacks.
    ///
    /// - Parameters:
    ///   - selection: the wanted events.
    ///   - lastEventID: id of the last event that the listener received. 0 for a new listener.
    /// - Returns: `false` if the session is closed or already has `limit` streams.
    package func attach(_ stream: EventStream, _ selection: EventSelection, lastEventID: Int, limit: Int) -> Bool {
        // This handler may run on the reactor's thread, which must not be held up, so a task does the work.
        stream.onDrain { [weak self] in
            Task { self?.update { $0.sendPending() } }
        }
        let snapshot = services.snapshot
        let attached = update { $0.attach(stream, selection, lastEventID: lastEventID, limit: limit, snapshot) }
        guard let attached else { return false }
        let size = screen.size
        for preview in thumbnails.previews(of: attached.lackPreview, in: content, at: size) {
            update { $0.show(preview, at: size, to: stream) }
        }
        // Earlier changes were sent only to the streams that existed at that time.
        if lane == nil, gallery.content !== content {
            let document = gallery.document
            update { $0.send(.gallery(document), to: stream) }
        }
        if followers.count > 0 { update { $0.send(.followers(followers.names), to: stream) } }
        beginAudienceReports()
        if attached.beginsProgress { reportProgress(unless: []) }
        stream.onClose { [weak self] _ in
            Task { self?.update { $0.detach(stream) } }
        }
        return true
    }

    /// Adds a follower, which receives `hello` and the plan in force. The session's own pages are notified.
    ///
    /// - Parameters:
    ///   - name: name of the follower. May be empty.
    ///   - session: the follower's own session. Ignored unless it shows the same gallery.
    /// - Returns: `false` if the session is closed or already has `limit` followers.
    package func follow(_ stream: EventStream, name: String, session: Session?, limit: Int) -> Bool {
        let count = followers.count
        let own = session.flatMap { $0 !== self && $0.gallery === gallery ? $0 : nil }
        let greeting = state.read { state in
            [SessionEvent.hello(state.followDocument(followers: count)), .plan(state.core.plan, seq: state.core.seq)]
        }
        let isTaken = followers.add(stream, name: name, session: own, greeting: greeting, limit: limit) { [weak self] in
            self?.followersChanged()
        }
        if isTaken { followersChanged() }
        return isTaken
    }

    private func followersChanged() {
        // Reads the names within the lock, so that the later of two changes is sent last.
        update { $0.broadcast(.followers(followers.names)) }
        beginAudienceReports()
    }

    private func beginAudienceReports() {
        if followers.count > 0, update({ $0.beginAudienceReports() }) { scheduleAudienceReport() }
    }

    /// Reports the followers' places after a pause. Repeats while there are followers and listeners.
    private func scheduleAudienceReport() {
        thumbnails.timers.call(after: Self.audienceInterval) { [weak self] in
            guard let self else { return }
            // Reads the places after this decision, so that the last report has no follower who left before.
            let goesOn = update { $0.continueAudienceReports() }
            let (places, halves) = followers.measure()
            update { $0.send(audience: .audience(places, halves)) }
            if goesOn { scheduleAudienceReport() }
        }
    }

    /// Sends `stats` to the listeners. Costs nothing if there are none.
    package func sendStats(_ server: ServerRates) {
        guard streamCount > 0 else { return }
        let snapshot = services.snapshot
        update { $0.sendStats(server, snapshot) }
    }

    /// Notifies the pages that the gallery's items have changed. The pages may open a session on the new items.
    ///
    /// - Parameter document: the Gallery document, encoded once for all sessions.
    package func galleryChanged(_ document: [UInt8]) { update { $0.broadcast(.gallery(document)) } }

    // MARK: Calls of the pool, of timers and threads

    private func finished(_ key: ThumbnailKey, _ outcome: ThumbnailService.Outcome) {
        guard let item = content.item(ofOriginal: key.item) else { return }
        switch outcome {
        case .success(let finished):
            // A session with its own lane knows the downloaded bytes. For other sessions, the size of the thumbnail is used
            // instead.
            let bytes = thumbnails.transfers.weight(of: key) ?? finished.thumbnail.bytes.count
            update { $0.finished(finished.numbered(item), bytes: bytes, at: key.size) }
        case .failure(let failure): update { $0.failed(item, failure, at: key.size) }
        }
    }

    private func previewed(_ key: ThumbnailKey, _ preview: FinishedThumbnail) {
        guard let item = content.item(ofOriginal: key.item) else { return }
        update { $0.previewed(preview.numbered(item), at: key.size) }
    }

    /// Sends the progress of each picture if it differs from the last report, and the changes of the record. Repeats while there are
    /// listeners.
    private func reportProgress(unless last: [UInt8]) {
        guard let report = update({ $0.progress() }) else { return }
        let document = report.document {
            thumbnails.transfers.progress(of: content.thumbnailKey($0, size: report.size))
        }
        if document != last {
            update { $0.broadcast(SessionEvent(name: "progress", data: document, key: .progress, isDroppable: true)) }
        }
        let (transfers, size) = services.transfers
        update { $0.sendRecordChanges(transfers, at: size) }
        thumbnails.timers.call(after: Self.progressInterval) { [weak self] in self?.reportProgress(unless: document) }
    }
}
