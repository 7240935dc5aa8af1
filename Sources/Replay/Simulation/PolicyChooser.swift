import TaskPool
import Viewport

/// Runs a policy with the same model and pool code as the server.
package struct PolicyChooser: Chooser {
    package private(set) var model: ViewportModel
    private var pool: TaskPoolCore<Int>
    private var meter = NetworkMeter()
    private let origin: Origin
    private let lag: Double
    private var running: [Ticket<Int>] = []
    /// By item: the wait for its first byte, when that byte arrived, and the bytes the meter has counted since.
    private var begun: [Int: (waited: Double, at: Double, counted: Double)] = [:]
    private var unrendered: Set<Int> = []
    /// When the downloads of items in rendering ended.
    private var came: [Int: Double] = [:]
    package var record: ScrollRecord?
    /// Items whose preview has arrived. `previewTime` is the mean time from request to preview, as the server measures it.
    private var previewed: Set<Int> = []
    private var previewTime: Double?
    private static let session = SessionID(1)

    /// - Parameter held: items whose pictures the page has already.
    package init(model: ViewportModel, origin: Origin, held: [Int] = []) {
        self.model = model
        for item in held { self.model.finished(item, as: .ready) }
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

    /// The model's time is that of the samples, which reach the server late.
    package var nextTick: Double? { model.nextTick.map { $0 + lag } }

    package mutating func receive(_ sample: ScrollSample, now: Double, received: (Int) -> Double) -> [Command] {
        note(received, now)
        return apply(model.update(sample), now)
    }

    package mutating func tick(now: Double, received: (Int) -> Double) -> [Command] {
        note(received, now)
        // Rounding when the lag is added and subtracted must not give a time before the requested tick.
        return apply(model.tick(at: max(now - lag, model.nextTick ?? now - lag)), now)
    }

    /// Reports to the model the received share of each item in flight, and the present network estimate.
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

    /// Counts the received bytes of an item in flight.
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
        record?.add(
            plan, at: now, direction: model.direction, hasJumped: model.hasJumped, hasNewPolicy: false)
        let wants = plan.wanted.map {
            PoolWant(key: $0.item, visible: $0.visible, isPreviewEnough: $0.isPreviewEnough)
        }
        return follow(pool.want(wants, session: Self.session, now: now), now)
    }

    /// Completes store look-ups as misses immediately, and turns other actions into commands.
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
                record?.requested(ticket.key, at: now, after: ticket.limit)
                model.started(ticket.key, at: now - lag)
                commands.append(
                    ticket.kind == .remoteHead
                        ? .startHead(ticket.key)
                        : previewed.contains(ticket.key) ? .startRest(ticket.key) : .start(ticket.key))
            case .abort(let ticket):
                running.removeAll { $0.serial == ticket.serial }
                commands.append(.abort(ticket.key))
                actions += pool.finish(ticket, .cancelled, now: now)
            case .dropped, .finished, .refused, .paused: break
            }
        }
        return commands
    }
}

/// A chooser's instruction to the origin.
package enum Command {
    case start(Int)
    /// Fetch only the beginning of a file, which contains the preview.
    case startHead(Int)
    /// Fetch the rest of a file after its beginning.
    case startRest(Int)
    case abort(Int)
    case render(Int)
}

/// Decides what to fetch: a policy with the real model and pool, or the oracle.
package protocol Chooser {
    /// When to call `tick`, or `nil` for no call.
    var nextTick: Double? { get }
    /// Handles a sample that reaches the server. `received` returns the received share of an item in flight.
    mutating func receive(_ sample: ScrollSample, now: Double, received: (Int) -> Double) -> [Command]
    mutating func tick(now: Double, received: (Int) -> Double) -> [Command]
    /// Handles the first byte of an item. `isNew` is whether the fetch opened a connection, or `nil` if an abort would not
    /// close one.
    mutating func began(_ item: Int, afterWaiting delay: Double, isNew: Bool?, now: Double)
    /// Handles the last byte of an item, or of the requested part of it.
    mutating func finished(_ item: Int, bytes: Double, now: Double) -> [Command]
    mutating func rendered(_ item: Int, now: Double) -> [Command]
    /// Handles the abort of an item after `bytes` bytes. `began` is whether its first byte had arrived.
    mutating func aborted(_ item: Int, bytes: Double, began: Bool, now: Double)
    /// The record to which the chooser adds its wants, or `nil` if none is made.
    var record: ScrollRecord? { get set }
}
