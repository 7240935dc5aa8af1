import HeapModule

/// The task pool as a value: reports go in, actions come out. It starts nothing itself and reads no clock.
///
/// Each wanted key has exactly one task. The task is looked up, then takes a slot for its head, its fetch and its rendering.
/// Each kind of slot has its own limit, and heads on remote hosts count as fetches. A want for which the preview is enough fetches
/// nothing more. In each queue, tasks that a session sees go first, then the others. Rests of files follow the other tasks of their
/// class. Among equals the sessions take turns (fair shares, by weight), each in its own order.
///
/// A session hands over all its wants at each update, and their order applies immediately in all queues. So another list is enough
/// to promote, demote and cancel tasks. The core cancels a task that no session wants any more: a waiting task is dropped
/// immediately, a running task gets an `.abort`.
///
/// A want is met once. When its task has finished, ready or failed, the key is not started again for that session until
/// a list omits the key or names it with another generation. So a list written before the session heard of the finish
/// repeats nothing.
///
/// An update takes time proportional to the session's own wants. A start or a finish takes time logarithmic in the number of
/// waiting sessions and hosts.
public struct TaskPoolCore<Key: Hashable & Sendable>: Sendable {
    public typealias Action = PoolAction<Key>

    public private(set) var limits: TaskPoolLimits
    var table: TaskTable
    var slots: [Key: Int32] = [:]
    var keys: [Key?] = []
    var sessions: [SessionID: Int32] = [:]
    /// By session index: the session's name, and the met wants that its lists still name, with their generations.
    var names: [SessionID] = []
    var met: [[Key: UInt8]] = []
    var hostWakes = Heap<HostWake>()

    public init(limits: TaskPoolLimits = TaskPoolLimits()) {
        self.limits = limits
        table = TaskTable(limits: limits)
    }

    public var counts: TaskPoolCounts { table.counts }

    /// Whether no task waits, is delayed or runs.
    public var isIdle: Bool { isQuiet(table.counts) }

    private func isQuiet(_ counts: TaskPoolCounts) -> Bool {
        counts.queued.total == 0 && counts.running.total == 0 && counts.waiting == 0
    }

    // MARK: Wants

    /// Replaces all wants of a session, most urgent first. An unknown session starts with this call.
    public mutating func want(_ wants: [PoolWant<Key>], session: SessionID, now: Double) -> [Action] {
        let place = open(session)
        var rows: [TaskTable.Row] = []
        rows.reserveCapacity(wants.count)
        var stillMet: [Key: UInt8] = [:]
        // Most lists are the previous list, moved. Comparing with the task that followed there saves most look-ups.
        var cursor = 0
        let allowed = max(1, limits.wantsPerSession)
        let hasMet = !met[Int(place)].isEmpty
        for index in 0..<min(wants.count, allowed) {
            let want = wants[index]
            if hasMet, met[Int(place)][want.key] == want.generation {
                stillMet[want.key] = want.generation
                continue
            }
            let slot: Int32
            if let next = table.task(at: cursor, session: place), keys[Int(next)] == want.key {
                slot = next
                cursor += 1
            } else {
                slot = self.slot(for: want)
                cursor = table.rank(of: slot, session: place).map { $0 + 1 } ?? cursor
            }
            rows.append(
                TaskTable.Row(
                    slot: slot, visible: want.visible, waitsForHost: want.waitsForHost,
                    isPreviewEnough: want.isPreviewEnough, generation: want.generation))
        }
        met[Int(place)] = stillMet
        if wants.count > allowed { table.countOverLimit(wants.count - allowed) }
        var dropped: [TaskTable.Dropped] = []
        table.setWants(rows, session: place, dropped: &dropped)
        let actions = settle(dropped)
        guard !table.failFast.isEmpty else { return actions }
        let failFast = rows.filter { !$0.waitsForHost }.map(\.slot)
        return actions + (table.recheck(failFast) ? settle([]) : []) + refuse(failFast, now: now)
    }

    /// Sets a session's share relative to the default of 1. Clamped to 0.01 ... 100.
    public mutating func setWeight(_ weight: Double, session: SessionID) {
        let place = open(session)
        table.setWeight(weight.isFinite ? min(max(weight, 0.01), 100) : 1, session: place)
    }

