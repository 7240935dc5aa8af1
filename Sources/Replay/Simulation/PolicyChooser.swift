import TaskPool
import Viewport

/// A policy at work: what runs here is what runs in the server.
package struct PolicyChooser: Chooser {
    package private(set) var model: ViewportModel
    private var pool: TaskPoolCore<Int>
    private var meter = NetworkMeter()
    private let origin: Origin
    private let lag: Double
    private var running: [Ticket<Int>] = []
    /// By item: when its first byte came, after how long a wait, and the bytes that the meter has counted since.
    private var begun: [Int: (waited: Double, at: Double, counted: Double)] = [:]
    /// Items that came and were cancelled before they were rendered.
    private var unrendered: Set<Int> = []
    /// When those came that are being rendered.
    private var came: [Int: Double] = [:]
    package private(set) var wanted: [Int] = []
    /// Items whose preview has come, and how long that takes from asking, as the server measures it.
    private var previewed: Set<Int> = []
    private var previewTime: Double?
    private static let session = SessionID(1)

    package init(model: ViewportModel, origin: Origin) {
        self.model = model
        self.origin = origin
        lag = origin.postDelay
        var limits = TaskPoolLimits()
        limits.lookUp = .max
        limits.fetch = origin.downloads
        limits.fetchPerHost = origin.downloads
        if let serving = origin.serving {
            limits.render = serving.renderWorkers
        } else {
            limits.hosts.limit.initial = origin.downloads
        }
        pool = TaskPoolCore(limits: limits)
    }

    /// The model counts in the samples' time, which reaches the server late.
    package var nextTick: Double? { model.nextTick.map { $0 + lag } }

    package mutating func hear(_ sample: ScrollSample, now: Double, received: (Int) -> Double) -> [Command] {
        note(received, now)
        return apply(model.update(sample), now)
    }

    package mutating func tick(now: Double, received: (Int) -> Double) -> [Command] {
        note(received, now)
        // At least the moment asked for, whatever adding and taking off the lag has rounded away.
        return apply(model.tick(at: max(now - lag, model.nextTick ?? now - lag)), now)
    }

    /// Tells the model what has come by now of what is in flight, and what fetching costs.
    private mutating func note(_ received: (Int) -> Double, _ now: Double) {
        for ticket in running where ticket.kind == .fetch {
            let isKnown = origin.serving != nil && begun[ticket.key] != nil
            let fraction = received(ticket.key), bytes = origin.picture(ticket.key).bytes
            let held = previewed.contains(ticket.key) ? origin.previewBytes ?? 0 : 0
            count(fraction * bytes - held, of: ticket.key, now: now)
            model.received(ticket.key, fraction: fraction, of: isKnown ? bytes : nil)
        }
        model.network = NetworkEstimate(
            latency: meter.latency, bandwidth: meter.bandwidth, concurrency: max(1, pool.fetchLimit(host: 0)),
            itemBytes: meter.itemBytes, overhead: meter.renderTime + NetworkEstimate.showTime,
            abortCost: meter.connectTime,
            previewTime: previewTime.map { $0 + NetworkEstimate.showTime },
            previewBytes: previewTime == nil ? 0 : origin.previewBytes ?? 0)
    }

    package mutating func began(_ item: Int, afterWaiting delay: Double, isNew: Bool?, now: Double) {
        begun[item] = (delay, now, 0)
        meter.began(afterWaiting: delay, now: now)
        if let isNew { meter.connected(isNew: isNew, waited: delay) }
    }

    /// So many bytes have come of what is in flight of an item.
    private mutating func count(_ bytes: Double, of item: Int, now: Double) {
        guard let counted = begun[item]?.counted, bytes > counted else { return }
        meter.received(bytes - counted, now: now)
        begun[item]?.counted = bytes
    }

    package mutating func finished(_ item: Int, bytes: Double, now: Double) -> [Command] {
        count(bytes, of: item, now: now)
        let first = begun.removeValue(forKey: item)
        let isHead = running.contains { $0.key == item && $0.kind == .remoteHead }
        meter.ended(received: bytes, whole: !isHead, now: now)
        if isHead { cameToPreview(item, in: first.map { $0.waited + now - $0.at } ?? 0) }
        if origin.serving == nil, !isHead { model.finished(item, as: .ready) }
        guard let index = running.firstIndex(where: { $0.key == item }) else { return [] }
        let ticket = running.remove(at: index)
        if isHead {
            let report = FetchReport(
                .whole, waited: first?.waited, took: first.map { $0.waited + now - $0.at }, bytes: bytes)
            return follow(pool.finish(ticket, .advance(to: .fetch), fetch: report, now: now), now)
        }
        guard origin.serving != nil else { return follow(pool.finish(ticket, .ready, now: now), now) }
        unrendered.insert(item)
        came[item] = now
        let report = FetchReport(
            .whole, waited: first?.waited, took: first.map { $0.waited + now - $0.at }, bytes: bytes)
        return follow(pool.finish(ticket, .advance(to: .render), fetch: report, now: now), now)
    }

    private mutating func cameToPreview(_ item: Int, in duration: Double) {
        previewed.insert(item)
        model.ledger.previewed(item, event: previewed.count, capacity: .max)
        previewTime = previewTime.map { $0 + (duration - $0) / 16 } ?? duration
    }

    package mutating func rendered(_ item: Int, now: Double) -> [Command] {
        unrendered.remove(item)
        if let came = came.removeValue(forKey: item) { meter.rendered(in: now - came) }
        model.finished(item, as: .ready)
        guard let index = running.firstIndex(where: { $0.key == item }) else { return [] }
        return follow(pool.finish(running.remove(at: index), .ready, now: now), now)
    }

    package mutating func aborted(_ item: Int, bytes: Double, began: Bool, now: Double) {
        count(bytes, of: item, now: now)
        begun[item] = nil
        if began { meter.ended(received: bytes, whole: false, now: now) }
    }

    private mutating func apply(_ plan: Plan, _ now: Double) -> [Command] {
        wanted = plan.wanted.map(\.item)
        let wants = plan.wanted.map {
            PoolWant(key: $0.item, visible: $0.visible, isPreviewEnough: $0.isPreviewEnough)
        }
        return follow(pool.want(wants, session: Self.session, now: now), now)
    }

    /// Answers store look-ups with a miss at once and turns the rest into commands.
    private mutating func follow(_ actions: [PoolAction<Int>], _ now: Double) -> [Command] {
        var commands: [Command] = []
        var actions = actions
        var next = 0
        while next < actions.count {
            defer { next += 1 }
            switch actions[next] {
            case .start(let ticket) where ticket.kind == .lookUp:
                let lacksPreview = origin.previewBytes != nil && !previewed.contains(ticket.key)
                let next: SlotKind =
                    unrendered.contains(ticket.key) ? .render : lacksPreview ? .remoteHead : .fetch
                actions += pool.finish(ticket, .advance(to: next), now: now)
            case .start(let ticket) where ticket.kind == .render:
                running.append(ticket)
                commands.append(.render(ticket.key))
            case .start(let ticket):
                running.append(ticket)
                model.started(ticket.key, at: now - lag)
                commands.append(
                    ticket.kind == .remoteHead
                        ? .startHead(ticket.key)
                        : previewed.contains(ticket.key) ? .startRest(ticket.key) : .start(ticket.key))
            case .abort(let ticket):
                running.removeAll { $0.serial == ticket.serial }
                commands.append(.abort(ticket.key))
                actions += pool.finish(ticket, .cancelled, now: now)
            case .dropped, .finished, .refused, .rests: break
            }
        }
        return commands
    }
}

