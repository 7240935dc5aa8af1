import Numbers

/// The pool's tables. Tasks and sessions are indices, not keys, so this type compiles to plain integer code whatever the
/// key type.
struct TaskTable: Sendable {
    var tasks: [TaskRow] = []
    private(set) var sessions: [SessionRow] = []
    var counts = TaskPoolCounts()
    private var freeTasks: [Int32] = []
    private var freeSessions: [Int32] = []
    private var nextSerial: UInt64 = 0
    var retryQueue = RetryQueue()
    var lookUp: FairQueue
    var head: FairQueue
    var fetch: FairQueue
    var render: FairQueue
    var largeRender: FairQueue
    /// Limits on bytes held between fetch and render, for visible tasks and for the others.
    var carriedLimit = (visible: 0, prefetch: 0)
    /// Moving average of the bytes of a fetch.
    var meanBytes = 0.0
    /// Whether to look up tasks a second time if their host is paused.
    private(set) var rechecks = false
    /// Number of host pauses so far. `waiting` maps a paused host to the number of its pause.
    var restCount: UInt64 = 0
    var pausedHosts: [Int: UInt64] = [:]
    private(set) var hosts: HostTable
    /// Tasks with a want that does not wait for a paused host.
    private(set) var failFast: Set<Int32> = []

    init(limits: TaskPoolLimits) {
        lookUp = FairQueue(limit: 1)
        head = FairQueue(limit: 1)
        fetch = FairQueue(limit: 1)
        render = FairQueue(limit: 1)
        largeRender = FairQueue(limit: 1)
        hosts = HostTable(capacity: limits.hostsRemembered)
        apply(limits)
    }

    mutating func apply(_ limits: TaskPoolLimits) {
        lookUp.limit = limits.limit(of: .lookUp)
        head.limit = limits.limit(of: .head)
        render.limit = limits.limit(of: .render)
        largeRender.limit = limits.limit(of: .largeRender)
        fetch.limit = limits.limit(of: .fetch)
        fetch.reserve = max(0, limits.fetchReserve)
        fetch.laneReserve = max(0, limits.fetchReservePerHost)
        fetch.laneLimit = limits.firstFetchesPerHost
        fetch.relistAll()
        rechecks = limits.isShared
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

    /// Ends a session. Adds tasks that nobody wants any more to `dropped`.
    mutating func closeSession(_ session: Int32, dropped: inout [Dropped]) {
        setWants([], session: session, dropped: &dropped)
        sessions[Int(session)] = SessionRow()
        freeSessions.append(session)
    }

    // MARK: Wants

    /// Creates a task that nobody wants yet.
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
        tasks[Int(slot)].limit = nil
        tasks[Int(slot)].serial = nextSerial
        tasks[Int(slot)].state = .queued(.lookUp)
        counts.created += 1
        counts.queued.lookUp += 1
        return slot
    }

    /// Returns the task at a place of the session's latest list, or `nil` if that task has ended.
    func task(at cursor: Int, session: Int32) -> Int32? {
        let wants = sessions[Int(session)].wants
        guard cursor < wants.count else { return nil }
        let slot = wants[cursor].slot
        switch tasks[Int(slot)].state {
        case .free, .aborting: return nil
        case .queued, .running, .waiting, .away: return slot
        }
    }

    /// Returns the place of a task in the session's latest list.
    func rank(of slot: Int32, session: Int32) -> Int? {
        tasks[Int(slot)].wanters.first { $0.session == session }.map { Int($0.rank) }
    }

