import Viewport

/// What one page shows, wants and holds, as a value: updates in, plans out, no clock and no I/O.
struct SessionCore: Sendable {
    /// One posted viewport.
    struct Update: Sendable, Equatable {
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

        var sample: ScrollSample {
            ScrollSample(time: time, scrollTop: scrollTop, phase: phase, hint: hint)
        }
    }

    private(set) var model: ViewportModel
    private(set) var plan: Plan
    /// Number of the last update taken; -1 before the first.
    private(set) var seq = -1
    private(set) var lastTime = 0.0
    private(set) var failures: [Int: ItemFailure] = [:]
    private(set) var cancelledCount = 0
    private(set) var readyCount = 0
    private(set) var exposure = Exposure()
    private(set) var sent: SentItems
    private var lastEventID = 0

    /// Failures remembered for the items of one session; older ones are forgotten at the bound.
    static let maxFailures = 4096

    /// - Parameter scrollTop: where the page opens, so that a link into the middle fetches nothing of the top.
    init(model: ViewportModel, scrollTop: Double = 0, time: Double = 0) {
        self.model = model
        self.sent = SentItems(capacity: SentItems.defaultCapacity)
        self.lastTime = time
        self.plan = self.model.update(ScrollSample(time: time, scrollTop: scrollTop, phase: .idle))
        exposure.update(plan.visible, at: time, isReady: { _ in false })
    }

    /// What fetching costs now; the next plan reckons with it.
    mutating func setNetwork(_ network: NetworkEstimate) { model.network = network }

    /// So much of an item's download has come; the next plan reckons with it.
    mutating func note(_ transfer: TransferMeter.Progress, of item: Int) {
        model.started(item, at: lastTime)
        model.received(item, fraction: transfer.share, of: transfer.total.map(Double.init))
    }

    /// Takes an update; `nil` where its `seq` is not above the last one taken, and nothing changes.
    mutating func update(_ update: Update) -> Plan? {
        guard update.seq > seq else { return nil }
        seq = update.seq
        forget(update.missing)
        if let viewport = update.viewport, viewport != model.viewport, viewport.width == model.viewport.width {
            take(model.relayout(model.layout, viewport: viewport), at: update.time)
        }
        take(model.update(update.sample), at: update.time)
        return plan
    }

    /// Moves the viewport to `scrollTop`, or lets time pass where it stays.
    mutating func advance(to scrollTop: Double, phase: ScrollPhase?, time: Double) -> Plan {
        take(model.update(ScrollSample(time: time, scrollTop: scrollTop, phase: phase)), at: time)
        return plan
    }

    /// Counts what is on show up to now, where nobody says anything.
    mutating func elapse(to time: Double) { exposure.elapse(to: time) }

    mutating func relayout(_ layout: any Layout, viewport: Size) -> Plan {
        take(model.relayout(layout, viewport: viewport), at: lastTime)
        return plan
    }

    mutating func setPolicy(_ policy: PolicyName) -> Plan {
        take(model.setPolicy(policy), at: lastTime)
        return plan
    }

    mutating func setPrefetching(_ on: Bool) -> Plan {
        take(model.setPrefetching(on), at: lastTime)
        return plan
    }

    /// Forgets what was sent of these items, so that they are asked for again where they are wanted.
    mutating func forget(_ items: [Int]) {
        for item in items {
            sent.remove(item)
            failures[item] = nil
        }
        model.forget(items)
    }

    /// Every item is to be rendered anew, at another size: nothing that was sent counts any more.
    mutating func forgetAll() {
        let items = sent.items + Array(failures.keys)
        forget(items)
    }

    /// An item's picture has come and goes out.
    ///
    /// - Returns: the id of its event.
    mutating func finished(_ item: Int, bytes: Int, time: Double) -> Int {
        model.finished(item, as: .ready)
        readyCount += 1
        failures[item] = nil
        exposure.finished(item, bytes: bytes, at: time)
        let id = nextEventID()
        let room = max(SentItems.defaultCapacity, 2 * (plan.wanted.count + plan.visible.count))
        let forgotten = sent.record(item, id: id, capacity: room)
        if !forgotten.isEmpty { model.forget(forgotten) }
        return id
    }

    /// An item's picture goes out again, to somebody who has not got it.
    ///
    /// - Returns: the id of its event; `nil` where it is not known to have been sent.
    mutating func resent(_ item: Int) -> Int? {
        guard sent.id(of: item) != nil else { return nil }
        let id = nextEventID()
        _ = sent.record(item, id: id, capacity: sent.capacity)
        return id
    }

    /// An item's picture will not come.
    mutating func failed(_ item: Int, _ failure: ItemFailure) -> Int {
        model.finished(item, as: .failed)
        if failures.count >= Self.maxFailures, let oldest = failures.keys.first { failures[oldest] = nil }
        failures[item] = failure
        return nextEventID()
    }

    /// Whether an item's picture went out, or never will.
    func isFinished(_ item: Int) -> Bool { sent.id(of: item) != nil || failures[item] != nil }

    /// Wanted items whose picture has not come yet.
    var unfinished: Int { plan.wanted.count { !isFinished($0.item) } }

    mutating func nextEventID() -> Int {
        lastEventID += 1
        return lastEventID
    }

    /// The items shown or wanted now that a client which has heard everything up to event `lastHeard` lacks, visible
    /// ones first.
    func unheard(since lastHeard: Int) -> [Int] {
        let visible = plan.visible
        let lacking = sent.items.filter { (sent.id(of: $0) ?? 0) > lastHeard }
        return lacking.filter(visible.contains).sorted() + lacking.filter { !visible.contains($0) }
    }

    private mutating func take(_ newPlan: Plan, at time: Double) {
        lastTime = time
        plan = newPlan
        cancelledCount += newPlan.cancel.count
        exposure.update(newPlan.visible, at: time, isReady: isFinished)
    }
}
