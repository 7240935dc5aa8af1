import Synchronization

/// Runs what a `TaskPoolCore` decides: a lock around the core and a Swift task for each stage that runs.
///
/// All calls return at once and may come from any thread. `onFinished` is called outside the lock, on the cooperative
/// pool, once for each task that ended ready or failed, or that was wanted when the pool was shut down. What nobody wants any
/// more ends silently, it shows in `counts`. `onPreview` is called likewise for each preview, which may come as late as the
/// end of its task.
///
/// An inbox holds the latest list of wants of each session, and the sessions that ended. Another thread takes them in, so that
/// thousands of lists a second wait for nobody. Every other call takes in the inbox first: no caller can tell the difference.
public final class TaskPool<Runner: TaskRunning>: Sendable {
    public typealias Key = Runner.Key
    public typealias Work = Runner.Work
    public typealias OnFinished =
        @Sendable (_ key: Key, _ sessions: [SessionID], _ result: Result<Work, any Error>) -> Void

    /// Told of what is shown of a task until it has finished.
    public typealias OnPreview = @Sendable (_ key: Key, _ sessions: [SessionID], _ preview: Work) -> Void

    /// Told, where nodes share, that the host from which a key was to be fetched rests, and for how many milliseconds.
    public typealias OnRest = @Sendable (_ key: Key, _ host: Int, _ milliseconds: Double) -> Void

    private let runner: Runner
    private let onFinished: OnFinished
    private let onPreview: OnPreview
    private let onRest: OnRest
    private let clock = ContinuousClock()
    private let epoch: ContinuousClock.Instant
    private let state: Mutex<State>
    /// Locked alone, or under `state`.
    private let inbox = Mutex(WantInbox<Key>())
    /// The core's, to be read by those who must not wait for it. Locked alone, or under `state`.
    private let fetchLimits: Mutex<FetchLimits>

    private struct State {
        var core: TaskPoolCore<Key>
        var tasks: [UInt64: Task<Void, Never>] = [:]
        /// Stages that have ended and are reporting.
        var telling: [UInt64: Task<Void, Never>] = [:]
        var lastTelling: UInt64 = 0
        /// The work that a task carries into the stage that it waits for or runs.
        var carried: [UInt64: Work] = [:]
        /// Sleeps until the core wants to be woken.
        var alarm: (time: Double, task: Task<Void, Never>)?
        var isShutDown = false
    }

    public init(
        limits: TaskPoolLimits = TaskPoolLimits(), runner: Runner, onPreview: @escaping OnPreview = { _, _, _ in },
        onRest: @escaping OnRest = { _, _, _ in },
        onFinished: @escaping OnFinished
    ) {
        self.runner = runner
        self.onFinished = onFinished
        self.onPreview = onPreview
        self.onRest = onRest
        epoch = clock.now
        let core = TaskPoolCore<Key>(limits: limits)
        fetchLimits = Mutex(core.fetchLimits)
        state = Mutex(State(core: core))
    }

    // MARK: What is wanted

    /// Replaces all that a session wants, most urgent first.
    public func want(_ wants: [PoolWant<Key>], session: SessionID) {
        if inbox.withLock({ $0.put(wants, of: session) }) { takeInSoon() }
    }

    /// Ends a session; what only it wanted is cancelled.
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

    /// What a stage waits for has come: see ``StageOutcome/wait(upTo:carrying:)``. Locks nothing here and now.
    public func goOn(with key: Key) {
        Task { [self] in change { core, now in core.goOn(with: key, now: now) } }
    }

    /// Fetches at once from one host; 0 lets it rest, nil forgets what is known of it.
    public func setFetchLimit(_ limit: Int?, host: Int) {
        change { core, now in core.setFetchLimit(limit, host: host, now: now) }
    }

    /// The fetches at once that the pool allows a host now; 0 while it rests. No list of wants changes that, so none is taken
    /// in, and nobody waits for those being taken in.
    public func fetchLimit(host: Int) -> Int { fetchLimits.withLock { $0[host] } }

    /// How long a host still rests, in milliseconds; nil: it does not.
    public func rest(host: Int) -> Double? { asked { [now] in $0.rest(host: host, now: now) } }

    public var counts: TaskPoolCounts { asked { $0.counts } }

    public var limits: TaskPoolLimits { asked { $0.limits } }

    /// Cancels everything and returns when the last stage has stopped and everybody was told. What was wanted and has not
    /// finished, and what is wanted later, ends with a `CancellationError`.
    public func shutdown() async {
        let (running, aftermath) = state.withLock { state in
            var aftermath = takeIn(&state)
            state.isShutDown = true
            state.alarm?.task.cancel()
            aftermath += perform(state.core.endAll(now: now), &state)
            return (Array(state.tasks.values) + state.telling.values, aftermath)
        }
        carryOut(aftermath)
        for task in running { await task.value }
    }

    // MARK: Carrying it out

    /// What is left to do once the lock is given back: a cancellation handler runs here and now and may call the pool, and
    /// so may `onFinished`.
    private struct Aftermath {
        var cancelled: [Task<Void, Never>] = []
        var previews: [(key: Key, sessions: [SessionID], preview: Work)] = []
        var finished: [(key: Key, sessions: [SessionID], result: Result<Work, any Error>)] = []
        var rests: [(key: Key, host: Int, milliseconds: Double)] = []