    /// Replaces all wants of a session. A task named twice keeps its first place.
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
            if !row.waitsForHost { failFast.insert(row.slot) }
            if let place = tasks[slot].wanters.firstIndex(where: { $0.session == session }) {
                guard tasks[slot].wanters[place].list != list else { continue }
                tasks[slot].wanters[place] = wanter
            } else {
                tasks[slot].wanters.append(wanter)
            }
            if case .queued(let kind) = tasks[slot].state { push(row.slot, kind, wanter) }
        }
        for row in sessions[index].wants {
            let slot = Int(row.slot)
            // No wanter found: the task is over, and another task may use its slot now.
            guard let place = tasks[slot].wanters.firstIndex(where: { $0.session == session }),
                tasks[slot].wanters[place].list != list
            else { continue }
            tasks[slot].wanters.remove(at: place)
            if tasks[slot].wanters.isEmpty { drop(row.slot, &dropped) }
        }
        sessions[index].wants = rows
    }

    mutating func push(_ slot: Int32, _ kind: SlotKind, _ wanter: Wanter) {
        guard wanter.wants(kind) else { return }
        let lane = lane(of: slot, kind)
        let urgency = Urgency(isVisible: wanter.visible, isRest: tasks[Int(slot)].isRest(kind))
        withQueue(kind) {
            $0.push(slot: slot, rank: wanter.rank, urgency: urgency, lane: lane, session: wanter.session)
        }
    }

    mutating func drop(_ slot: Int32, _ dropped: inout [Dropped]) {
        let state = tasks[Int(slot)].state
        switch state {
        case .queued(let kind):
            counts.queued[kind] -= 1
            counts.cancelledQueued += 1
            free(slot)
        case .waiting, .away:
            counts.waiting -= 1
            counts.cancelledQueued += 1
            free(slot)
        case .running(let kind):
            counts.cancelledRunning += 1
            counts.aborting += 1
            tasks[Int(slot)].state = .aborting(kind)
        case .free, .aborting: return
        }
        dropped.append(Dropped(slot: slot, was: state))
    }

    mutating func free(_ slot: Int32) {
        hold(0, slot)
        failFast.remove(slot)
        if let forgotten = hosts.end(tasks[Int(slot)].host) { setFetchLimit(nil, host: forgotten) }
        tasks[Int(slot)].state = .free
        tasks[Int(slot)].failures = 0
        tasks[Int(slot)].wanters.removeAll(keepingCapacity: true)
        freeTasks.append(slot)
    }

    /// Stores the state of a host and limits its fetches.
    mutating func govern(_ host: Int, by governor: HostGovernor, limit: Int) {
        setFetchLimit(limit, host: host)
        if let forgotten = hosts.set(governor, of: host) { setFetchLimit(nil, host: forgotten) }
    }

    mutating func forget(host: Int) {
        hosts.forget(host)
        setFetchLimit(nil, host: host)
    }

    func lane(of slot: Int32, _ kind: SlotKind) -> Int { kind.isFetch ? tasks[Int(slot)].host : 0 }

    private mutating func forEachQueue(_ body: (inout FairQueue) -> Void) {
        body(&lookUp)
        body(&head)
        body(&fetch)
        body(&render)
        body(&largeRender)
    }

    mutating func withQueue<Result>(_ kind: SlotKind, _ body: (inout FairQueue) -> Result) -> Result {
        switch kind {
        case .lookUp: body(&lookUp)
        case .head: body(&head)
        case .remoteHead, .fetch: body(&fetch)
        case .render: body(&render)
        case .largeRender: body(&largeRender)
        }
    }
}

// MARK: The tables: tasks, and sessions with their wants

extension TaskTable {
    struct TaskRow {
        var host = 0
        var serial: UInt64 = 0
        var state = State.free
        /// Sessions that want the task, in the order in which they joined. A linear search is faster than a table, because there are few.
        var wanters: [Wanter] = []
        /// How often the present step has failed.
        var failures = 0
        /// Value of `restCount` when the task was last looked up.
        var looked: UInt64 = 0
        /// Whether the head was already read from the host, so the fetch is of the rest.
        var isBegun = false
        /// The limit that the latest start used up. See ``Ticket/limit``.
        var limit: SlotLimit?
        /// Bytes that the task holds, or the expected bytes while it is fetched.
        var bytes = 0