    // MARK: Reports

    /// Applies the report of a started step. A late report, for a ticket that is over, only counts as late.
    ///
    /// - Parameters:
    ///   - fetch: How the fetch went, if the step was one. The pool learns from it how many concurrent fetches the host
    ///     can serve, whether to pause the host, and whether and when to retry.
    ///   - random: Evenly distributed in 0 ..< 1. Spreads the retries.
    ///   - now: The present, in milliseconds.
    public mutating func finish(
        _ ticket: Ticket<Key>, _ report: SlotReport, fetch: FetchReport? = nil, random: Double = 0.5, now: Double
    ) -> [Action] {
        guard isCurrent(ticket) else {
            table.countLateReport()
            return []
        }
        var report = report
        var rest: [Action] = []
        if let fetch {
            let observed = observe(fetch, ticket, random: random, now: now)
            rest = observed.rest
            if let delay = observed.delay, report == .failed { report = .again(after: delay) }
        }
        let actions = settle(ticket, table.finish(ticket.slot, report, now: now)) + rest
        guard !table.failFast.isEmpty else { return actions }
        if fetch == nil { return actions + refuse([ticket.slot], now: now) }
        return actions + refuse(table.failFast.filter { table.tasks[Int($0)].host == ticket.host }.sorted(), now: now)
    }

    /// When to call `wake`, in milliseconds, because a delay or pause ends. `nil` if there is no need.
    public var nextWake: Double? {
        guard let task = table.retryQueue.until else { return hostWakes.min?.time }
        return min(task, hostWakes.min?.time ?? task)
    }

    /// Resumes tasks and hosts whose delay or pause is over.
    public mutating func wake(now: Double) -> [Action] {
        table.wake(now: now)
        while let wake = hostWakes.min, wake.time <= now {
            hostWakes.removeMin()
            if let governor = table.hosts[wake.host] { govern(wake.host, by: governor, now) }
        }
        return settle([])
    }

    /// Returns how many concurrent fetches the pool allows a host now, 0 while the host is paused.
    public func fetchLimit(host: Int) -> Int { fetchLimits[host] }

    var fetchLimits: FetchLimits { table.fetchLimits }

    private mutating func settle(_ ticket: Ticket<Key>, _ end: (wanters: [TaskTable.Wanter], ready: Bool)?) -> [Action]
    {
        guard let (wanters, isReady) = end else {
            if table.tasks[Int(ticket.slot)].state == .free { keys[Int(ticket.slot)] = nil }
            return settle([])
        }
        slots[ticket.key] = nil
        keys[Int(ticket.slot)] = nil
        for wanter in wanters { met[Int(wanter.session)][ticket.key] = wanter.generation }
        return [.finished(ticket, sessions: wanters.map { names[Int($0.session)] }, ready: isReady)] + settle([])
    }

    // MARK: Limits

    /// Changes the limits. Running tasks continue.
    public mutating func setLimits(_ limits: TaskPoolLimits, now: Double) -> [Action] {
        // Host limits were learned within the old bound, so they have to be learned again.
        let isOtherBound = limits.fetchPerHost != self.limits.fetchPerHost
        let isShareOther = limits.nodes != self.limits.nodes
        self.limits = limits
        table.apply(limits)
        if isOtherBound || isShareOther { share(learningAgain: isOtherBound, now) }
        return settle([])
    }

    /// Sets the limit of concurrent fetches from one host. 0 pauses the host, `nil` forgets everything known about it. Later
    /// fetches from the host replace the limit.
    public mutating func setFetchLimit(_ limit: Int?, host: Int, now: Double) -> [Action] {
        if let limit { table.setFetchLimit(limit, host: host) } else { table.forget(host: host) }
        return settle([])
    }

    // MARK: Helpers

    private mutating func open(_ session: SessionID) -> Int32 {
        if let place = sessions[session] { return place }
        let place = table.openSession(weight: 1)
        sessions[session] = place
        while names.count <= place {
            names.append(session)
            met.append([:])
        }
        names[Int(place)] = session
        return place
    }