/// A chooser's instruction to the origin.
package enum Command {
    case start(Int)
    /// The beginning of a file alone, in which its preview is.
    case startHead(Int)
    /// The rest after the beginning.
    case startRest(Int)
    case abort(Int)
    /// A worker takes up what has come of an item.
    case render(Int)
}

/// Decides what is fetched: a policy with the real model and pool, or the oracle.
package protocol Chooser {
    /// When it wants `tick` to be called; nil: no need.
    var nextTick: Double? { get }
    /// The server hears where the content is. `received` tells what part of an item in flight has come.
    mutating func hear(_ sample: ScrollSample, now: Double, received: (Int) -> Double) -> [Command]
    mutating func tick(now: Double, received: (Int) -> Double) -> [Command]
    /// The first byte of an item has come; `isNew` tells whether its connection was opened for it, nil where an abort
    /// would not have closed one.
    mutating func began(_ item: Int, afterWaiting delay: Double, isNew: Bool?, now: Double)
    /// The last byte of an item has come, or of that part of it which was asked for.
    mutating func finished(_ item: Int, bytes: Double, now: Double) -> [Command]
    /// A worker is done with an item.
    mutating func rendered(_ item: Int, now: Double) -> [Command]
    /// An item was aborted as asked, so many bytes having come; `began` unless it still waited for the first.
    mutating func aborted(_ item: Int, bytes: Double, began: Bool, now: Double)
    /// The items wanted now, for the record.
    var wanted: [Int] { get }
}
