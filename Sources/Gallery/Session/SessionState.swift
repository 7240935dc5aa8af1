import MicroHTTP
import Pictures
import TaskPool
import Thumbnails
import Viewport

/// All that a session's lock guards, as a value: calls in, effects out. It locks nothing and waits for nobody; what a decision
/// needs from outside is handed in.
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
    /// The viewer's name, as followers see it; empty for none.
    private(set) var name: String
    /// The item that is open in the viewer, as far as the page tells.
    private(set) var viewing: Int?
    /// When the last stream went, or the session began.
    private(set) var aloneSince: Double?

    /// The session's clock, milliseconds, at the call that is under way.
    private(set) var now = 0.0
    private var hasFollowers = false
    /// The model's clock less the session's, milliseconds, as of the last update.
    private var clockOffset = 0.0
    private var pool: SessionID?
    /// Keeps the gallery, until the session is closed.
    private var use: PictureGallery.Use?
    /// When the timer is due that is set.
    private var wakeTime: Double?
    /// When its streams hear of the next plan.
    private var planPace = EventPace()
    /// Whether pages are about to be told that pictures have shapes that the layout does not reckon with.
    private var announcesLayout = false
    /// Whether progress reports are under way.
    private var reportsProgress = false
    /// The last two minutes of scrolling, at 60 samples a second.
    private var recorder = TraceRecorder(capacity: 7200)

    /// How long pictures' shapes are gathered before pages are told of them, in milliseconds.
    private static let shapePause = 500.0
    /// Previews that are looked for with one list of wants, at most.
    private static let mostKnownPreviews = 128

    init(
        identity: Identity, core: SessionCore, use: PictureGallery.Use?, options: LayoutOptions, pixelRatio: Double,
        name: String
    ) {
        self.identity = identity
        self.core = core
        self.use = use
        layout = SessionLayout(options, width: core.model.viewport.width, pixelRatio: pixelRatio)
        self.name = name
    }

    /// A session by itself, of no gallery.
    package init(core: SessionCore, options: LayoutOptions) {
        self.init(identity: Identity(), core: core, use: nil, options: options, pixelRatio: 1, name: "")
    }

    /// The size that thumbnails of this session are rendered to.
    var size: ThumbnailSize { layout.size }

    /// Notes what the call that begins has to know.
    mutating func begin(at time: Double, hasFollowers: Bool) {
        now = max(now, time)
        self.hasFollowers = hasFollowers
    }

    /// The model's clock, which follows that of the page.
    private var pageTime: Double { now + clockOffset }

    /// Begins to want what is visible.
    package mutating func open(as pool: SessionID) {
        self.pool = pool
        aloneSince = now
        submitWants()
    }

    /// Ends it: its streams say `bye`.
    mutating func close(bye: Event) {
        guard !isClosed else { return }
        isClosed = true
        layout.close()
        listeners.close(bye: bye, &effects)
        effects.steps.append(.close(pool, bye: bye, use))
        use = nil
    }

    // MARK: Scrolling

    /// Takes a posted viewport.
    ///
    /// - Throws: 422 where too much would be visible.
    mutating func answer(
        _ posted: PostedViewport, _ transfers: TransferMeter.Overview, at size: ThumbnailSize
    ) throws(Problem) -> PostedAnswer {
        var update = posted.update
        let current = requestedViewport
        update.viewport = posted.size.applied(to: current)
        if let viewport = update.viewport, viewport != current {
            try VisibleItemLimit.check(
                layout.requestedOptions, in: viewport, field: viewport.height != current.height ? "/height" : "/width")
        }
        return needsLayout(for: update) ? .waits(update) : .plan(plan(after: update, transfers, at: size))
    }

    /// Takes an update whose layout is there now.
    ///
    /// - Parameters:
    ///   - transfers: what fetching costs, and what is under way.
    ///   - size: of the thumbnails that those are for.
    /// - Returns: the plan in force after it.
    mutating func plan(
        after update: SessionCore.Update, _ transfers: TransferMeter.Overview, at size: ThumbnailSize
    ) -> [UInt8] {
        if takes(update) {
            note(transfers, at: size)
            take(update)
        }
        return core.plan.document(seq: core.seq)
    }

    private mutating func note(_ transfers: TransferMeter.Overview, at size: ThumbnailSize) {
        core.setNetwork(transfers.network)
        guard size == self.size else { return }
        for (item, progress) in transfers.inFlight { core.note(progress, of: item) }
    }

    private func takes(_ update: SessionCore.Update) -> Bool { !isClosed && update.seq > core.seq }

    package mutating func take(_ update: SessionCore.Update) {
        recorder.append(update.sample)
        forgive(update.missing)
        guard core.update(update) != nil else { return }
        // The model's clock, which bounds what a page may send and never runs backwards.
        clockOffset = core.model.time - now
        planChanged()
    }

    mutating func scroll(_ request: ScrollRequest) {
        let (scrollTop, item): (Double, Int?) =
            switch request.target {
            case .item(let item): (core.model.layout.frame(of: item).y, item)
            case .scrollTop(let scrollTop): (scrollTop, nil)
            }
        _ = core.advance(to: scrollTop, phase: .jump, time: pageTime)
        broadcast(.scroll(scrollTop: core.plan.scrollTop, item: item, animated: request.animated))
        planChanged()
    }

    /// Hands a new plan to the pool, to the streams and to the clock.
    mutating func planChanged() {
        guard !isClosed else { return }
        let cancelled = core.plan.cancel
        if !cancelled.isEmpty { effects.cancelled.append(SessionEffects.Items(items: cancelled, size: size)) }
        submitWants()
        if listeners.haveQueued { listeners.discardStale(core.plan, &effects) }
        publishPlan()
        listeners.sendOwed(&core, &effects)
        setTimer()
    }

    /// Tells the pool what is wanted, where that changed.
    private mutating func submitWants() {
        guard let pool, !isClosed, let wanted = core.takeWants() else { return }
        let lackPreview = wanted.lazy.map(\.item).filter(core.lacksPreview).prefix(Self.mostKnownPreviews)
        effects.wants = SessionEffects.Wants(list: wanted, size: size, pool: pool, lackPreview: Array(lackPreview))
    }

    /// Tells the pages of this session, and those who follow it, of the plan in force: ``EventPace/rate`` times a second
    /// at most, and the last one for certain. The page that posted the update has the plan from its answer.
    private mutating func publishPlan() {
        guard hasFollowers || listeners.hears("plan") else { return }
        switch planPace.offer(at: now) {
        case .now: sendPlan()
        case .taken: break
        case .later(let wait): effects.steps.append(.remind(.plan, milliseconds: wait))
        }
    }

    private mutating func sendPlan() {
        let event = SessionEvent.plan(core.plan, seq: core.seq)
        broadcast(event)
        if hasFollowers { effects.steps.append(.tellFollowers(event)) }
    }

    /// Wakes up when the model asked to be heard again although nobody scrolls. One timer at the most; one that is due
    /// too early looks again when it fires.
    private mutating func setTimer() {
        guard let tick = core.model.nextTick else { return }
        let due = tick - clockOffset
        guard due < wakeTime ?? .infinity else { return }
        wakeTime = due
        effects.wakeTime = due
    }

    /// Allows another try for those of these items that failed.
    private mutating func forgive(_ items: [Int]) {
        let failed = items.filter { core.failure(of: $0) != nil }
        if !failed.isEmpty { effects.forgiven.append(SessionEffects.Items(items: failed, size: size)) }
    }

    /// Fetches again thumbnails that were made and are in no store any more, without waiting for a scroll.
    private mutating func fetchAgain(_ items: [Int]) {
        guard !items.isEmpty else { return }
        forgive(items)
        core.forget(items)
        _ = core.advance(to: core.plan.scrollTop, phase: nil, time: pageTime)
        planChanged()
    }

    // MARK: Layouts

    private var requestedViewport: Size { layout.requestedViewport(core.model.viewport) }

    /// Changes what is given, the layout as soon as it is there; the item at the top of the viewport stays there.
    ///
    /// - Returns: whether a layout is on its way, to be waited for until ``endWaiting()``, and whether the plan that is in
    ///   force until then was made known already.
    /// - Throws: 422 where more would be visible than may be.
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
            effects.steps.append(.tellFollowers(.hello(followDocument(followers: followers))))
        }
        if let policy = change.policy { _ = core.setPolicy(policy) }
        if let prefetching = change.prefetching { _ = core.setPrefetching(prefetching) }
        var isPublished = true
        if change.options != nil || viewport != nil || change.pixelRatio != nil {
            isPublished = request(change.options, viewport: viewport, pixelRatio: change.pixelRatio)
        }
        if isPublished { planChanged() }
        return (layout.beginWaiting(), isPublished)
    }

    /// Whether an update has to wait for a layout: its viewport has a width for which there is none yet, and nobody has
    /// requested it before.
    private mutating func needsLayout(for update: SessionCore.Update) -> Bool {
        guard takes(update), let viewport = update.viewport else { return false }
        if viewport.width == requestedViewport.width {
            layout.setHeight(viewport.height)
            return false
        }
        return !request(nil, viewport: viewport, pixelRatio: nil) && layout.beginWaiting()
    }

    mutating func endWaiting() { layout.endWaiting() }

    /// A requested layout is there.
    ///
    /// - Parameter next: an update that is taken right after this.
    mutating func fulfil(_ request: PendingLayout, with new: any Layout, before next: SessionCore.Update? = nil) {
        guard let current = layout.current(request) else { return }
        layOut(new, current)
        if let next, takes(next) { return }
        planChanged()
    }

    /// - Returns: whether the layout in force will do.
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
            // Wants at the old size end, ready or not.
            if let pool { effects.endWants(of: pool) }
        }
        let old = core.model.layout
        _ = core.relayout(new, viewport: request.viewport)
        effects.steps.append(.release(old))
    }

    /// A picture or a preview has come, in a shape that the layout may not reckon with.
    private mutating func checkShape(of item: Int) {
        guard !announcesLayout, layout.options.needsAspectRatios else { return }
        effects.steps.append(.checkShape(item: item, core.model.layout.frame(of: item)))
    }

    /// A picture is shown in a wrong shape: the pages are told, once for all pictures of half a second, and ask for the
    /// layout anew when nothing moves.
    mutating func isMisshapen() {
        guard !announcesLayout else { return }
        announcesLayout = true
        effects.steps.append(.remind(.layout, milliseconds: Self.shapePause))
    }

    // MARK: Events of the pool and of timers

    /// - Parameter bytes: downloaded for it.
    mutating func finished(_ picture: FinishedThumbnail, bytes: Int, at size: ThumbnailSize) {
        guard !isClosed, size == self.size else { return }
        let id = core.finished(picture.item, bytes: bytes, time: pageTime)
        listeners.send(picture, id: id, &core, &effects)
        listeners.sendOwed(&core, &effects)
        checkShape(of: picture.item)
    }

    mutating func failed(_ item: Int, _ failure: ItemFailure, at size: ThumbnailSize) {
        guard !isClosed, size == self.size else { return }
        let id = core.failed(item, failure)
        listeners.send(.failed(failure, item: item), id: id, &effects)
    }

    /// A preview has come, or is remembered: a cell shows it until the thumbnail is made. Otherwise nothing changes: the
    /// item is still wanted, and still counts as blank.
    mutating func previewed(_ preview: FinishedThumbnail, at size: ThumbnailSize) {
        guard !isClosed, size == self.size, let id = core.previewed(preview.item) else { return }
        listeners.send(.preview(preview), id: id, &effects)
        checkShape(of: preview.item)
    }

    /// Queued pictures were dropped on their way to a listener.
    mutating func discarded(_ items: [Int], of listener: Int) {
        guard !isClosed else { return }
        core.owe(items, to: listener)
        core.forgetPreviews(items)
        listeners.sendOwed(&core, &effects)
    }

    /// A timer that was set, or one that it replaced, is due.
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
        case .owedPictures:
            listeners.isReminded = false
            sendOwed()
        }
    }

    // MARK: Listeners

    /// Adds a listener, which hears `hello` and the plan.
    ///
    /// - Returns: whether progress reports have to begin, and items whose preview it lacks; `nil` where it was not taken.
    mutating func attach(
        _ stream: EventStream, only: Set<String>?, lastHeard: Int, limit: Int, _ outside: Outside
    ) -> (beginsProgress: Bool, lackPreview: [Int])? {
        guard !isClosed, listeners.all.count < limit else { return nil }
        let listener = listeners.add(stream, only: only, &core)
        aloneSince = nil
        listener.send(.hello(document(outside)), id: core.nextEventID(), &effects)
        listener.send(.plan(core.plan, seq: core.seq), id: core.nextEventID(), &effects)
        let hearsPictures = listener.hears("thumbnail")
        let lacksAny = core.catchUp(
            listener.number, lastHeard: lastHeard, pictures: hearsPictures, failures: listener.hears("failed"))
        if lacksAny { listeners.resend(to: stream, &effects) }
        let begins = listener.hears("progress") && !reportsProgress
        if begins { reportsProgress = true }
        return (begins, hearsPictures ? core.unheardPreviews(since: lastHeard) : [])
    }

    /// Sends a listener a preview that it has not heard of.
    mutating func show(_ preview: FinishedThumbnail, at size: ThumbnailSize, to stream: EventStream) {
        guard size == self.size, core.showsPreview(preview.item), let listener = listeners.listener(of: stream) else {
            return
        }
        listener.send(.preview(preview), id: core.nextEventID(), &effects)
    }

    mutating func tell(_ event: SessionEvent, to stream: EventStream) {
        listeners.listener(of: stream)?.send(event, id: core.nextEventID(), &effects)
    }

    mutating func detach(_ stream: EventStream) {
        guard listeners.listener(of: stream) != nil else { return }
        fetchAgain(listeners.remove(stream, &core))
        if listeners.all.isEmpty { aloneSince = now }
    }

    /// Sends an event of its own to every stream.
    mutating func broadcast(_ event: SessionEvent) {
        guard !listeners.all.isEmpty else { return }
        listeners.send(event, id: core.nextEventID(), &effects)
    }

    mutating func sendOwed() {
        if !isClosed { listeners.sendOwed(&core, &effects) }
    }

    mutating func nextBatch(of stream: EventStream) -> Listeners.Batch {
        isClosed ? Listeners.Batch() : listeners.nextBatch(of: stream, size: size, &core)
    }

    /// - Returns: whether the picture is in no store any more.
    mutating func deliver(
        _ found: FinishedThumbnail?, of item: Int, in batch: Listeners.Batch, to stream: EventStream
    ) -> Bool {
        guard !isClosed, batch.size == size else { return false }
        return listeners.deliver(found, of: item, areOwed: batch.areOwed, to: stream, &core, &effects)
    }

    mutating func endDelivery(lost: [Int], of batch: Listeners.Batch, to stream: EventStream) {
        guard !isClosed else { return }
        fetchAgain(listeners.endDelivery(lost: lost, areOwed: batch.areOwed, to: stream, &core))
    }

    mutating func sendStats(_ server: ServerRates, _ outside: Outside) {
        guard !listeners.all.isEmpty else { return }
        core.elapse(to: pageTime)
        broadcast(.stats(statsDocument(outside, server: server)))
    }

    // MARK: Reports

    /// The data for a progress report; `nil` where nobody listens any more.
    mutating func progress() -> ProgressReport? {
        guard !isClosed, listeners.hears("progress") else {
            reportsProgress = false
            return nil
        }
        return ProgressReport(wanted: core.plan.wanted, skipped: core.skipped, size: size)
    }

    var trace: SessionTrace {
        recorder.trace(
            itemCount: core.model.layout.itemCount, viewport: core.model.viewport, layout: layout.options)
    }
}
