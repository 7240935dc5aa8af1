import Numbers
import Synchronization

/// Carries out the decisions of a `TaskPoolCore`: a lock around the core, and one Swift task for each product in the making. That
/// task starts with the product's first slot. A waiting task is only a row of a table.
///
/// All calls return immediately and are safe from any thread. The pool calls `onFinished` outside the lock, on the cooperative
/// pool. It calls `onFinished` once for each task that ended ready or failed, or that was wanted when the pool shut down. Tasks that
/// nobody wants end without a callback. `counts` includes them. The pool calls `onPreview` in the same manner for each preview,
/// possibly as late as the end of the task.
///
/// The lock is taken once for a batch of look-ups, once for each slot after a task's first, and once at the task's end. An inbox
/// holds the latest list of wants of each session, and the sessions that ended. Another thread passes the inbox to the core, so
/// callers that send thousands of lists a second do not wait. Every other call empties the inbox first, so callers see no difference.
public final class TaskPool<Maker: ProductMaker>: Sendable {
    public typealias Key = Maker.Key
    public typealias Product = Maker.Product
    public typealias OnFinished =
        @Sendable (_ key: Key, _ sessions: [SessionID], _ result: Result<Product, any Error>) -> Void

    /// Called with each preview of a task that has not finished.
    public typealias OnPreview = @Sendable (_ key: Key, _ sessions: [SessionID], _ preview: Product) -> Void

    /// Called if nodes share and the host of a key is paused. `milliseconds` is the length of the pause.
    public typealias OnPause = @Sendable (_ key: Key, _ host: Int, _ milliseconds: Double) -> Void

    private let maker: Maker
    private let onFinished: OnFinished
    private let onPreview: OnPreview
    private let onPause: OnPause
    private let clock = ContinuousClock()
    private let epoch: ContinuousClock.Instant
    private let state: Mutex<State>
    /// Locked on its own, or while `state` is locked.
    private let inbox = Mutex(WantInbox<Key>())
    /// Copy of the core's limits, for readers that must not wait for `state`. Locked on its own, or while `state` is locked.
    private let fetchLimits: Mutex<FetchLimits>
    private let running = RunningTasks()

    private struct State {
        var core: TaskPoolCore<Key>
        /// Products in the making, by task serial.
        var makings: [UInt64: Making] = [:]
        /// Look-ups in progress, by batch number. `lookUps` maps a task's serial to its batch number.
        var batches: [UInt64: Batch] = [:]
        var lookUps: [UInt64: UInt64] = [:]
        var lastBatch: UInt64 = 0
        /// Timer for the core's next wake-up.
        var alarm: (time: Double, task: Task<Void, Never>)?
        var isShutDown = false

        mutating func endLookUp(of serial: UInt64, isAbort: Bool = false) -> Task<Void, Never>? {
            guard let batch = lookUps.removeValue(forKey: serial) else { return nil }
            batches[batch]?.left -= 1
            guard batches[batch]?.left == 0 else { return nil }
            let task = batches.removeValue(forKey: batch)?.task
            return isAbort ? task : nil
        }
    }

    /// A product in the making. Its task holds a slot or waits for one.
    private struct Making {
        var task: Task<Void, Never>
        /// Resumed with the ticket of the next slot, or with `nil` if the task is over.
        var waiting: CheckedContinuation<Ticket<Key>?, Never>?
        /// Kind of the slot that the task holds or waits for.
        var kind: SlotKind
    }

    private struct Batch {
        var task: Task<Void, Never>
        /// Number of the batch's tasks that are wanted and not yet looked up.
        var left: Int
    }

    public init(
        limits: TaskPoolLimits = TaskPoolLimits(), maker: Maker, onPreview: @escaping OnPreview = { _, _, _ in },
        onPause: @escaping OnPause = { _, _, _ in },
        onFinished: @escaping OnFinished
    ) {
        self.maker = maker
        self.onFinished = onFinished
        self.onPreview = onPreview
        self.onPause = onPause
        epoch = clock.now
        let core = TaskPoolCore<Key>(limits: limits)
        fetchLimits = Mutex(core.fetchLimits)
        state = Mutex(State(core: core))
    }

    // MARK: Wants and limits

    /// Replaces all wants of a session, most urgent first.
    public func want(_ wants: [PoolWant<Key>], session: SessionID) {
        if inbox.withLock({ $0.put(wants, of: session) }) { takeInSoon() }
    }

    /// Ends a session and cancels all tasks that only this session wanted.
    public func end(session: SessionID) {
        if inbox.withLock({ $0.end(session) }) { takeInSoon() }
    }

