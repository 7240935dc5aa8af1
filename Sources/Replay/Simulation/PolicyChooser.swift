import TaskPool
import Viewport

/// A policy at work: what runs here is what runs in the server.
struct PolicyChooser: Chooser {
    private var model: ViewportModel
    private var pool: TaskPoolCore<Int>
    private var meter = NetworkMeter()
    private let concurrency: Int
    private let lag: Double
    private var running: [Ticket<Int>] = []
    private var begun: Set<Int> = []
    private(set) var wanted: [Int] = []
    private static let session = SessionID(1)

    init(model: ViewportModel, origin: Origin) {
        self.model = model
        concurrency = origin.concurrency
        lag = origin.roundTrip / 2
        var limits = TaskPoolLimits()
        limits.store = .max
        limits.fetch = origin.concurrency
        limits.fetchPerHost = origin.concurrency
        pool = TaskPoolCore(limits: limits)
    }

    /// The model counts in the samples' time, which reaches the server half a round trip late.
    var nextTick: Double? { model.nextTick.map { $0 + lag } }

    mutating func hear(_ sample: ScrollSample, now: Double, received: (Int) -> Double) -> [Command] {
        for ticket in running { model.received(ticket.key, fraction: received(ticket.key)) }
        model.network = NetworkEstimate(
            latency: meter.latency, bandwidth: meter.bandwidth, concurrency: concurrency, itemBytes: meter.itemBytes)
        return apply(model.update(sample), now)
    }

    mutating func tick(now: Double) -> [Command] {
        // At least the moment asked for, whatever adding and taking off the lag has rounded away.
        apply(model.tick(at: max(now - lag, model.nextTick ?? now - lag)), now)
    }

    mutating func began(_ item: Int, afterWaiting delay: Double, now: Double) {
        begun.insert(item)
        meter.began(afterWaiting: delay, now: now)
    }

    mutating func finished(_ item: Int, bytes: Double, now: Double) -> [Command] {
        begun.remove(item)
        meter.ended(received: bytes, whole: true, now: now)
        model.finished(item, as: .ready)
        guard let index = running.firstIndex(where: { $0.key == item }) else { return [] }
        return follow(pool.finish(running.remove(at: index), .ready, now: now), now)
    }

    mutating func aborted(_ item: Int, bytes: Double, began: Bool, now: Double) {
        if began { meter.ended(received: bytes, whole: false, now: now) }
    }

    private mutating func apply(_ plan: Plan, _ now: Double) -> [Command] {
        wanted = plan.wanted.map(\.item)
        let wants = plan.wanted.map { PoolWant(key: $0.item, visible: $0.visible) }
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
            case .start(let ticket) where ticket.stage == .store:
                actions += pool.finish(ticket, .advance(to: .fetch), now: now)
            case .start(let ticket):
                running.append(ticket)
                model.started(ticket.key, at: now - lag)
                commands.append(.start(ticket.key))
            case .abort(let ticket):
                running.removeAll { $0.serial == ticket.serial }
                commands.append(.abort(ticket.key))
                actions += pool.finish(ticket, .cancelled, now: now)
            case .dropped, .finished, .refused: break
            }
        }
        return commands
    }
}