        var isAborting: Bool { if case .aborting = state { true } else { false } }

        func isRest(_ kind: SlotKind) -> Bool { isBegun && kind == .fetch }

        var waitsToBeFetched: Bool {
            switch state {
            case .queued(let kind), .waiting(let kind): kind.isFetch
            case .free, .running, .away, .aborting: false
            }
        }
    }

    /// One session's want, from its latest list.
    struct Wanter {
        var session: Int32
        /// Place in the list.
        var rank: Int32
        /// Number of the session's list that contains this want.
        var list: UInt32
        var visible: Bool
        var waitsForHost: Bool
        var isPreviewEnough: Bool
        var generation: UInt8

        /// Whether this want needs a slot of a kind. A fetched picture is always rendered, so that the task does not hold its bytes
        /// any longer.
        func wants(_ kind: SlotKind) -> Bool { !isPreviewEnough || kind != .fetch }
    }

    enum State: Equatable {
        case free
        case queued(SlotKind)
        case running(SlotKind)
        /// Waits for a retry and is in no queue.
        case waiting(SlotKind)
        /// Has given its slot back and will request another.
        case away(SlotKind)
        case aborting(SlotKind)

        var kind: SlotKind? {
            switch self {
            case .free: nil
            case .queued(let kind), .running(let kind), .waiting(let kind), .away(let kind), .aborting(let kind): kind
            }
        }
    }

    struct SessionRow {
        var isOpen = false
        var wants: [Row] = []
        /// Number of the session's latest list.
        var list: UInt32 = 0
    }

    /// A task that nobody wants any more, and its last state.
    struct Dropped: Sendable {
        var slot: Int32
        var was: State
    }

    /// A want whose key is replaced by its task's index.
    struct Row {
        var slot: Int32
        var visible: Bool
        var waitsForHost = true
        var isPreviewEnough = false
        var generation: UInt8 = 0
    }
}

// MARK: Tasks that start, run and end

extension TaskTable {
    /// Returns the next task to start in a slot of a kind, if the limits allow one. Remote heads and fetches share one queue, so
    /// for either kind this is the most urgent task of both.
    mutating func startNext(_ kind: SlotKind) -> (slot: Int32, kind: SlotKind)? {
        let tasks = tasks
        if kind.isFetch, !mayFetch(isVisible: true) { return nil }
        let isVisibleOnly = kind.isFetch && !mayFetch(isVisible: false)
        let slot = withQueue(kind) { queue in
            queue.next(isVisibleOnly: isVisibleOnly) { place, session, urgency in
                let task = tasks[Int(place.slot)]
                guard case .queued(let waiting) = task.state, waiting == kind || waiting.isFetch && kind.isFetch,
                    task.isRest(waiting) == urgency.isRest
                else { return false }
                return task.wanters.contains { $0.session == session && $0.rank == place.rank && $0.wants(waiting) }
            }
        }
        guard let slot, let waiting = tasks[Int(slot)].state.kind else { return nil }
        return (slot, waiting)
    }

    mutating func markStarted(_ slot: Int32, _ kind: SlotKind) {
        tasks[Int(slot)].state = .running(kind)
        tasks[Int(slot)].limit = usedUpLimit(slot, kind)
        counts.queued[kind] -= 1
        counts.running[kind] += 1
        counts.started[kind] += 1
        if kind.isFetch { expect(slot) }
        if kind == .lookUp { tasks[Int(slot)].looked = restCount }
    }

    /// Returns the limit that a fetch used up as it started, or `nil` if there was room for another.
    private func usedUpLimit(_ slot: Int32, _ kind: SlotKind) -> SlotLimit? {
        guard kind.isFetch else { return nil }
        let task = tasks[Int(slot)]
        if task.failures > 0 { return .retry }
        let isVisible = task.wanters.contains { $0.visible }
        let ofHost = max(1, (fetch.laneLimits[task.host] ?? fetch.laneLimit) - (isVisible ? 0 : fetch.laneReserve))
        if fetch.running(lane: task.host) >= ofHost { return .host(ofHost) }
        let ofAll = max(1, fetch.limit - (isVisible ? 0 : fetch.reserve))
        return fetch.running >= ofAll ? .allHosts(ofAll) : nil
    }