    public func setWeight(_ weight: Double, session: SessionID) {
        change { core, _ in
            core.setWeight(weight, session: session)
            return []
        }
    }

    public func setLimits(_ limits: TaskPoolLimits) {
        change { core, now in core.setLimits(limits, now: now) }
    }

    /// Sets the limit of concurrent fetches from one host. 0 pauses the host, `nil` forgets everything known about it.
    public func setFetchLimit(_ limit: Int?, host: Int) {
        change { core, now in core.setFetchLimit(limit, host: host, now: now) }
    }

    /// Returns how many concurrent fetches the pool allows a host now, 0 while the host is paused. Wants do not change this number, so
    /// this call does not empty the inbox and never waits for `state`.
    public func fetchLimit(host: Int) -> Int { fetchLimits.withLock { $0[host] } }

    /// Returns how long a host stays paused, in milliseconds, or `nil` if it is not paused.
    public func pause(host: Int) -> Double? { read { [now] in $0.pause(host: host, now: now) } }

    /// Returns the error of the latest fetch from a host, or `nil` if that fetch succeeded.
    public func failure(host: Int) -> String? { read { $0.failure(host: host) } }

    /// Allows one fetch to probe a host that is paused after failures.
    public func probe(host: Int) { change { core, now in core.probe(host: host, now: now) } }

    public var counts: TaskPoolCounts { read { $0.counts } }

    public var limits: TaskPoolLimits { read { $0.limits } }

    /// Cancels everything. Returns when the last task has stopped and all callbacks were called. Unfinished wants, and wants that
    /// arrive later, end with a `CancellationError`.
    public func shutdown() async {
        locked { state, effects in
            state.isShutDown = true
            state.alarm?.task.cancel()
            perform(state.core.endAll(now: now), &state, &effects)
        }
        await running.wait()
    }

    // MARK: Steps of a task

    /// Reports a step and waits for the slot of the next step.
    ///
    /// - Parameters:
    ///   - preview: Preview to show until the task has finished.
    ///   - failure: Error for the sessions that want the task, if the pool ends the task with this report.
    /// - Returns: the ticket of the next slot, or `nil` if the task is over.
    func leave(
        _ ticket: Ticket<Key>, _ report: SlotReport, _ fetch: FetchReport?, showing preview: Product?,
        orElse failure: any Error
    ) async -> Ticket<Key>? {
        await withCheckedContinuation { continuation in
            locked { state, effects in
                guard state.core.isWanted(ticket) else {
                    state.makings[ticket.serial] = nil
                    effects.resumed.append((continuation, nil))
                    let actions = state.core.finish(ticket, .cancelled, fetch: fetch, now: now)
                    return perform(actions, &state, &effects)
                }
                if let preview {
                    effects.previews.append((ticket.key, state.core.sessions(wanting: ticket), preview))
                }
                if case .advance(let kind, _) = report { state.makings[ticket.serial]?.kind = kind }
                state.makings[ticket.serial]?.waiting = continuation
                let actions = state.core.finish(
                    ticket, report, fetch: fetch, random: .random(in: 0..<1), now: now)
                if case .finished(ticket, _, _)? = actions.first {
                    state.makings[ticket.serial] = nil
                    effects.resumed.append((continuation, nil))
                }
                perform(actions, &state, &effects, result: .failure(failure))
            }
        }
    }

    /// Takes back the slot of a task that waits for an outside event.
    func releaseSlot(_ ticket: Ticket<Key>, _ fetch: FetchReport?) {
        locked { state, effects in
            if !state.core.isWanted(ticket) { state.makings[ticket.serial] = nil }
            let actions = state.core.finish(ticket, .away, fetch: fetch, random: .random(in: 0..<1), now: now)
            perform(actions, &state, &effects)
        }
    }

    /// Waits for a slot after ``releaseSlot(_:_:)``.
    ///
    /// - Returns: the ticket of the slot, or `nil` if the task is over.
    func reacquireSlot(_ ticket: Ticket<Key>) async -> Ticket<Key>? {
        await withCheckedContinuation { continuation in
            locked { state, effects in
                guard state.makings[ticket.serial] != nil else {
                    return effects.resumed.append((continuation, nil))
                }
                state.makings[ticket.serial]?.waiting = continuation
                perform(state.core.reacquireSlot(ticket, now: now), &state, &effects)
            }
        }
    }

