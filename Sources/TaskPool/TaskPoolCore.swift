import HeapModule

/// The task pool as a value: what happened goes in, what to do comes out. It starts nothing itself and reads no clock.
///
/// A key that any session wants has exactly one task, which is looked up, and then takes a slot for
/// its head, its fetch and its rendering, each kind with its own limit; heads on remote hosts are fetches. A want for which the preview is enough has nothing more fetched. In the queue
/// of each kind the tasks that a session sees come first, then the others, and the rest of a file after its like; among
/// equals the sessions take turns (fair shares, by weight), each in its own order. A session hands over everything it wants at each update, and that order takes effect at once in all queues:
/// promotion, demotion and cancelling are nothing but another list. A task that no session wants any more is cancelled:
/// gone at once when it waits, `.abort` when it runs.
///
/// A want is met once: when its task has finished, ready or failed, the key is not started again for that session until
/// a list has left it out or names it with another generation. So a list composed before its session heard of the finish
/// repeats nothing.
///
/// An update costs time in proportion to the session's own wants, a start or a finish the logarithm of the number of
/// waiting sessions and hosts.
public struct TaskPoolCore<Key: Hashable & Sendable>: Sendable {
    public typealias Action = PoolAction<Key>

    public private(set) var limits: TaskPoolLimits
    var table: TaskTable
    var slots: [Key: Int32] = [:]
    var keys: [Key?] = []
    var sessions: [SessionID: Int32] = [:]
    /// By session place: its name, and the wants that were met and that its lists still name, with their generation.
    var names: [SessionID] = []
    var met: [[Key: UInt8]] = []
    var hostWakes = Heap<HostWake>()

    public init(limits: TaskPoolLimits = TaskPoolLimits()) {
        self.limits = limits
        table = TaskTable(limits: limits)
    }

    public var counts: TaskPoolCounts { table.counts }

    /// Whether nothing waits, rests or runs.
    public var isIdle: Bool { isQuiet(table.counts) }

    private func isQuiet(_ counts: TaskPoolCounts) -> Bool {
        counts.queued.total == 0 && counts.running.total == 0 && counts.resting == 0
    }

    // MARK: Wants

    /// Replaces all that a session wants, most urgent first. An unknown session begins with this.
    public mutating func want(_ wants: [PoolWant<Key>], session: SessionID, now: Double) -> [Action] {
        let place = open(session)
        var rows: [TaskTable.Row] = []
        rows.reserveCapacity(wants.count)
        var stillMet: [Key: UInt8] = [:]
        // A list is mostly the one before, moved: comparing with what followed there saves most look-ups.
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
        return actions + (table.lookAgain(failFast) ? settle([]) : []) + refuse(failFast, now: now)
    }

    /// Gives a session a larger or smaller share than the others' 1. Clamped to 0.01 ... 100.
    public mutating func setWeight(_ weight: Double, session: SessionID) {
        let place = open(session)
        table.setWeight(weight.isFinite ? min(max(weight, 0.01), 100) : 1, session: place)
    }

    // MARK: Reports

    /// Takes the report of a step that was started. A late one, of a ticket that is over, changes nothing.
    ///
    /// - Parameters:
    ///   - ticket: What was started.
    ///   - report: What became of it.
    ///   - fetch: How the fetch went, if this was one. It teaches the pool about the host: how many fetches at once it
    ///     is good for, whether to let it rest, and whether what failed is tried again, and when.
    ///   - random: Evenly in 0 ..< 1; spreads the tries.
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

    /// When `wake` is to be called, in milliseconds: a rest will be over. nil: no need.
    public var nextWake: Double? {
        guard let task = table.rests.until else { return hostWakes.min?.time }
        return min(task, hostWakes.min?.time ?? task)
    }

    /// Goes on with what has rested long enough.
    public mutating func wake(now: Double) -> [Action] {
        table.wake(now: now)
        while let wake = hostWakes.min, wake.time <= now {
            hostWakes.removeMin()
            if let governor = table.hosts[wake.host] { govern(wake.host, by: governor, now) }
        }
        return settle([])
    }

    /// The fetches at once that the pool allows a host now; 0 while it rests.
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

    /// Changes the limits; what already runs goes on.
    public mutating func setLimits(_ limits: TaskPoolLimits, now: Double) -> [Action] {
        // Host limits were learned within the old bound.
        let isOtherBound = limits.fetchPerHost != self.limits.fetchPerHost
        let isShareOther = limits.nodes != self.limits.nodes
        self.limits = limits
        table.apply(limits)
        if isOtherBound || isShareOther { share(learningAgain: isOtherBound, now) }
        return settle([])
    }