    /// Applies a report for the step in `slot`. If the report ends the task, returns the task's wanters and whether it is ready.
    mutating func finish(_ slot: Int32, _ report: SlotReport, now: Double) -> (wanters: [Wanter], ready: Bool)? {
        switch tasks[Int(slot)].state {
        case .aborting(let kind):
            release(slot, kind)
            counts.aborting -= 1
            free(slot)
            return nil
        case .running(let kind):
            release(slot, kind)
            switch report {
            case .advance(let next, let bytes) where next > kind:
                // A look-up between two tries must not reset the failures of the fetch.
                if kind >= .fetch { tasks[Int(slot)].failures = 0 }
                // Count only bytes of tasks that need no further fetch. Otherwise waiting tasks could block each other's fetches.
                if next >= .render {
                    take(max(0, bytes), slot, fetched: kind.isFetch)
                } else {
                    hold(0, slot)
                }
                if kind == .remoteHead { tasks[Int(slot)].isBegun = true }
                enqueue(slot, next)
                return nil
            case .again(let delay) where delay.isFinite:
                counts.retries += 1
                if kind.isFetch { hold(0, slot) }
                rest(slot, kind, until: now + max(0, delay))
                return nil
            case .away:
                if kind.isFetch { hold(0, slot) }
                tasks[Int(slot)].state = .away(kind)
                counts.waiting += 1
                return nil
            default: break
            }
            return end(slot, report)
        case .away where report == .ready || report == .failed || report == .cancelled:
            counts.waiting -= 1
            return end(slot, report)
        case .free, .queued, .waiting, .away: return nil
        }
    }

    private mutating func end(_ slot: Int32, _ report: SlotReport) -> (wanters: [Wanter], ready: Bool) {
        let isReady = report == .ready
        if isReady { counts.ready += 1 } else { counts.failed += 1 }
        let wanters = tasks[Int(slot)].wanters
        free(slot)
        return (wanters, isReady)
    }

    mutating func countLateReport() { counts.lateReports += 1 }

    /// Removes a session's want of a task, which other sessions may still want.
    mutating func refuse(_ slot: Int32, session: Int32, dropped: inout [Dropped]) {
        counts.refused += 1
        tasks[Int(slot)].wanters.removeAll { $0.session == session }
        if tasks[Int(slot)].wanters.isEmpty { drop(slot, &dropped) }
    }

    mutating func countOverLimit(_ n: Int) { counts.wantsOverLimit += n }

    mutating func enqueue(_ slot: Int32, _ kind: SlotKind) {
        let kind = kind.isFetch && needsLookUp(slot) ? .lookUp : kind
        tasks[Int(slot)].state = .queued(kind)
        counts.queued[kind] += 1
        for wanter in tasks[Int(slot)].wanters { push(slot, kind, wanter) }
    }

    private mutating func release(_ slot: Int32, _ kind: SlotKind) {
        counts.running[kind] -= 1
        let lane = lane(of: slot, kind)
        let isRest = tasks[Int(slot)].isRest(kind)
        withQueue(kind) { $0.release(lane: lane, isRest: isRest) }
    }
}

// MARK: Bytes that tasks hold between fetch and render

extension TaskTable {
    /// Whether another fetch may start. Every slot is released at some time, so fetching never stays blocked.
    func mayFetch(isVisible: Bool) -> Bool {
        counts.carriedBytes < (isVisible ? carriedLimit.visible : carriedLimit.prefetch)
    }

    /// Counts a starting fetch with the average size of the latest fetches.
    mutating func expect(_ slot: Int32) { hold(Int(clamping: meanBytes), slot) }