        /// Whether there is nothing to call.
        var isSilent: Bool { previews.isEmpty && finished.isEmpty }

        static func += (a: inout Aftermath, b: Aftermath) {
            a.cancelled += b.cancelled
            a.previews += b.previews
            a.finished += b.finished
            a.rests += b.rests
        }
    }

    private func carryOut(_ aftermath: Aftermath) {
        for task in aftermath.cancelled { task.cancel() }
        for shown in aftermath.previews { onPreview(shown.key, shown.sessions, shown.preview) }
        for rest in aftermath.rests { onRest(rest.key, rest.host, rest.milliseconds) }
        for end in aftermath.finished { onFinished(end.key, end.sessions, end.result) }
    }

    private func change(_ body: (inout TaskPoolCore<Key>, _ now: Double) -> [PoolAction<Key>]) {
        carryOut(
            state.withLock { state in
                var aftermath = takeIn(&state)
                aftermath += perform(body(&state.core, now), &state)
                return aftermath
            })
    }

    private func asked<Answer>(_ question: (TaskPoolCore<Key>) -> Answer) -> Answer {
        change { _, _ in [] }
        return state.withLock { question($0.core) }
    }

    private func takeInSoon() { Task { [self] in change { _, _ in [] } } }

    /// Passes the inbox on to the core.
    private func takeIn(_ state: inout State) -> Aftermath {
        var aftermath = Aftermath()
        for word in inbox.withLock({ $0.takeAll() }) {
            if word.hasEnded, !state.isShutDown {
                aftermath += perform(state.core.end(session: word.session, now: now), &state)
            }
            guard let wants = word.wants else { continue }
            if state.isShutDown {
                aftermath.finished += wants.map { ($0.key, [word.session], .failure(CancellationError())) }
            } else {
                aftermath += perform(state.core.want(wants, session: word.session, now: now), &state)
            }
        }
        return aftermath
    }

    /// Starts what is to be started.
    ///
    /// - Parameter result: reported to the sessions that wanted a task that has finished.
    private func perform(
        _ actions: [PoolAction<Key>], _ state: inout State,
        result: Result<Work, any Error> = .failure(CancellationError())
    ) -> Aftermath {
        var aftermath = Aftermath()
        for action in actions {
            switch action {
            case .start(let ticket):
                let work = state.carried[ticket.serial]
                state.tasks[ticket.serial] = Task { [self] in
                    report(ticket, await runner.run(ticket, carrying: work))
                }
            case .abort(let ticket):
                if let task = state.tasks[ticket.serial] { aftermath.cancelled.append(task) }
            case .dropped(let ticket): state.carried[ticket.serial] = nil
            case .finished(let ticket, let sessions, _):
                state.carried[ticket.serial] = nil
                aftermath.finished.append((ticket.key, sessions, result))
            case .rests(let ticket, let until):
                aftermath.rests.append((ticket.key, ticket.host, max(0, until - now)))
            case .refused(let key, let session, let until):
                aftermath.finished.append((key, [session], .failure(HostRests(milliseconds: max(0, until - now)))))
            }
        }
        fetchLimits.withLock { [limits = state.core.fetchLimits] in $0 = limits }
        setAlarm(&state)
        return aftermath
    }

    private func report(_ ticket: Ticket<Key>, _ outcome: StageOutcome<Work>) {
        let carried = outcome.carried
        let report = outcome.report(bytes: carried.map(runner.bytes(of:)) ?? 0)
        let (aftermath, telling) = state.withLock { state -> (Aftermath, UInt64?) in
            let task = state.tasks.removeValue(forKey: ticket.serial)
            var aftermath = takeIn(&state)
            if !state.core.isWanted(ticket) {
                state.carried[ticket.serial] = nil
            } else if let carried {
                state.carried[ticket.serial] = carried
            }
            if let preview = outcome.preview {
                let sessions = state.core.sessions(wanting: ticket)
                if !sessions.isEmpty { aftermath.previews.append((ticket.key, sessions, preview)) }
            }
            let actions = state.core.finish(
                ticket, report, fetch: outcome.fetch, random: .random(in: 0..<1), now: now)
            aftermath += perform(actions, &state, result: outcome.result)
            if aftermath.isSilent { return (aftermath, nil) }
            state.lastTelling += 1
            state.telling[state.lastTelling] = task
            return (aftermath, state.lastTelling)
        }
        carryOut(aftermath)
        if let telling { state.withLock { $0.telling[telling] = nil } }
    }

    private func setAlarm(_ state: inout State) {
        guard !state.isShutDown, let time = state.core.nextWake, time < state.alarm?.time ?? .infinity else { return }
        state.alarm?.task.cancel()
        let wait = min(max(0, time - now), 1e9)
        let task = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: .milliseconds(wait))) != nil else { return }
            self?.wake()
        }
        state.alarm = (time, task)
    }

    private func wake() {
        state.withLock { $0.alarm = nil }
        change { core, now in core.wake(now: now) }
    }

    private var now: Double {
        let passed = (clock.now - epoch).components
        return Double(passed.seconds) * 1e3 + Double(passed.attoseconds) * 1e-15
    }
}
