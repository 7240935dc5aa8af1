/// The pool without the names of things: tasks and sessions are places in tables. Kept apart from the keys so that it
/// compiles to plain integer code whatever the key type.
struct Board: Sendable {
    var tasks: [TaskRow] = []
    private(set) var sessions: [SessionRow] = []
    var counts = TaskPoolCounts()
    private var freeTasks: [Int32] = []
    private var freeSessions: [Int32] = []
    private var nextSerial: UInt64 = 0
    var rests = RestQueue()
    var store: FairQueue
    var head: FairQueue
    var fetch: FairQueue
    var render: FairQueue
    /// Bytes that may be carried, for what is visible and for the others.
    var carriedLimit = (visible: 0, prefetch: 0)
    /// Bytes that the latest fetches brought, on average.
    var meanBytes = 0.0
    /// Whether tasks that are to be fetched from a host that rests are looked for once more.
    private(set) var looksAgain = false
    /// Rests of hosts that have begun, and by host that rests, which of them.
    var restCount: UInt64 = 0
    var resting: [Int: UInt64] = [:]
    private(set) var hosts: HostTable
    /// Tasks with a wanter that does not wait for a host.
    private(set) var impatient: Set<Int32> = []

    init(limits: TaskPoolLimits) {
        store = FairQueue(limit: 1)
        head = FairQueue(limit: 1)
        fetch = FairQueue(limit: 1)
        render = FairQueue(limit: 1)
        hosts = HostTable(capacity: limits.hostsRemembered)
        apply(limits)
    }

    mutating func apply(_ limits: TaskPoolLimits) {
        store.limit = limits.limit(of: .store)
        head.limit = limits.limit(of: .head)
        render.limit = limits.limit(of: .render)
        fetch.limit = limits.limit(of: .fetch)
        fetch.reserve = max(0, limits.fetchReserve)
        fetch.laneReserve = max(0, limits.fetchReservePerHost)
        fetch.laneLimit = limits.firstFetchesPerHost
        fetch.relistAll()
        looksAgain = limits.isShared
        hosts.capacity = limits.hostsRemembered
        carriedLimit.prefetch = max(1, limits.carriedBytes)
        carriedLimit.visible = carriedLimit.prefetch + max(0, limits.carriedReserve)
    }

    var fetchLimits: FetchLimits { FetchLimits(hosts: fetch.laneLimits, standard: fetch.laneLimit) }

    // MARK: Sessions

    mutating func openSession(weight: Double) -> Int32 {
        let session: Int32
        if let free = freeSessions.popLast() {
            session = free
        } else {
            session = Int32(sessions.count)
            sessions.append(SessionRow())
        }
        sessions[Int(session)].isOpen = true
        forEachQueue { $0.open(session: session, weight: weight) }
        return session
    }

    mutating func setWeight(_ weight: Double, session: Int32) {
        forEachQueue { $0.setWeight(weight, session: session) }
    }

    /// Ends a session; `dropped` takes the tasks that nobody wants any more.
    mutating func closeSession(_ session: Int32, dropped: inout [Dropped]) {
        setWants([], session: session, dropped: &dropped)
        sessions[Int(session)] = SessionRow()
        freeSessions.append(session)
    }

    // MARK: Wants

    /// A new task, wanted by nobody yet.
    mutating func makeTask(host: Int) -> Int32 {
        let slot: Int32
        if let free = freeTasks.popLast() {
            slot = free
        } else {
            slot = Int32(tasks.count)
            tasks.append(TaskRow())
        }
        nextSerial += 1
        tasks[Int(slot)].host = host
        hosts.begin(host)
        tasks[Int(slot)].looked = 0
        tasks[Int(slot)].isBegun = false
        tasks[Int(slot)].serial = nextSerial
        tasks[Int(slot)].state = .queued(.store)
        counts.created += 1
        counts.queued.store += 1
        return slot
    }

    /// The task at a place of the session's latest list, if it is still its task.
    func task(at cursor: Int, session: Int32) -> Int32? {
        let wants = sessions[Int(session)].wants
        guard cursor < wants.count else { return nil }
        let slot = wants[cursor].slot
        switch tasks[Int(slot)].state {
        case .free, .aborting: return nil
        case .queued, .running, .resting: return slot
        }
    }