    /// Counts received bytes that wait for rendering.
    mutating func take(_ bytes: Int, _ slot: Int32, fetched: Bool) {
        if fetched { meanBytes += (Double(bytes) - meanBytes) / 8 }
        hold(bytes, slot)
    }

    mutating func hold(_ bytes: Int, _ slot: Int32) {
        counts.carriedBytes += bytes - tasks[Int(slot)].bytes
        tasks[Int(slot)].bytes = bytes
    }
}

// MARK: Tasks that wait without a slot, and paused hosts

extension TaskTable {
    mutating func setFetchLimit(_ limit: Int?, host: Int) {
        fetch.setLaneLimit(limit.map { max(0, $0) }, lane: host)
        guard rechecks, limit == 0 else {
            pausedHosts[host] = nil
            return
        }
        guard pausedHosts[host] == nil else { return }
        restCount += 1
        pausedHosts[host] = restCount
        for slot in tasks.indices where tasks[slot].host == host { recheck(Int32(slot)) }
    }

    /// Returns the next task to retry. Removes obsolete entries before it.
    @discardableResult
    mutating func nextRest() -> RetryQueue.Entry? {
        let tasks = tasks
        return retryQueue.first { rest in
            let task = tasks[Int(rest.slot)]
            guard task.serial == rest.serial, case .waiting = task.state else { return false }
            return true
        }
    }

    /// Puts tasks whose delay is over back into their queues.
    mutating func wake(now: Double) {
        while let rest = nextRest(), rest.until <= now {
            retryQueue.removeFirst()
            guard case .waiting(let kind) = tasks[Int(rest.slot)].state else { continue }
            counts.waiting -= 1
            tasks[Int(rest.slot)].looked = 0
            enqueue(rest.slot, kind)
        }
    }

    /// Puts a task that is away back into its last queue.
    ///
    /// - Returns: whether the task was away.
    mutating func reacquireSlot(_ slot: Int32) -> Bool {
        guard case .away(let kind) = tasks[Int(slot)].state else { return false }
        counts.waiting -= 1
        tasks[Int(slot)].looked = 0
        enqueue(slot, kind)
        return true
    }

    /// Whether the task's host is paused and the task was not looked up since the pause began. Another node may have made the
    /// product since.
    func needsLookUp(_ slot: Int32) -> Bool {
        pausedHosts[tasks[Int(slot)].host].map { tasks[Int(slot)].looked < $0 } ?? false
    }

    /// Looks up again the tasks that wait for a paused host.
    ///
    /// - Returns: whether there are any.
    mutating func recheck(_ slots: [Int32]) -> Bool {
        var isAny = false
        for slot in slots where pausedHosts[tasks[Int(slot)].host] != nil {
            isAny = recheck(slot) || isAny
        }
        return isAny
    }

    /// Looks up again a task that waits for a fetch. Does nothing for other tasks.
    ///
    /// - Returns: whether the task waited for a fetch.
    @discardableResult
    mutating func recheck(_ slot: Int32) -> Bool {
        guard case .queued(let kind) = tasks[Int(slot)].state, kind.isFetch else { return false }
        counts.queued[kind] -= 1
        // The fetch queue skips the task's old entry, because the task does not wait for a fetch any more.
        enqueue(slot, .lookUp)
        return true
    }

    mutating func countFailure(_ slot: Int32) -> Int {
        tasks[Int(slot)].failures += 1
        return tasks[Int(slot)].failures
    }

    func fetching(host: Int) -> Int { fetch.running(lane: host) }

    mutating func rest(_ slot: Int32, _ kind: SlotKind, until: Double) {
        tasks[Int(slot)].state = .waiting(kind)
        counts.waiting += 1
        retryQueue.push(RetryQueue.Entry(until: until, serial: tasks[Int(slot)].serial, slot: slot))
    }
}
