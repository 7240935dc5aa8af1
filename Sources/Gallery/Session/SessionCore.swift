import Thumbnails
import Viewport

/// The items one page shows, wants and holds, as a value: updates in, plans out, no clock and no I/O.
package struct SessionCore: Sendable {
    /// One posted viewport.
    package struct Update: Sendable, Equatable {
        var seq: Int
        /// The page's clock, milliseconds.
        var time: Double
        var scrollTop: Double
        var viewport: Size?
        var phase: ScrollPhase?
        /// Where the person may go next.
        var hint: Hint?
        /// Visible items whose picture the page no longer holds.
        var missing: [Int] = []

        package init(
            seq: Int, time: Double, scrollTop: Double, viewport: Size? = nil, phase: ScrollPhase? = nil,
            hint: Hint? = nil, missing: [Int] = []
        ) {
            self.seq = seq
            self.time = time
            self.scrollTop = scrollTop
            self.viewport = viewport
            self.phase = phase
            self.hint = hint
            self.missing = missing
        }

        var sample: ScrollSample {
            ScrollSample(time: time, scrollTop: scrollTop, phase: phase, hint: hint)
        }
    }

    package private(set) var model: ViewportModel
    package private(set) var plan: Plan
    /// Number of the last update taken; -1 before the first.
    package private(set) var seq = -1
    private(set) var cancelledCount = 0
    private(set) var readyCount = 0
    package private(set) var exposure = Exposure()
    /// Whether the plan wants something else, or in another order, than when ``takeWants()`` was called last.
    private var hasNewWants = true
    private var lastEventID = 0

    /// Pictures that the page is known to hold, or as many as two screens want where that is more. The page holds 1,200,
    /// and at least as many: an item that is forgotten here is sent again when it is wanted again.
    package static let pageCapacity = 1000

    /// Items in ``skipped``, at most.
    private static let maxSkipped = 500

    /// - Parameter scrollTop: where the page opens, so that a link into the middle fetches nothing of the top.
    package init(model: ViewportModel, scrollTop: Double = 0, time: Double = 0) {
        self.model = model
        self.plan = self.model.update(ScrollSample(time: time, scrollTop: scrollTop, phase: .idle))
        exposure.update(plan.visible, at: time, isReady: { _ in false })
    }

    /// The present cost of fetching; the next plan uses it.
    mutating func setNetwork(_ network: NetworkEstimate) { model.network = network }

    /// Notes how much of an item's download has come; the next plan uses it.
    mutating func note(_ transfer: TransferMeter.Progress, of item: Int) {
        model.started(item, at: model.time)
        model.received(item, fraction: transfer.share, of: transfer.total.map(Double.init))
    }

    /// Takes an update; `nil` where its `seq` is not above the last one taken, and nothing changes.
    package mutating func update(_ update: Update) -> Plan? {
        guard update.seq > seq else { return nil }
        seq = update.seq
        forget(update.missing)
        if let viewport = update.viewport, viewport != model.viewport, viewport.width == model.viewport.width {
            take(model.relayout(model.layout, viewport: viewport))
        }
        take(model.update(update.sample))
        return plan
    }

    /// Moves the viewport to `scrollTop`, or lets time pass where it stays.
    mutating func advance(to scrollTop: Double, phase: ScrollPhase?, time: Double) -> Plan {
        take(model.update(ScrollSample(time: time, scrollTop: scrollTop, phase: phase)))
        return plan
    }

    /// Takes in that time has passed and nothing moved.
    mutating func tick(at time: Double) {
        take(model.tick(at: time))
    }

    /// Counts what is shown up to now, without an update.
    mutating func elapse(to time: Double) { exposure.elapse(to: time) }

    mutating func relayout(_ layout: any Layout, viewport: Size) -> Plan {
        take(model.relayout(layout, viewport: viewport))
        return plan
    }

    mutating func setPolicy(_ policy: PolicyName) -> Plan {
        take(model.setPolicy(policy))
        return plan
    }

    mutating func setPrefetching(_ on: Bool) -> Plan {
        take(model.setPrefetching(on))
        return plan
    }

    /// Forgets what became of these items, so that they are asked for again where they are wanted.
    mutating func forget(_ items: [Int]) { model.ledger.forget(items) }

    /// Items whose preview was dropped on its way: it may go out again.
    mutating func forgetPreviews(_ items: [Int]) { model.ledger.forgetPreviews(items) }

    /// Every item is to be rendered anew, at another size: nothing that was sent counts any more.
    mutating func forgetAll() {
        model.ledger.forgetAll()
        hasNewWants = true
    }

    // MARK: Pictures that came

    /// An item's picture has come and goes out.
    ///
    /// - Returns: the id of its event.
    package mutating func finished(_ item: Int, bytes: Int, time: Double) -> Int {
        readyCount += 1
        exposure.finished(item, bytes: bytes, at: time)
        let id = nextEventID()
        model.ledger.sent(item, event: id, capacity: capacity)
        return id
    }

    /// The preview of an item has come, and goes out until its picture comes.
    ///
    /// - Returns: the id of its event; `nil` where the page has it already, or what is better.
    package mutating func previewed(_ item: Int) -> Int? {
        guard lacksPreview(item) else { return nil }
        let id = nextEventID()
        model.ledger.previewed(item, event: id, capacity: capacity)
        return id
    }

    /// Whether neither an item's preview went out nor what is better.
    func lacksPreview(_ item: Int) -> Bool { !isSettled(item) && model.ledger.preview(of: item) == nil }

    /// Whether an item's preview went out, and nothing better since.
    func showsPreview(_ item: Int) -> Bool { model.ledger.preview(of: item) != nil }

    /// Visible items whose preview a client that has everything up to event `lastHeard` lacks.
    package func unheardPreviews(since lastHeard: Int) -> [Int] {
        plan.visible.filter { model.ledger.preview(of: $0) ?? 0 > lastHeard }
    }

    /// Items that the page is taken to hold, of each tier.
    private var capacity: Int { max(Self.pageCapacity, 2 * (plan.wanted.count + plan.visible.count)) }

    /// Notes that an item's picture is sent again, to a listener that lacks it.
    ///
    /// - Returns: the id of its event; `nil` where it is not known to have been sent.
    mutating func resent(_ item: Int) -> Int? {
        guard model.ledger.event(of: item) != nil else { return nil }
        let id = nextEventID()
        model.ledger.resent(item, event: id)
        return id
    }

    /// An item's picture will not come.
    package mutating func failed(_ item: Int, _ failure: ItemFailure) -> Int {
        model.ledger.failed(item, failure)
        return nextEventID()
    }

    /// Whether an item's picture went out, or never will.
    func isSettled(_ item: Int) -> Bool { model.ledger.isSettled(item) }

    /// Why an item has no picture, where that is remembered.
    func failure(of item: Int) -> ItemFailure? { model.ledger.error(of: item) as? ItemFailure }

    /// Items that have no picture, as far as it is remembered why.
    package var failureCount: Int { model.ledger.failedItems.count }

    /// Wanted items whose picture has not come yet.
    var unfinished: Int { plan.wanted.count { !isSettled($0.item) } }

    mutating func nextEventID() -> Int {
        lastEventID += 1
        return lastEventID
    }

    // MARK: Listeners

    /// Adds a listener, which has got everything so far.
    ///
    /// - Returns: its number in the ledger.
    package mutating func addListener() -> Int { model.ledger.addListener() }

    /// Has a listener owed what it lacks of what was sent: pictures, those visible first, and failures.
    ///
    /// - Parameter lastHeard: the last event that it knows of.
    /// - Returns: whether there is any.
    package mutating func catchUp(_ listener: Int, lastHeard: Int, pictures: Bool, failures: Bool) -> Bool {
        let items = (pictures ? unheard(since: lastHeard) : []) + (failures ? Array(model.ledger.failedItems) : [])
        model.ledger.setBacklog(items, of: listener)
        return !items.isEmpty
    }

    /// The items that a client which has heard everything up to event `lastHeard` lacks, visible ones first.
    package func unheard(since lastHeard: Int) -> [Int] {
        let visible = plan.visible
        let lacking = model.ledger.items(sentAfter: lastHeard)
        return lacking.filter(visible.contains).sorted() + lacking.filter { !visible.contains($0) }
    }

    /// Removes a listener. What it was not sent is newer than its last event, so it gets that when it reconnects.
    ///
    /// - Returns: items whose whole picture it lacks.
    package mutating func removeListener(_ listener: Int) -> [Int] {
        let (unsent, owed) = model.ledger.removeListener(listener)
        for item in unsent { _ = resent(item) }
        return Array(owed)
    }

    func owesPictures(to listener: Int) -> Bool { model.ledger.owesPictures(to: listener) }

    /// The first visible items whose whole picture a listener is owed.
    func visibleOwed(to listener: Int, most count: Int) -> [Int] {
        model.ledger.owed(to: listener, in: plan.visible, most: count)
    }

    mutating func owe(_ items: some Sequence<Int>, to listener: Int) { model.ledger.owe(items, to: listener) }

    mutating func delivered(_ item: Int, whole: Bool, to listener: Int) {
        model.ledger.delivered(item, whole: whole, to: listener)
    }

    package mutating func beginResending(to listener: Int, most count: Int, owed: [Int]) -> (
        items: [Int], areOwed: Bool
    ) {
        model.ledger.beginResending(to: listener, most: count, owed: owed)
    }

    package mutating func endResending(to listener: Int) { model.ledger.endResending(to: listener) }

    // MARK: Plans

    /// The wants of the plan, if they changed since they were last taken: these go to the pool. Most updates scroll
    /// by less than a row and change nothing.
    package mutating func takeWants() -> [Want]? {
        defer { hasNewWants = false }
        return hasNewWants ? plan.wanted : nil
    }

    /// Items between here and the landing that are missing and skipped on purpose: they will fly past.
    var skipped: [Int] {
        guard abs(plan.velocity) > 1 else { return [] }
        let wanted = Set(plan.wanted.lazy.map(\.item))
        let low = min(plan.scrollTop, plan.landing.scrollTop)
        let high = max(plan.scrollTop, plan.landing.scrollTop) + model.viewport.height
        // The nearest ones, where the way is long.
        let way = model.layout.items(in: low..<high)
        let near = plan.velocity > 0 ? way.prefix(4 * Self.maxSkipped) : way.suffix(4 * Self.maxSkipped)
        return Array(near.lazy.filter { !wanted.contains($0) && !isSettled($0) }.prefix(Self.maxSkipped))
    }

    private mutating func take(_ newPlan: Plan) {
        let isSame = plan.wanted.elementsEqual(newPlan.wanted) {
            $0.item == $1.item && $0.visible == $1.visible && $0.generation == $1.generation
                && $0.isPreviewEnough == $1.isPreviewEnough
        }
        if !isSame { hasNewWants = true }
        plan = newPlan
        cancelledCount += newPlan.cancel.count
        exposure.update(newPlan.visible, at: model.time, isReady: model.ledger.isSettled)
    }
}