    func finish(_ ticket: Ticket<Key>, _ fetch: FetchReport?, _ result: Result<Product, any Error>) {
        // Not `.failed`: the pool might retry the task, whose Swift task is over.
        let report: SlotReport = if case .success = result { .ready } else { .cancelled }
        locked { state, effects in
            state.makings[ticket.serial] = nil
            let actions = state.core.finish(ticket, report, fetch: fetch, random: .random(in: 0..<1), now: now)
            perform(actions, &state, &effects, result: result)
        }
    }

    // MARK: Carrying out the core's actions

    /// Work to do after the lock is released. Cancellation handlers run during `cancel()` and may call the pool, and
    /// so may `onFinished`.
    private struct Effects {
        var cancelled: [Task<Void, Never>] = []
        var resumed: [(waiting: CheckedContinuation<Ticket<Key>?, Never>, ticket: Ticket<Key>?)] = []
        var previews: [(key: Key, sessions: [SessionID], preview: Product)] = []
        var finished: [(key: Key, sessions: [SessionID], result: Result<Product, any Error>)] = []
        var pauses: [(key: Key, host: Int, milliseconds: Double)] = []
        /// Tickets to look up. Their batches start before the lock is released.
        var lookUps: [Ticket<Key>] = []
    }

    /// Empties the inbox, runs `body`, and carries out the effects of both.
    @discardableResult
    private func locked<Value>(_ body: (inout State, inout Effects) -> Value) -> Value {
        let (value, effects) = state.withLock { state in
            var effects = Effects()
            takeIn(&state, &effects)
            let value = body(&state, &effects)
            beginLookUps(&state, &effects)
            fetchLimits.withLock { [limits = state.core.fetchLimits] in $0 = limits }
            setAlarm(&state)
            return (value, effects)
        }
        for task in effects.cancelled { task.cancel() }
        for (waiting, ticket) in effects.resumed { waiting.resume(returning: ticket) }
        for shown in effects.previews { onPreview(shown.key, shown.sessions, shown.preview) }
        for pause in effects.pauses { onPause(pause.key, pause.host, pause.milliseconds) }
        for end in effects.finished { onFinished(end.key, end.sessions, end.result) }
        return value
    }

    private func change(_ body: (inout TaskPoolCore<Key>, _ now: Double) -> [PoolAction<Key>]) {
        locked { state, effects in perform(body(&state.core, now), &state, &effects) }
    }

    private func read<Value>(_ question: (TaskPoolCore<Key>) -> Value) -> Value {
        locked { state, _ in question(state.core) }
    }

    private func takeInSoon() { Task { [self] in locked { _, _ in } } }

    /// Passes the inbox to the core.
    private func takeIn(_ state: inout State, _ effects: inout Effects) {
        for word in inbox.withLock({ $0.takeAll() }) {
            if word.hasEnded, !state.isShutDown {
                perform(state.core.end(session: word.session, now: now), &state, &effects)
            }
            guard let wants = word.wants else { continue }
            if state.isShutDown {
                effects.finished += wants.map { ($0.key, [word.session], .failure(CancellationError())) }
            } else {
                perform(state.core.want(wants, session: word.session, now: now), &state, &effects)
            }
        }
    }

    /// Carries out the core's actions, or notes them as effects.
    ///
    /// - Parameter result: Result for the sessions that wanted a task that has finished.
    private func perform(
        _ actions: [PoolAction<Key>], _ state: inout State, _ effects: inout Effects,
        result: Result<Product, any Error> = .failure(CancellationError())
    ) {
        for action in actions {
            switch action {
            case .start(let ticket) where ticket.kind == .lookUp: effects.lookUps.append(ticket)
            case .start(let ticket):
                if let waiting = state.makings[ticket.serial]?.waiting {
                    state.makings[ticket.serial]?.waiting = nil
                    state.makings[ticket.serial]?.kind = ticket.kind
                    effects.resumed.append((waiting, ticket))
                } else {
                    let task = running.begin { [self] in await make(ticket) }
                    state.makings[ticket.serial] = Making(task: task, kind: ticket.kind)
                }
            case .abort(let ticket):
                if ticket.kind == .lookUp {
                    if let batch = state.endLookUp(of: ticket.serial, isAbort: true) {
                        effects.cancelled.append(batch)
                    }
                    stop(ticket, &state, &effects)
                } else if let making = state.makings[ticket.serial] {
                    effects.cancelled.append(making.task)
                }
            case .dropped(let ticket): stop(ticket, &state, &effects)
            case .finished(let ticket, let sessions, _):
                stop(ticket, &state, &effects)
                effects.finished.append((ticket.key, sessions, result))
            case .paused(let ticket, let until):
                effects.pauses.append((ticket.key, ticket.host, max(0, until - now)))
            case .refused(let key, let session, let until):
                effects.finished.append((key, [session], .failure(HostUnavailable(milliseconds: max(0, until - now)))))
            }
        }
    }

