import Media
import MicroHTTP
import Replay
import TaskPool
import Thumbnails
import Viewport

/// All state that a session's lock guards, as a value. Takes calls and returns effects, without locking or waiting. Callers
/// pass in everything else that a decision needs.
package struct SessionState: EffectfulState {
    /// The constant parts of the session's documents.
    struct Identity: Sendable {
        var id = ""
        var followID = ""
        var gallery = ""
        var isCold = false
        var share: Double?
    }

    let identity: Identity
    package private(set) var core: SessionCore
    package var effects = SessionEffects()
    private(set) var layout: SessionLayout
    private(set) var listeners = Listeners()
    private(set) var isClosed = false
    /// The viewer's name that followers see. Empty if none was given.
    private(set) var name: String
    /// The item that is open in the viewer, as reported by the page.
    private(set) var viewing: Int?
    /// Whether the page wants items to be fetched before they are visible.
    private(set) var wantsPrefetching: Bool
    /// Whether a presenter has turned prefetching off.
    private var isSuspended = false
    /// Time when the last stream ended or the session began. `nil` while the session has a stream.
    private(set) var streamlessSince: Double?

    /// Time of the session's clock at the current call, in milliseconds.
    private(set) var now = 0.0
    private var hasFollowers = false
    /// Difference between the model's clock and the session's clock at the last update, in milliseconds.
    private var clockOffset = 0.0
    private var pool: SessionID?
    /// Keeps the gallery alive until the session is closed.
    private var use: PictureGallery.Use?
    /// Time when the current timer fires, or `nil` if no timer is set.
    private var wakeTime: Double?
    /// Limits how often plans are sent to the session's streams.
    private var planPace = EventPace()
    /// Whether a plan that no response contains has not been sent yet.
    private var isPlanUnanswered = false
    /// Whether a `layout` event is scheduled because pictures have shapes that the layout does not use yet.
    private var announcesLayout = false
    private var reportsProgress = false
    private var reportsAudience = false
    /// Data of the last `audience` event. `nil` if a listener lacks the event.
    private var audience: [UInt8]?

    /// Time to gather changed shapes before pages are notified, in milliseconds.
    private static let shapePause = 500.0
    /// Maximum number of previews to look up with one list of wants.
    private static let maximumKnownPreviews = 128

    init(
        identity: Identity, core: SessionCore, use: PictureGallery.Use?, options: LayoutOptions, pixelRatio: Double,
        name: String
    ) {
        self.identity = identity
        self.core = core
        self.use = use
        layout = SessionLayout(options, width: core.model.viewport.width, pixelRatio: pixelRatio)
        self.name = name
        wantsPrefetching = core.model.prefetching
    }

    /// Creates a state without a gallery.
    package init(core: SessionCore, options: LayoutOptions) {
        self.init(identity: Identity(), core: core, use: nil, options: options, pixelRatio: 1, name: "")
    }

    var size: ThumbnailSize { layout.size }

    /// Records the time and the presence of followers for the call that begins.
    mutating func begin(at time: Double, hasFollowers: Bool) {
        now = max(now, time)
        self.hasFollowers = hasFollowers
    }

    /// The model's clock, which follows that of the page.
    private var pageTime: Double { now + clockOffset }

    /// Begins to want the visible items.
    package mutating func open(as pool: SessionID) {
        self.pool = pool
        streamlessSince = now
        submitWants()
    }

    /// Closes the session. Its streams receive `bye`.
    mutating func close(bye: Event) {
        guard !isClosed else { return }
        isClosed = true
        layout.close()
        listeners.close(bye: bye, &effects)
        effects.steps.append(.close(pool, bye: bye, use))
        use = nil
    }

    // MARK: Scrolling

    /// - Throws: 422 if too many items would be visible.
    mutating func receive(
        _ posted: PostedViewport, _ transfers: TransferMeter.Overview, at size: ThumbnailSize
    ) throws(Problem) -> PostedResponse {
        var update = posted.update
        let current = requestedViewport
        update.viewport = posted.size.applied(to: current)
        if let viewport = update.viewport, viewport != current {
            try VisibleItemLimit.check(
                layout.requestedOptions, in: viewport, field: viewport.height != current.height ? "/height" : "/width")
        }
        return needsLayout(for: update) ? .waits(update) : .plan(plan(after: update, transfers, at: size))
    }

    /// Applies an update whose layout is ready.
    ///
    /// - Parameters:
    ///   - transfers: the cost of fetching, and the transfers in flight.
    ///   - size: thumbnail size of these transfers.
    /// - Returns: the document of the plan in force after the update.
    mutating func plan(
        after update: ViewportUpdate, _ transfers: TransferMeter.Overview, at size: ThumbnailSize
    ) -> [UInt8] {
        if takes(update) {
            note(transfers, at: size)
            take(update)
        }
        return core.plan.document(seq: core.seq)
    }

    private mutating func note(_ transfers: TransferMeter.Overview, at size: ThumbnailSize) {
        core.model.network = transfers.network
        guard size == self.size else { return }
        for (item, progress) in transfers.inFlight { core.note(progress, of: item) }
    }

    private func takes(_ update: ViewportUpdate) -> Bool { !isClosed && update.seq > core.seq }

    package mutating func take(_ update: ViewportUpdate) {
        forgive(update.missing)
        if core.seq < 0 { core.shiftRecord(by: update.sample.time - pageTime) }
        guard core.update(update) != nil else { return }
        // The model bounds the times that a page sends, and its clock never runs backwards.
        clockOffset = core.model.time - now
        planChanged(isAnswered: true)
    }

    mutating func scroll(_ request: ScrollRequest) {
        let (scrollTop, item): (Double, Int?) =
            switch request.target {
            case .item(let item): (core.model.layout.frame(of: item).y, item)
            case .scrollTop(let scrollTop): (scrollTop, nil)
            }
        core.advance(to: scrollTop, phase: .jump, time: pageTime)
        broadcast(.scroll(scrollTop: core.plan.scrollTop, item: item, animated: request.animated))
        planChanged()
    }

    /// Passes a new plan to the pool and the streams, and sets the timer.
    ///
    /// - Parameter isAnswered: whether the response to an update contains the plan.
    mutating func planChanged(isAnswered: Bool = false) {
        guard !isClosed else { return }
        let cancelled = core.plan.cancel
        if !cancelled.isEmpty { effects.cancelled.append(SessionEffects.Items(items: cancelled, size: size)) }
        submitWants()
        if listeners.haveQueued { listeners.discardStale(core.plan, &effects) }
        publishPlan(isAnswered: isAnswered)
        listeners.sendPending(&core, &effects)
        setTimer()
    }

    /// Submits the wants to the pool if they changed.
    private mutating func submitWants() {
        guard let pool, !isClosed, let wanted = core.takeWants() else { return }
        let lackPreview = wanted.lazy.map(\.item).filter(core.lacksPreview).prefix(Self.maximumKnownPreviews)
        effects.wants = SessionEffects.Wants(list: wanted, size: size, pool: pool, lackPreview: Array(lackPreview))
    }

    /// Sends the plan in force to the pages and followers of this session, at most ``EventPace/rate`` times a second. The last
    /// plan is always sent. The client that posted the update receives the plan in the response, too.
    private mutating func publishPlan(isAnswered: Bool) {
        guard hasFollowers || listeners.receivePlan(isAnswered: isAnswered) else { return }
        if !isAnswered { isPlanUnanswered = true }
        switch planPace.offer(at: now) {
        case .now: sendPlan()
        case .taken: break
        case .later(let wait): effects.steps.append(.remind(.plan, milliseconds: wait))
        }
    }

    private mutating func sendPlan() {
        let event = SessionEvent.plan(core.plan, seq: core.seq)
        listeners.send(plan: event, isAnswered: !isPlanUnanswered, id: core.nextEventID(), &effects)
        isPlanUnanswered = false
        if hasFollowers { effects.steps.append(.notifyFollowers(event)) }
    }

    /// Sets a timer for the time at which the model must decide again without a scroll. At most one timer is set. A timer that
    /// fires too early is set again.
    private mutating func setTimer() {
        guard let tick = core.model.nextTick else { return }
        let due = tick - clockOffset
        guard due < wakeTime ?? .infinity else { return }
        wakeTime = due
        effects.wakeTime = due
    }

    /// Allows a retry of the failed ones among some items.
    private mutating func forgive(_ items: [Int]) {
        let failed = items.filter { core.failure(of: $0) != nil }
        if !failed.isEmpty { effects.forgiven.append(SessionEffects.Items(items: failed, size: size)) }
    }

    /// Fetches rendered thumbnails again that no store holds any longer, without waiting for a scroll.
    private mutating func fetchAgain(_ items: [Int]) {
        guard !items.isEmpty else { return }
        forgive(items)
        core.model.ledger.forget(items)
        core.advance(to: core.plan.scrollTop, phase: nil, time: pageTime)
        planChanged()
    }

    // MARK: Layouts

    private var requestedViewport: Size { layout.requestedViewport(core.model.viewport) }

    /// Applies the given changes. A new layout comes into force as soon as it is ready. The item at the top of the viewport
    /// stays at the top.
    ///
    /// - Returns: whether the caller must wait for a layout and then call ``endWaiting()``, and whether the plan in force until
    ///   then was already published.
    /// - Throws: 422 if too many items would be visible.
    mutating func apply(
        _ change: SessionChange, followers: Int
    ) throws(Problem) -> (waits: Bool, isPublished: Bool) {
        let viewport = change.size.applied(to: requestedViewport)
        if change.options != nil || viewport != nil {
            try VisibleItemLimit.check(
                change.options ?? layout.requestedOptions, in: viewport ?? requestedViewport,
                field: change.options != nil ? "/layout" : "/viewport")
        }
        guard !isClosed else { return (false, true) }
        if let name = change.name { self.name = name }
        if let viewing = change.viewing { self.viewing = viewing.item }
        if change.name != nil || change.viewing != nil, followers > 0 {
            effects.steps.append(.notifyFollowers(.hello(followDocument(followers: followers))))
        }
        if let policy = change.policy { core.setPolicy(policy) }
        if let prefetching = change.prefetching {
            wantsPrefetching = prefetching
            core.setPrefetching(prefetching && !isSuspended)
        }
        if let audience = change.audiencePrefetching { effects.steps.append(.setAudiencePrefetching(audience)) }
        var isPublished = true
        if change.options != nil || viewport != nil || change.pixelRatio != nil {
            isPublished = request(change.options, viewport: viewport, pixelRatio: change.pixelRatio)
        }
        if isPublished { planChanged() }
        return (layout.beginWaiting(), isPublished)
    }

    /// Turns prefetching off, or on again if the page wants prefetching.
    mutating func suspendPrefetching(_ isSuspended: Bool) {
        self.isSuspended = isSuspended
        guard !isClosed, core.model.prefetching != (wantsPrefetching && !isSuspended) else { return }
        core.setPrefetching(wantsPrefetching && !isSuspended)
        planChanged()
    }

    /// Returns whether an update has to wait for a layout: no layout of the viewport's width is ready, and none was requested
    /// before.
    private mutating func needsLayout(for update: ViewportUpdate) -> Bool {
        guard takes(update), let viewport = update.viewport else { return false }
        if viewport.width == requestedViewport.width {
            layout.setHeight(viewport.height)
            return false
        }
        return !request(nil, viewport: viewport, pixelRatio: nil) && layout.beginWaiting()
    }

    mutating func endWaiting() { layout.endWaiting() }

    /// Puts a requested layout into force.
    ///
    /// - Parameter next: an update that is applied right after this call.
    mutating func fulfil(_ request: PendingLayout, with new: any Layout, before next: ViewportUpdate? = nil) {
        guard let current = layout.current(request) else { return }
        layOut(new, current)
        if let next, takes(next) { return }
        planChanged()
    }

    /// - Returns: whether the layout in force fits the request.
    private mutating func request(_ options: LayoutOptions?, viewport: Size?, pixelRatio: Double?) -> Bool {
        guard
            let request = layout.request(
                options, viewport: viewport, pixelRatio: pixelRatio, in: core.model.viewport)
        else { return false }
        layOut(core.model.layout, request)
        return true
    }

    private mutating func layOut(_ new: any Layout, _ request: PendingLayout) {
        if layout.apply(request) {
            core.forgetAll()
            // Ends wants at the old size, whether their thumbnails are ready or not.
            if let pool { effects.endWants(of: pool) }
        }
        let old = core.model.layout
        core.relayout(new, viewport: request.viewport)
        effects.steps.append(.release(old))
    }

    /// Requests a check of an item's shape, because the layout may use another shape than the new picture or preview has.
    private mutating func checkShape(of item: Int) {
        guard !announcesLayout, layout.options.needsAspectRatios else { return }
        effects.steps.append(.checkShape(item: item, core.model.layout.frame(of: item)))
    }

    /// Schedules a `layout` event because a picture is shown in a wrong shape. One event covers all pictures of half a second.
    /// The pages request the layout again when nothing moves.
    mutating func isMisshapen() {
        guard !announcesLayout else { return }
        announcesLayout = true
        effects.steps.append(.remind(.layout, milliseconds: Self.shapePause))
    }

    // MARK: Events of the pool and of timers

    /// - Parameter bytes: bytes downloaded for the picture.
    mutating func finished(_ picture: FinishedThumbnail, bytes: Int, at size: ThumbnailSize) {
        guard !isClosed, size == self.size else { return }
        let id = core.finished(picture.item, bytes: bytes, time: pageTime)
        listeners.send(picture, id: id, &core, &effects)
        listeners.sendPending(&core, &effects)
        checkShape(of: picture.item)
    }

    mutating func failed(_ item: Int, _ failure: ItemFailure, at size: ThumbnailSize) {
        guard !isClosed, size == self.size else { return }
        let id = core.failed(item, failure)
        listeners.send(.failed(failure, item: item), id: id, &effects)
    }

    /// Sends a new or remembered preview, which a cell shows until the thumbnail is rendered. The item is still wanted and
    /// still counts as blank.
    mutating func previewed(_ preview: FinishedThumbnail, at size: ThumbnailSize) {
        guard !isClosed, size == self.size, let id = core.previewed(preview.item) else { return }
        listeners.send(.preview(preview), id: id, &effects)
        checkShape(of: preview.item)
    }

    /// Marks pictures as pending again that were dropped from a listener's queue.
    mutating func discarded(_ items: [Int], of listener: Int) {
        guard !isClosed else { return }
        core.model.ledger.markPending(items, to: listener)
        core.model.ledger.forgetPreviews(items)
        listeners.sendPending(&core, &effects)
    }

    /// Handles a timer that fired: the current timer or one that it replaced.
    mutating func tick(_ transfers: TransferMeter.Overview, at size: ThumbnailSize) {
        wakeTime = nil
        guard !isClosed, let tick = core.model.nextTick else { return }
        if tick <= pageTime {
            note(transfers, at: size)
            core.tick(at: pageTime)
            planChanged()
        } else {
            setTimer()
        }
    }

    mutating func remind(_ reminder: SessionEffects.Reminder) {
        switch reminder {
        case .plan:
            planPace.send(at: now)
            if !isClosed { sendPlan() }
        case .layout:
            announcesLayout = false
            if !isClosed { broadcast(.layout(contentHeight: core.plan.contentHeight)) }
        case .pendingPictures:
            listeners.isReminded = false
            sendPending()
        }
    }

    // MARK: Listeners

    /// Adds a listener, which receives `hello` and the plan.
    ///
    /// - Returns: whether progress reports must begin, and the items whose previews the listener lacks. `nil` if the listener
    ///   was refused.
    mutating func attach(
        _ stream: EventStream, _ selection: EventSelection, lastEventID: Int, limit: Int, _ snapshot: ServiceSnapshot
    ) -> (beginsProgress: Bool, lackPreview: [Int])? {
        guard !isClosed, listeners.all.count < limit else { return nil }
        let listener = listeners.add(stream, selection, &core)
        streamlessSince = nil
        audience = nil
        listener.send(.hello(document(snapshot)), id: core.nextEventID(), &effects)
        listener.send(.plan(core.plan, seq: core.seq), id: core.nextEventID(), &effects)
        let receivesPictures = listener.receives("thumbnail")
        let lacksAny = core.catchUp(
            listener.number, lastEventID: lastEventID, pictures: receivesPictures, failures: listener.receives("failed")
        )
        if lacksAny { listeners.resend(to: stream, &effects) }
        let begins = (listener.receives("progress") || listener.receives("record")) && !reportsProgress
        if begins { reportsProgress = true }
        return (begins, receivesPictures ? core.unreceivedPreviews(since: lastEventID) : [])
    }

    /// Sends a preview to a listener that has not received it.
    mutating func show(_ preview: FinishedThumbnail, at size: ThumbnailSize, to stream: EventStream) {
        guard size == self.size, core.model.ledger.preview(of: preview.item) != nil,
            let listener = listeners.listener(of: stream)
        else {
            return
        }
        listener.send(.preview(preview), id: core.nextEventID(), &effects)
    }

    mutating func send(_ event: SessionEvent, to stream: EventStream) {
        listeners.listener(of: stream)?.send(event, id: core.nextEventID(), &effects)
    }

    mutating func detach(_ stream: EventStream) {
        guard listeners.listener(of: stream) != nil else { return }
        fetchAgain(listeners.remove(stream, &core))
        if listeners.all.isEmpty { streamlessSince = now }
    }

    mutating func broadcast(_ event: SessionEvent) {
        guard !listeners.all.isEmpty else { return }
        listeners.send(event, id: core.nextEventID(), &effects)
    }

    mutating func sendPending() {
        if !isClosed { listeners.sendPending(&core, &effects) }
    }

    mutating func nextBatch(of stream: EventStream) -> Listeners.Batch {
        isClosed ? Listeners.Batch() : listeners.nextBatch(of: stream, size: size, &core)
    }

    /// - Returns: whether the picture is lost, because no store holds it any longer.
    mutating func deliver(
        _ found: FinishedThumbnail?, of item: Int, in batch: Listeners.Batch, to stream: EventStream
    ) -> Bool {
        guard !isClosed, batch.size == size else { return false }
        return listeners.deliver(found, of: item, arePending: batch.arePending, to: stream, &core, &effects)
    }

    mutating func endDelivery(lost: [Int], of batch: Listeners.Batch, to stream: EventStream) {
        guard !isClosed else { return }
        fetchAgain(listeners.endDelivery(lost: lost, arePending: batch.arePending, to: stream, &core))
    }

    mutating func sendStats(_ server: ServerRates, _ snapshot: ServiceSnapshot) {
        guard !listeners.all.isEmpty else { return }
        core.elapse(to: pageTime)
        broadcast(.stats(statsDocument(snapshot, server: server)))
    }

    // MARK: Reports

    private var mayReportAudience: Bool { !isClosed && hasFollowers && listeners.receives("audience") }

    /// Returns whether reports of the followers' places must begin.
    mutating func beginAudienceReports() -> Bool {
        guard !reportsAudience else { return false }
        return continueAudienceReports()
    }

    /// Returns whether a further report follows.
    mutating func continueAudienceReports() -> Bool {
        reportsAudience = mayReportAudience
        return reportsAudience
    }

    /// Sends an `audience` event if it differs from the last one.
    mutating func send(audience event: SessionEvent) {
        guard event.data != audience else { return }
        audience = event.data
        broadcast(event)
    }

    /// The place that the session's presenter sees, or `nil` if the session has ended.
    var place: FollowerPlace? {
        guard !isClosed else { return nil }
        return FollowerPlace(
            session: identity.id, item: core.plan.visible.lowerBound, isPrefetching: core.model.prefetching,
            exposure: core.exposure.totals)
    }

    /// Returns the data for a progress report, or `nil` if no listener wants reports any longer.
    mutating func progress() -> ProgressReport? {
        guard !isClosed, listeners.receives("progress") || listeners.receives("record") else {
            reportsProgress = false
            core.ignoreRecordChanges()
            return nil
        }
        return ProgressReport(wanted: core.plan.wanted, skipped: core.skipped, size: size)
    }

    /// Sends the changed pictures of the record, if a listener wants them.
    mutating func sendRecordChanges(_ transfers: TransferMeter.Overview, at size: ThumbnailSize) {
        guard !isClosed, listeners.receives("record") else { return }
        if size == self.size { core.requested(transfers.inFlight, at: pageTime) }
        if let changes = core.recordChanges() { broadcast(SessionEvent(name: "record", data: changes)) }
    }

    /// The last two minutes of scrolling.
    var trace: Trace {
        Trace(
            name: "", itemCount: core.model.layout.itemCount, viewport: core.model.viewport, layout: layout.options,
            samples: Array(core.record.samples))
    }

    /// The last minute, up to now.
    var record: RecordDocument { core.recordDocument(layout.options) }
}
