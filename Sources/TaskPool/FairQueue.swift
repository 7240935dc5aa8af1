import HeapModule

/// The tasks that wait for one kind of slot, in the order in which they are to start.
///
/// Visible tasks go before prefetch, and within each the rests of files follow the other tasks. Then the session with the least
/// service so far goes first (start-time fair queueing: Goyal, Vin and Cheng, SIGCOMM 1996, each start costs 1/weight). Then the
/// session's own order decides. Tasks of one host form a lane with its own limit, and rests of files use at most half of it.
///
/// An update touches only the updating session's lists. The orders above them hold lower bounds, which are raised when they reach
/// the top. This is sound because virtual times never fall.
struct FairQueue: Sendable {
    /// Total number of slots.
    var limit: Int
    /// Number of slots that prefetching leaves free.
    var reserve: Int
    /// Number of a lane's slots, unless `laneLimits` has another number.
    var laneLimit: Int
    /// Number of a lane's slots that prefetching leaves free.
    var laneReserve: Int
    /// Slots of particular lanes. 0 closes a lane.
    private(set) var laneLimits: [Int: Int] = [:]
    private(set) var running = 0

    private var lanes: [Int: Lane] = [:]
    /// Lanes with tasks to start, by the least virtual time among their sessions.
    private var order = ByUrgency(Heap<Turn<Int>>())
    /// The virtual time of the latest start.
    private var now = ByUrgency(0.0)
    private var shares: [Share] = []

    init(limit: Int, reserve: Int = 0, laneLimit: Int = .max, laneReserve: Int = 0) {
        self.limit = limit
        self.reserve = reserve
        self.laneLimit = laneLimit
        self.laneReserve = laneReserve
    }

    // MARK: Sessions

    /// Opens a session and resets the state of an earlier session with the same number.
    mutating func open(session: Int32, weight: Double) {
        while shares.count <= session { shares.append(Share()) }
        shares[Int(session)] = Share()
        shares[Int(session)].weight = weight
    }

    mutating func setWeight(_ weight: Double, session: Int32) { shares[Int(session)].weight = weight }

    /// Removes a session's waiting tasks.
    mutating func clear(session: Int32) {
        let session = Int(session)
        // Drop lists that the orders do not refer to, so that a session with many hosts does not store them all.
        if shares[session].lists.count > 8 {
            shares[session].lists.removeAll { list in Urgency.allCases.allSatisfy { !list.listed[$0] } }
        }
        for index in shares[session].lists.indices {
            for urgency in Urgency.allCases { shares[session].lists[index].places[urgency] = Heap() }
        }
    }

    /// Adds a task to a session's list. `rank` is the task's place in the session's wants.
    mutating func push(slot: Int32, rank: Int32, urgency: Urgency, lane: Int, session: Int32) {
        let place = Int(session)
        let index: Int
        if let known = shares[place].index(of: lane) {
            index = known
        } else {
            index = shares[place].lists.count
            shares[place].lists.append(List(lane: lane))
        }
        shares[place].lists[index].places[urgency].insert(Place(rank: rank, slot: slot))
        guard !shares[place].lists[index].listed[urgency] else { return }
        shares[place].lists[index].listed[urgency] = true
        // An idle session starts level with the others, so idling earns no credit.
        let time = max(shares[Int(session)].clock[urgency], now[urgency])
        shares[Int(session)].clock[urgency] = time
        lanes[lane, default: Lane()].sessions[urgency].insert(Turn(time: time, id: session))
        list(lane, urgency, at: time)
    }

    // MARK: Slots

    mutating func setLaneLimit(_ limit: Int?, lane: Int) {
        // Called at every report, usually without a change.
        guard laneLimits[lane] != limit else { return }
        laneLimits[lane] = limit
        relist(lane)
    }

    /// Call this after changing a limit.
    mutating func relistAll() {
        for lane in lanes.keys.sorted() { relist(lane) }
    }

    /// Whether a pushed entry is still valid.
    typealias IsWaiting = (_ place: Place, _ session: Int32, _ urgency: Urgency) -> Bool

    /// Takes the next task, if the limits allow one. Takes only visible tasks if `isVisibleOnly`.
    mutating func next(isVisibleOnly: Bool = false, isWaiting: IsWaiting) -> Int32? {
        for urgency in Urgency.allCases {
            if !urgency.isVisible, isVisibleOnly { return nil }
            guard running < (urgency.isVisible ? limit : max(1, limit - reserve)) else { return nil }
            if let slot = next(urgency, isWaiting) { return slot }
        }
        return nil
    }

    func running(lane: Int) -> Int { lanes[lane]?.running ?? 0 }

    mutating func release(lane: Int, isRest: Bool = false) {
        running -= 1
        lanes[lane, default: Lane()].running -= 1
        if isRest { lanes[lane, default: Lane()].rests -= 1 }
        relist(lane)
    }