    /// Cancels the making of a product whose task will not get another slot.
    private func stop(_ ticket: Ticket<Key>, _ state: inout State, _ effects: inout Effects) {
        guard let making = state.makings.removeValue(forKey: ticket.serial) else { return }
        effects.cancelled.append(making.task)
        if let waiting = making.waiting { effects.resumed.append((waiting, nil)) }
    }

    private func make(_ ticket: Ticket<Key>) async {
        var slot = PoolSlot(ticket, of: self)
        let result: Result<Product, any Error>
        do {
            result = .success(try await maker.make(ticket.key, in: &slot))
        } catch {
            result = .failure(error)
        }
        slot.end(result)
    }

    // MARK: Look-ups

    private func beginLookUps(_ state: inout State, _ effects: inout Effects) {
        while !effects.lookUps.isEmpty {
            let tickets = effects.lookUps
            effects.lookUps = []
            // A list that arrived right after may have cancelled some of the tasks.
            for ticket in tickets where !state.core.isWanted(ticket) {
                perform(state.core.finish(ticket, .cancelled, now: now), &state, &effects)
            }
            let wanted = tickets.filter(state.core.isWanted)
            for start in stride(from: 0, to: wanted.count, by: TaskPoolLimits.lookUpBatch) {
                let batch = Array(wanted[start..<min(wanted.count, start + TaskPoolLimits.lookUpBatch)])
                state.lastBatch += 1
                for ticket in batch { state.lookUps[ticket.serial] = state.lastBatch }
                let task = running.begin { [self] in await lookUp(batch) }
                state.batches[state.lastBatch] = Batch(task: task, left: batch.count)
            }
        }
    }

    private func lookUp(_ batch: [Ticket<Key>]) async {
        let left = Mutex(Set(batch))
        await maker.lookUp(batch) { [self] found in
            let news = left.withLock { left in found.filter { left.remove($0.ticket) != nil } }
            take(news)
        }
        take(left.withLock { $0 }.map { LookedUp($0, .failed(CancellationError())) })
    }

    private func take(_ found: [LookedUp<Key, Product>]) {
        guard !found.isEmpty else { return }
        locked { state, effects in
            for one in found {
                let ticket = one.ticket
                _ = state.endLookUp(of: ticket.serial)
                let report: SlotReport, result: Result<Product, any Error>
                switch one.outcome {
                case .found(let product): (report, result) = (.ready, .success(product))
                case .failed(let error): (report, result) = (.failed, .failure(error))
                case .absent(let first):
                    // A task that was looked up a second time continues in the kind of slot it waited for.
                    report = .advance(to: state.makings[ticket.serial]?.kind ?? first)
                    result = .failure(CancellationError())
                }
                let actions = state.core.finish(ticket, report, now: now)
                perform(actions, &state, &effects, result: result)
            }
        }
    }

    // MARK: Time

    private func setAlarm(_ state: inout State) {
        guard !state.isShutDown, let time = state.core.nextWake, time < state.alarm?.time ?? .infinity else { return }
        state.alarm?.task.cancel()
        let wait = min(max(0, time - now), 1e9)
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: Duration(clampingMilliseconds: wait))) != nil else { return }
            self?.wake()
        }
        state.alarm = (time, task)
    }

    private func wake() {
        locked { state, effects in
            state.alarm = nil
            perform(state.core.wake(now: now), &state, &effects)
        }
    }

    private var now: Double {
        let passed = (clock.now - epoch).components
        return Double(passed.seconds) * 1e3 + Double(passed.attoseconds) * 1e-15
    }
}

/// The error for a want that does not wait while its host is paused. See ``PoolWant/waitsForHost``.
public struct HostUnavailable: Error, Equatable {
    /// Remaining pause, in milliseconds.
    public var milliseconds: Double
}

/// Waits for Swift tasks that have not returned.
private final class RunningTasks: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func begin(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { $0.count += 1 }
        return Task { [self] in
            await body()
            end()
        }
    }

    private func end() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            state.count -= 1
            guard state.count == 0 else { return [] }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let isQuiet = state.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count == 0
            }
            if isQuiet { continuation.resume() }
        }
    }
}