    private mutating func slot(for want: PoolWant<Key>) -> Int32 {
        if let slot = slots[want.key] { return slot }
        let slot = table.makeTask(host: want.host)
        slots[want.key] = slot
        while keys.count <= slot { keys.append(nil) }
        keys[Int(slot)] = want.key
        return slot
    }

    /// Aborts dropped tasks that were running, and starts tasks as far as the limits allow.
    mutating func settle(_ dropped: [TaskTable.Dropped]) -> [Action] {
        var actions: [Action] = []
        for task in dropped {
            guard let key = keys[Int(task.slot)] else { continue }
            slots[key] = nil
            switch task.was {
            case .running(let kind): actions.append(.abort(ticket(task.slot, key, kind)))
            case .queued(let kind), .waiting(let kind), .away(let kind):
                actions.append(.dropped(ticket(task.slot, key, kind)))
                keys[Int(task.slot)] = nil
            case .free, .aborting: break
            }
        }
        table.nextRest()
        for kind in SlotKind.allCases {
            while let (slot, kind) = table.startNext(kind) {
                table.markStarted(slot, kind)
                if let key = keys[Int(slot)] { actions.append(.start(ticket(slot, key, kind))) }
            }
        }
        return actions
    }

    func ticket(_ slot: Int32, _ key: Key, _ kind: SlotKind) -> Ticket<Key> {
        let task = table.tasks[Int(slot)]
        return Ticket(key: key, host: task.host, kind: kind, serial: task.serial, slot: slot, limit: task.limit)
    }

    /// Whether the ticket is current and a session wants its task.
    public func isWanted(_ ticket: Ticket<Key>) -> Bool {
        isCurrent(ticket) && !table.tasks[Int(ticket.slot)].isAborting
    }

    /// Returns the sessions that want the ticket's task, in the order in which they joined.
    public func sessions(wanting ticket: Ticket<Key>) -> [SessionID] {
        isWanted(ticket) ? table.tasks[Int(ticket.slot)].wanters.map { names[Int($0.session)] } : []
    }

    private func isCurrent(_ ticket: Ticket<Key>) -> Bool {
        guard table.tasks.indices.contains(Int(ticket.slot)) else { return false }
        let task = table.tasks[Int(ticket.slot)]
        guard task.serial == ticket.serial else { return false }
        switch task.state {
        case .running(let kind), .away(let kind), .aborting(let kind): return kind == ticket.kind
        case .free, .queued, .waiting: return false
        }
    }
}

// MARK: Learning about hosts from fetches

extension TaskPoolCore {
    mutating func observe(
        _ fetch: FetchReport, _ ticket: Ticket<Key>, random: Double, now: Double
    ) -> (delay: Double?, rest: [Action]) {
        let failed = fetch.outcome.isWorthRetrying ? table.countFailure(ticket.slot) : 0
        var settings = limits.hosts
        settings.limit = adaptiveLimit
        var governor = table.hosts[ticket.host] ?? HostGovernor(settings)
        let before = governor.rest(now: now) ?? now
        let delay = governor.take(
            fetch, failed: failed, inFlight: table.fetching(host: ticket.host), now: now, random: random)
        let rest = governor.rest(now: now)
        govern(ticket.host, by: governor, now)
        guard limits.isShared, fetch.outcome != .pausedElsewhere, let rest, rest > before else { return (delay, []) }
        return (delay, [.paused(ticket, until: rest)])
    }

    /// Settings for this node's concurrent fetches from one host.
    private var adaptiveLimit: AdaptiveLimit.Settings {
        var settings = limits.hosts.limit
        settings.maximum = limits.fetchesPerHost
        settings.initial = limits.firstFetchesPerHost
        return settings
    }

    /// Limits the learned host limits to this node's share.
    mutating func share(learningAgain: Bool, _ now: Double) {
        for host in table.hosts.known {
            guard var governor = table.hosts[host] else { continue }
            if learningAgain { governor.learnAgain(adaptiveLimit) } else { governor.setMaximum(limits.fetchesPerHost) }
            let limit = governor.limit(now: now)
            table.govern(host, by: governor, limit: limit)
        }
    }