    /// Fetches at once from one host; 0 lets it rest, nil forgets what is known of it. What is learned from the host's
    /// fetches replaces it.
    public mutating func setFetchLimit(_ limit: Int?, host: Int, now: Double) -> [Action] {
        if let limit { table.setFetchLimit(limit, host: host) } else { table.forget(host: host) }
        return settle([])
    }

    // MARK: Inside

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

    /// Aborts what was dropped while it ran and starts what there is room for.
    mutating func settle(_ dropped: [TaskTable.Dropped]) -> [Action] {
        var actions: [Action] = []
        for task in dropped {
            guard let key = keys[Int(task.slot)] else { continue }
            slots[key] = nil
            switch task.was {
            case .running(let kind): actions.append(.abort(ticket(task.slot, key, kind)))
            case .queued(let kind), .resting(let kind), .away(let kind):
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
        return Ticket(key: key, host: task.host, kind: kind, serial: task.serial, slot: slot)
    }

    /// Whether the ticket's slot is held and a session wants it.
    public func isWanted(_ ticket: Ticket<Key>) -> Bool {
        isCurrent(ticket) && !table.tasks[Int(ticket.slot)].isAborting
    }

    /// Sessions that want the ticket's task, in the order in which they came.
    public func sessions(wanting ticket: Ticket<Key>) -> [SessionID] {
        isWanted(ticket) ? table.tasks[Int(ticket.slot)].wanters.map { names[Int($0.session)] } : []
    }

    private func isCurrent(_ ticket: Ticket<Key>) -> Bool {
        guard table.tasks.indices.contains(Int(ticket.slot)) else { return false }
        let task = table.tasks[Int(ticket.slot)]
        guard task.serial == ticket.serial else { return false }
        switch task.state {
        case .running(let kind), .away(let kind), .aborting(let kind): return kind == ticket.kind
        case .free, .queued, .resting: return false
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
        guard limits.isShared, fetch.outcome != .restsElsewhere, let rest, rest > before else { return (delay, []) }
        return (delay, [.rests(ticket, until: rest)])
    }

    /// The fetches at once from one host by this node.
    private var adaptiveLimit: AdaptiveLimit.Settings {
        var settings = limits.hosts.limit
        settings.most = limits.fetchesPerHost
        settings.initial = limits.firstFetchesPerHost
        return settings
    }

    /// Bounds what was learned of hosts by this node's part of the limit.
    mutating func share(learningAgain: Bool, _ now: Double) {
        for host in table.hosts.known {
            guard var governor = table.hosts[host] else { continue }
            if learningAgain { governor.learnAgain(adaptiveLimit) } else { governor.setMost(limits.fetchesPerHost) }
            let limit = governor.limit(now: now)
            table.govern(host, by: governor, limit: limit)
        }
    }

    /// How long a host still rests, in milliseconds; nil: it does not.
    public func rest(host: Int, now: Double) -> Double? { restEnd(of: host, now).map { $0 - now } }

    /// The error of the latest fetch from a host, if it failed.
    public func failure(host: Int) -> String? { table.hosts[host]?.failure }

    /// Lets one fetch probe a host that failures have paused.
    public mutating func probe(host: Int, now: Double) -> [Action] {
        guard var governor = table.hosts[host] else { return [] }
        governor.probe()
        govern(host, by: governor, now)
        return settle([])
    }

    /// Until when a host rests, in milliseconds; nil: it does not.
    func restEnd(of host: Int, _ now: Double) -> Double? {
        guard var governor = table.hosts[host] else { return nil }
        return governor.rest(now: now)
    }

    /// Keeps and applies what is known of a host.
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
    /// A task that was ``SlotReport/away`` wants a slot of the same kind again. Nothing happens to one that is over.
    public mutating func comeBack(_ ticket: Ticket<Key>, now: Double) -> [Action] {
        guard table.tasks.indices.contains(Int(ticket.slot)), table.tasks[Int(ticket.slot)].serial == ticket.serial,
            table.comeBack(ticket.slot)
        else { return [] }
        return settle([]) + refuse([ticket.slot], now: now)
    }

    /// Ends a session: all that only it wanted is cancelled.
    public mutating func end(session: SessionID, now: Double) -> [Action] {
        var dropped: [TaskTable.Dropped] = []
        close(session, &dropped)
        return settle(dropped)
    }

    /// Ends all sessions: each task is `finished`, not ready, for those that wanted it, and cancelled.
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

    /// Takes the wants that do not wait from those of these tasks that are to be fetched from a host that rests.
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