    /// The place of a task in the session's latest list.
    func rank(of slot: Int32, session: Int32) -> Int? {
        tasks[Int(slot)].wanters.first { $0.session == session }.map { Int($0.rank) }
    }

    /// Replaces all that a session wants. A task named twice keeps its first place.
    mutating func setWants(_ rows: [Row], session: Int32, dropped: inout [Dropped]) {
        let index = Int(session)
        sessions[index].list &+= 1
        let list = sessions[index].list
        forEachQueue { $0.clear(session: session) }
        for (rank, row) in rows.enumerated() {
            let slot = Int(row.slot)
            let wanter = Wanter(
                session: session, rank: Int32(rank), list: list, visible: row.visible, waitsForHost: row.waitsForHost,
                isPreviewEnough: row.isPreviewEnough, generation: row.generation)
            if !row.waitsForHost { impatient.insert(row.slot) }
            if let place = tasks[slot].wanters.firstIndex(where: { $0.session == session }) {
                guard tasks[slot].wanters[place].list != list else { continue }
                tasks[slot].wanters[place] = wanter
            } else {
                tasks[slot].wanters.append(wanter)
            }
            if case .queued(let stage) = tasks[slot].state { push(row.slot, stage, wanter) }
        }
        for row in sessions[index].wants {
            let slot = Int(row.slot)
            // Not found: the task is over, and its slot may be another's by now.
            guard let place = tasks[slot].wanters.firstIndex(where: { $0.session == session }),
                tasks[slot].wanters[place].list != list
            else { continue }
            tasks[slot].wanters.remove(at: place)
            if tasks[slot].wanters.isEmpty { drop(row.slot, &dropped) }
        }
        sessions[index].wants = rows
    }

    mutating func push(_ slot: Int32, _ stage: Stage, _ wanter: Wanter) {
        guard wanter.wants(stage) else { return }
        let lane = lane(of: slot, stage)
        let urgency = Urgency(isVisible: wanter.visible, isRest: tasks[Int(slot)].isRest(stage))
        withQueue(stage) {
            $0.push(slot: slot, rank: wanter.rank, urgency: urgency, lane: lane, session: wanter.session)
        }
    }

    mutating func drop(_ slot: Int32, _ dropped: inout [Dropped]) {
        let state = tasks[Int(slot)].state
        switch state {
        case .queued(let stage):
            counts.queued[stage] -= 1
            counts.cancelledQueued += 1
            free(slot)
        case .resting:
            counts.resting -= 1
            counts.cancelledQueued += 1
            free(slot)
        case .running(let stage):
            counts.cancelledRunning += 1
            counts.aborting += 1
            tasks[Int(slot)].state = .aborting(stage)
        case .free, .aborting: return
        }
        dropped.append(Dropped(slot: slot, was: state))
    }

    mutating func free(_ slot: Int32) {
        hold(0, slot)
        impatient.remove(slot)
        if let forgotten = hosts.end(tasks[Int(slot)].host) { setFetchLimit(nil, host: forgotten) }
        tasks[Int(slot)].state = .free
        tasks[Int(slot)].failures = 0
        tasks[Int(slot)].wanters.removeAll(keepingCapacity: true)
        freeTasks.append(slot)
    }

    /// Keeps what is known of a host, and limits its fetches.
    mutating func govern(_ host: Int, by governor: HostGovernor, limit: Int) {
        setFetchLimit(limit, host: host)
        if let forgotten = hosts.set(governor, of: host) { setFetchLimit(nil, host: forgotten) }
    }

    /// Forgets what is known of a host.
    mutating func forget(host: Int) {
        hosts.forget(host)
        setFetchLimit(nil, host: host)
    }

    func lane(of slot: Int32, _ stage: Stage) -> Int { stage.isFetch ? tasks[Int(slot)].host : 0 }

    private mutating func forEachQueue(_ body: (inout FairQueue) -> Void) {
        body(&store)
        body(&head)
        body(&fetch)
        body(&render)
    }

    mutating func withQueue<Result>(_ stage: Stage, _ body: (inout FairQueue) -> Result) -> Result {
        switch stage {
        case .store: body(&store)
        case .head: body(&head)
        case .remoteHead, .fetch: body(&fetch)
        case .render: body(&render)
        }
    }
}