    /// Returns how long a host stays paused, in milliseconds, or `nil` if it is not paused.
    public func pause(host: Int, now: Double) -> Double? { restEnd(of: host, now).map { $0 - now } }

    /// Returns the error of the latest fetch from a host, or `nil` if that fetch succeeded.
    public func failure(host: Int) -> String? { table.hosts[host]?.failure }

    /// Allows one fetch to probe a host that is paused after failures.
    public mutating func probe(host: Int, now: Double) -> [Action] {
        guard var governor = table.hosts[host] else { return [] }
        governor.probe()
        govern(host, by: governor, now)
        return settle([])
    }

    /// Returns when a host's pause ends, in milliseconds, or `nil` if the host is not paused.
    func restEnd(of host: Int, _ now: Double) -> Double? {
        guard var governor = table.hosts[host] else { return nil }
        return governor.rest(now: now)
    }

    /// Stores and applies the state of a host.
    mutating func govern(_ host: Int, by governor: HostGovernor, _ now: Double) {
        var governor = governor
        let limit = governor.limit(now: now)
        table.govern(host, by: governor, limit: limit)
        guard let change = governor.nextChange(after: now) else { return }
        hostWakes.insert(HostWake(time: change, host: host))
    }

    struct HostWake: Comparable, Sendable {
        var time: Double
        var host: Int
        static func < (a: HostWake, b: HostWake) -> Bool { (a.time, a.host) < (b.time, b.host) }
    }
}

// MARK: Ends and refusals

extension TaskPoolCore {
    /// Queues a task that was ``SlotReport/away`` for a slot of the same kind again. Does nothing if the task is over.
    public mutating func reacquireSlot(_ ticket: Ticket<Key>, now: Double) -> [Action] {
        guard table.tasks.indices.contains(Int(ticket.slot)), table.tasks[Int(ticket.slot)].serial == ticket.serial,
            table.reacquireSlot(ticket.slot)
        else { return [] }
        return settle([]) + refuse([ticket.slot], now: now)
    }

    /// Ends a session and cancels all tasks that only this session wanted.
    public mutating func end(session: SessionID, now: Double) -> [Action] {
        var dropped: [TaskTable.Dropped] = []
        close(session, &dropped)
        return settle(dropped)
    }

    /// Ends all sessions. Each task gets a `finished` that is not ready, for the sessions that wanted it, and is cancelled.
    public mutating func endAll(now: Double) -> [Action] {
        var actions: [Action] = []
        for (key, slot) in slots.sorted(by: { $0.value < $1.value }) {
            let task = table.tasks[Int(slot)]
            guard let kind = task.state.kind else { continue }
            let sessions = task.wanters.map { names[Int($0.session)] }
            actions.append(.finished(ticket(slot, key, kind), sessions: sessions, ready: false))
        }
        var dropped: [TaskTable.Dropped] = []
        for session in sessions.keys.sorted() { close(session, &dropped) }
        return actions + settle(dropped)
    }

    private mutating func close(_ session: SessionID, _ dropped: inout [TaskTable.Dropped]) {
        guard let place = sessions.removeValue(forKey: session) else { return }
        met[Int(place)] = [:]
        table.closeSession(place, dropped: &dropped)
    }

    /// Refuses wants that do not wait for a paused host, if their task is in `slots` and needs a fetch from a paused host.
    mutating func refuse(_ slots: [Int32], now: Double) -> [Action] {
        var actions: [Action] = []
        var dropped: [TaskTable.Dropped] = []
        for slot in slots {
            let task = table.tasks[Int(slot)]
            guard task.waitsToBeFetched, let key = keys[Int(slot)], let until = restEnd(of: task.host, now)
            else { continue }
            for wanter in task.wanters where !wanter.waitsForHost {
                table.refuse(slot, session: wanter.session, dropped: &dropped)
                met[Int(wanter.session)][key] = wanter.generation
                actions.append(.refused(key, session: names[Int(wanter.session)], until: until))
            }
        }
        return actions.isEmpty ? [] : actions + settle(dropped)
    }
}
