import Replay
import Thumbnails
import Viewport

/// The items that one page shows, wants and holds, as a value. Takes updates and returns plans, without a clock and without I/O.
package struct SessionCore: Sendable {
    /// The model, with the ledger of what the page wants, holds and lacks. Changes of the ledger that need nothing else of this value are
    /// made there.
    package var model: ViewportModel
    package private(set) var plan: Plan
    /// Sequence number of the last accepted update. -1 before the first.
    package private(set) var seq = -1
    private(set) var cancelledCount = 0
    private(set) var readyCount = 0
    package private(set) var exposure = Exposure()
    private(set) var record = ScrollRecord()
    /// Whether the plan's wants or their order changed since the last call of ``takeWants()``.
    private var hasNewWants = true
    private var lastEventID = 0

    /// Minimum number of pictures that the page is assumed to hold. If twice the wanted and visible items are more, that number
    /// is assumed.
    ///
    /// The page holds at least 1,200 pictures. An item that the server forgets earlier is only sent again when wanted again.
    package static let pageCapacity = 1000

    private static let maxSkipped = 500

    /// - Parameter scrollTop: position at which the page opens, so that a link into the middle fetches nothing from the top.
    package init(model: ViewportModel, scrollTop: Double = 0, time: Double = 0) {
        self.model = model
        self.plan = self.model.update(ScrollSample(time: time, scrollTop: scrollTop, phase: .idle))
        exposure.update(plan.visible, at: time, isReady: { _ in false })
        note(plan)
    }

    /// Records how much of an item's download has arrived. The next plan uses it.
    mutating func note(_ transfer: TransferMeter.Progress, of item: Int) {
        model.started(item, at: model.time)
        record.requested(item, at: model.time - transfer.elapsed, after: transfer.limit)
        model.received(item, fraction: transfer.share, of: transfer.total.map(Double.init))
    }

    /// Applies an update. Returns `nil` and changes nothing if the update's `seq` is not above the last accepted one.
    package mutating func update(_ update: ViewportUpdate) -> Plan? {
        guard update.seq > seq else { return nil }
        seq = update.seq
        record.add(update.sample)
        model.ledger.forget(update.missing)
        if let viewport = update.viewport, viewport != model.viewport, viewport.width == model.viewport.width {
            take(model.relayout(model.layout, viewport: viewport))
        }
        take(model.update(update.sample))
        return plan
    }

    /// Moves the viewport to `scrollTop`, or advances the time if the viewport is already there.
    mutating func advance(to scrollTop: Double, phase: ScrollPhase?, time: Double) {
        take(model.update(ScrollSample(time: time, scrollTop: scrollTop, phase: phase)))
    }

    /// Advances the time without a movement.
    mutating func tick(at time: Double) { take(model.tick(at: time)) }

    mutating func relayout(_ layout: any Layout, viewport: Size) {
        record.restart(at: model.time)
        take(model.relayout(layout, viewport: viewport))
        // Before the first update, the page's clock is unknown.
        if seq >= 0 { record.add(ScrollSample(time: model.time, scrollTop: plan.scrollTop, phase: .idle)) }
    }

    mutating func setPolicy(_ policy: PolicyName) { take(model.setPolicy(policy), hasNewPolicy: true) }

    mutating func setPrefetching(_ on: Bool) { take(model.setPrefetching(on), hasNewPolicy: true) }

    /// Adds the exposure of the visible cells up to now, without an update.
    mutating func elapse(to time: Double) { exposure.elapse(to: time) }

    /// Forgets the outcomes of all items, because every item must be rendered again at another size.
    mutating func forgetAll() {
        model.ledger.forgetAll()
        hasNewWants = true
    }

    // MARK: Finished pictures

    /// Records that an item's picture is finished and is being sent.
    ///
    /// - Returns: the id of the picture's event.
    package mutating func finished(_ item: Int, bytes: Int, time: Double) -> Int {
        readyCount += 1
        exposure.finished(item, bytes: bytes, at: time)
        record.arrived(item, bytes: bytes, at: time)
        record.expose(visible: exposure.visibleCount, blank: exposure.blankCount, at: time)
        let id = nextEventID()
        model.ledger.sent(item, event: id, capacity: capacity)
        return id
    }

    /// Records that the preview of an item is being sent, for display until the picture follows.
    ///
    /// - Returns: the id of the preview's event, or `nil` if the page already has the preview or the picture.
    package mutating func previewed(_ item: Int) -> Int? {
        guard lacksPreview(item) else { return nil }
        let id = nextEventID()
        model.ledger.previewed(item, event: id, capacity: capacity)
        return id
    }

    /// Whether neither a preview nor a final outcome of an item was sent.
    func lacksPreview(_ item: Int) -> Bool {
        !model.ledger.isSettled(item) && model.ledger.preview(of: item) == nil
    }

    /// Returns the visible items whose previews a client lacks if it has received every event up to `lastEventID`.
    package func unreceivedPreviews(since lastEventID: Int) -> [Int] {
        plan.visible.filter { model.ledger.preview(of: $0) ?? 0 > lastEventID }
    }

    /// Number of items that the page is assumed to hold, in each tier.
    private var capacity: Int { max(Self.pageCapacity, 2 * (plan.wanted.count + plan.visible.count)) }

    /// Records that an item's picture is sent again to a listener that lacks the picture.
    ///
    /// - Returns: the id of the event, or `nil` if the picture is not known to have been sent before.
    mutating func resent(_ item: Int) -> Int? {
        guard model.ledger.event(of: item) != nil else { return nil }
        let id = nextEventID()
        model.ledger.resent(item, event: id)
        return id
    }

    /// Records that an item has no picture. Returns the id of the event that reports the failure.
    package mutating func failed(_ item: Int, _ failure: ItemFailure) -> Int {
        model.ledger.failed(item, failure)
        record.failed(item, at: model.time)
        return nextEventID()
    }

    /// Returns the reason why an item has no picture, or `nil` if none is remembered.
    func failure(of item: Int) -> ItemFailure? { model.ledger.error(of: item) as? ItemFailure }

    /// Number of wanted items whose pictures are not finished.
    var unfinished: Int { plan.wanted.count { !model.ledger.isSettled($0.item) } }

    mutating func nextEventID() -> Int {
        lastEventID += 1
        return lastEventID
    }

    // MARK: Listeners

    /// Marks the sent pictures (visible ones first) and failures that a listener lacks as pending for that listener.
    ///
    /// - Parameter lastEventID: id of the last event that the listener received.
    /// - Returns: whether anything is pending.
    package mutating func catchUp(_ listener: Int, lastEventID: Int, pictures: Bool, failures: Bool) -> Bool {
        let items = (pictures ? unreceived(since: lastEventID) : []) + (failures ? Array(model.ledger.failedItems) : [])
        model.ledger.setBacklog(items, of: listener)
        return !items.isEmpty
    }

    /// Returns the items that a client lacks if it has received every event up to `lastEventID`, visible items first.
    package func unreceived(since lastEventID: Int) -> [Int] {
        let visible = plan.visible
        let lacking = model.ledger.items(sentAfter: lastEventID)
        return lacking.filter(visible.contains).sorted() + lacking.filter { !visible.contains($0) }
    }

    /// Removes a listener. Pictures that were not sent to it get new event ids, so that it receives them when it reconnects.
    ///
    /// - Returns: items whose full pictures the listener lacks.
    package mutating func removeListener(_ listener: Int) -> [Int] {
        let (unsent, pending) = model.ledger.removeListener(listener)
        for item in unsent { _ = resent(item) }
        return Array(pending)
    }

    /// Returns the first visible items whose full pictures are pending for a listener.
    func visiblePending(to listener: Int, maximum count: Int) -> [Int] {
        model.ledger.pending(to: listener, in: plan.visible, maximum: count)
    }

    // MARK: Plans

    /// Returns the wants of the plan for the pool, or `nil` if the wants have not changed since the last call. Most updates
    /// scroll by less than a row and change no want.
    package mutating func takeWants() -> [Want]? {
        defer { hasNewWants = false }
        return hasNewWants ? plan.wanted : nil
    }

    /// Missing items between the viewport and the landing that are skipped on purpose, because they will scroll past quickly.
    var skipped: [Int] {
        guard abs(plan.velocity) > 1 else { return [] }
        let wanted = Set(plan.wanted.lazy.map(\.item))
        let low = min(plan.scrollTop, plan.landing.scrollTop)
        let high = max(plan.scrollTop, plan.landing.scrollTop) + model.viewport.height
        // If the distance is long, only the nearest items count.
        let passed = model.layout.items(in: low..<high)
        let near = plan.velocity > 0 ? passed.prefix(4 * Self.maxSkipped) : passed.suffix(4 * Self.maxSkipped)
        return Array(near.lazy.filter { !wanted.contains($0) && !model.ledger.isSettled($0) }.prefix(Self.maxSkipped))
    }

    private mutating func take(_ newPlan: Plan, hasNewPolicy: Bool = false) {
        let isSame = plan.wanted.elementsEqual(newPlan.wanted) {
            $0.item == $1.item && $0.visible == $1.visible && $0.generation == $1.generation
                && $0.isPreviewEnough == $1.isPreviewEnough
        }
        if !isSame { hasNewWants = true }
        plan = newPlan
        cancelledCount += newPlan.cancel.count
        exposure.update(newPlan.visible, at: model.time, isReady: model.ledger.isSettled)
        note(newPlan, hasNewPolicy: hasNewPolicy)
    }

    private mutating func note(_ plan: Plan, hasNewPolicy: Bool = false) {
        record.add(
            plan, at: model.time, direction: model.direction, hasJumped: model.hasJumped, hasNewPolicy: hasNewPolicy)
        record.show(plan.visible, at: model.time)
        record.expose(visible: exposure.visibleCount, blank: exposure.blankCount, at: model.time)
    }

    // MARK: The record

    /// The last minute as a document.
    func recordDocument(_ options: LayoutOptions) -> RecordDocument {
        RecordDocument(record, model, options, held: model.ledger.items(sentAfter: -1))
    }

    /// Returns the changes of the record since the last call, as JSON, or `nil` if there are none.
    mutating func recordChanges() -> [UInt8]? {
        let changes = record.takeChanges()
        if changes.pictures.isEmpty, changes.stops.isEmpty { return nil }
        return RecordDocument.changes(changes, of: record, in: model.layout)
    }

    /// Moves the times of the record, because the first update reports the page's clock.
    mutating func shiftRecord(by offset: Double) { if offset.isFinite { record.shift(by: offset) } }

    /// Records that downloads are running.
    mutating func requested(_ transfers: [(item: Int, progress: TransferMeter.Progress)], at time: Double) {
        for (item, transfer) in transfers {
            record.requested(item, at: time - transfer.elapsed, after: transfer.limit)
        }
    }

    mutating func ignoreRecordChanges() { record.ignoreChanges() }
}