    private mutating func next(_ urgency: Urgency, _ isWaiting: IsWaiting) -> Int32? {
        while let top = order[urgency].min {
            let lane = top.id
            guard let state = lanes[lane], state.listedAt[urgency] == top.time else {
                order[urgency].removeMin()
                continue
            }
            guard hasRoom(lane, urgency), let turn = nextSession(lane, urgency, isWaiting) else {
                order[urgency].removeMin()
                lanes[lane, default: Lane()].listedAt[urgency] = .infinity
                dropIfIdle(lane)
                continue
            }
            if turn.time > top.time {
                lanes[lane, default: Lane()].listedAt[urgency] = turn.time
                order[urgency].replaceMin(with: Turn(time: turn.time, id: lane))
                continue
            }
            let session = Int(turn.id)
            let place = shares[session].index(of: lane).flatMap { shares[session].lists[$0].places[urgency].popMin() }
            shares[session].clock[urgency] = turn.time + 1 / shares[session].weight
            now[urgency] = max(now[urgency], turn.time)
            running += 1
            lanes[lane, default: Lane()].running += 1
            if urgency.isRest { lanes[lane, default: Lane()].rests += 1 }
            return place?.slot
        }
        return nil
    }

    /// Returns the session whose turn it is in a lane and that still has a waiting task.
    private mutating func nextSession(
        _ lane: Int, _ urgency: Urgency, _ isWaiting: IsWaiting
    ) -> Turn<Int32>? {
        while let turn = lanes[lane]?.sessions[urgency].min {
            let session = Int(turn.id)
            guard let index = shares[session].index(of: lane) else {
                lanes[lane, default: Lane()].sessions[urgency].removeMin()
                continue
            }
            while let place = shares[session].lists[index].places[urgency].min, !isWaiting(place, turn.id, urgency) {
                shares[session].lists[index].places[urgency].removeMin()
            }
            guard !shares[session].lists[index].places[urgency].isEmpty else {
                shares[session].lists[index].listed[urgency] = false
                lanes[lane, default: Lane()].sessions[urgency].removeMin()
                continue
            }
            let time = shares[session].clock[urgency]
            guard time > turn.time else { return turn }
            lanes[lane, default: Lane()].sessions[urgency].replaceMin(with: Turn(time: time, id: turn.id))
        }
        return nil
    }

    private func hasRoom(_ lane: Int, _ urgency: Urgency) -> Bool {
        let limit = laneLimits[lane] ?? laneLimit
        let taken = lanes[lane]?.running ?? 0
        guard limit > 0 else { return false }
        // Rests of files take long. If they took all slots, cells that come into view would stay blank for as long.
        if urgency.isRest, lanes[lane]?.rests ?? 0 >= max(1, limit / 2) { return false }
        return taken < (urgency.isVisible ? limit : max(1, limit - laneReserve))
    }

    private mutating func relist(_ lane: Int) {
        for urgency in Urgency.allCases {
            guard let time = lanes[lane]?.sessions[urgency].min?.time else { continue }
            list(lane, urgency, at: time)
        }
        dropIfIdle(lane)
    }

    private mutating func list(_ lane: Int, _ urgency: Urgency, at time: Double) {
        guard hasRoom(lane, urgency), time < lanes[lane, default: Lane()].listedAt[urgency] else { return }
        lanes[lane, default: Lane()].listedAt[urgency] = time
        order[urgency].insert(Turn(time: time, id: lane))
    }

    private mutating func dropIfIdle(_ lane: Int) {
        guard let state = lanes[lane], state.running == 0,
            Urgency.allCases.allSatisfy({ state.sessions[$0].isEmpty })
        else { return }
        lanes[lane] = nil
    }
}

// MARK: The tables: sessions and lanes

extension FairQueue {
    /// State of one session.
    struct Share: Sendable {
        var weight = 1.0
        var clock = ByUrgency(0.0)
        /// Lists by lane. There are few, so checking the last hit and then searching is faster than a table.
        var lists: [List] = []
        var found = 0

        mutating func index(of lane: Int) -> Int? {
            if found < lists.count, lists[found].lane == lane { return found }
            guard let index = lists.firstIndex(where: { $0.lane == lane }) else { return nil }
            found = index
            return index
        }
    }

    /// One session's waiting tasks in one lane.
    struct List: Sendable {
        let lane: Int
        var places = ByUrgency(Heap<Place>())
        /// Whether the lane's order has an entry for this session, by urgency.
        var listed = ByUrgency(false)
    }

    struct Lane: Sendable {
        var running = 0
        /// Number of running rest-of-file fetches.
        var rests = 0
        var sessions = ByUrgency(Heap<Turn<Int32>>())
        /// The virtual time of the lane's entry in `order`, or infinity if it has none.
        var listedAt = ByUrgency(Double.infinity)
    }

    struct Place: Comparable, Sendable {
        var rank: Int32
        var slot: Int32

        static func < (a: Place, b: Place) -> Bool { a.rank < b.rank }
    }

    struct Turn<ID: Comparable & Sendable>: Comparable, Sendable {
        var time: Double
        var id: ID

        static func < (a: Turn, b: Turn) -> Bool { a.time != b.time ? a.time < b.time : a.id < b.id }
    }
}
