import TaskPool
import Testing

/// The rules of the pool as lists and loops, without queues. Receives the same events as the pool, follows the pool's actions, and
/// records an issue if an action breaks a rule:
/// - Each wanted key has one task. Another session that wants the key joins it.
/// - A task that nobody wants is dropped if it waits, and aborted if it runs. It keeps its slot until it reports.
/// - A finish goes to each session that wants the key, once. The key starts again for a session only after a list without it or with
///   another generation.
/// - Each kind of slot, each host and the carried bytes have limits. Prefetching leaves the reserves free.
/// - Visible tasks start before others, the rests of files after other tasks, and each session's tasks in its own order.
/// - A want for which the preview is enough fetches nothing more.
/// - No task waits while its slot is free.
struct PoolModel {
    typealias Core = TaskPoolCore<Int>
    struct Item {
        var kind: SlotKind
        var ticket: Ticket<Int>?
        /// Time of the retry.
        var until: Double?
        /// Ticket of the slot that the task gave back while it waits for an outside event.
        var away: Ticket<Int>?
        /// `nil` before the first start.
        var serial: UInt64?
        /// Whether the head was fetched from the host.
        var isBegun = false

        /// Whether the task fetches the rest of a file, or waits for that.
        var isRest: Bool { isBegun && kind == .fetch }

        var isQueued: Bool { ticket == nil && until == nil && away == nil }
    }

    var core: Core
    var lists: [SessionID: [PoolWant<Int>]] = [:]
    /// The generations of keys that have finished for a session and that its list still names.
    var met: [SessionID: [Int: UInt8]] = [:]
    /// Unfinished keys that a session wants.
    var live: [Int: Item] = [:]
    var aborting: [Ticket<Int>] = []
    var finished: [Int: Int] = [:]
    /// Bytes that tasks hold, by serial. A running fetch counts with the mean size.
    var held: [UInt64: Int] = [:]
    /// Serials of tasks that render without a fetch. No limit applies to their bytes.
    var unfetched: Set<UInt64> = []
    /// Serials of tasks that fetch the rest of a file.
    var rests: Set<UInt64> = []
    var meanBytes = 0.0
    var limits: TaskPoolLimits
    var now = 0.0
    /// Bytes of the largest picture.
    static let maximumBytes = 20
    static func host(_ key: Int) -> Int { key % 3 }

    /// Maximum bytes that all limits so far allowed. Running tasks continue when limits are lowered.
    private(set) var maximumAllowed = 0

    init(limits: TaskPoolLimits) {
        self.limits = limits
        maximumAllowed = Self.allowed(limits)
        core = Core(limits: limits)
    }

    var running: [Ticket<Int>] { live.values.compactMap(\.ticket).sorted { $0.serial < $1.serial } }

    func wanters(_ key: Int) -> [SessionID] {
        lists.keys.sorted().filter { session in
            guard let want = lists[session]?.first(where: { $0.key == key }) else { return false }
            return !isMet(want, session)
        }
    }

    private func isMet(_ want: PoolWant<Int>, _ session: SessionID) -> Bool {
        met[session]?[want.key] == want.generation
    }

    /// Returns the wants of a key for which its task takes a slot of `kind`.
    func wants(_ key: Int, _ kind: SlotKind) -> [PoolWant<Int>] {
        wanters(key).compactMap { session in lists[session]?.first { $0.key == key && Self.wants($0, kind) } }
    }

    private static func wants(_ want: PoolWant<Int>, _ kind: SlotKind) -> Bool {
        !want.isPreviewEnough || kind != .fetch
    }

    func isVisible(_ key: Int, _ kind: SlotKind) -> Bool { wants(key, kind).contains(where: \.visible) }

    var carriedBytes: Int { held.values.reduce(0, +) }

    /// Heads on hosts and fetches share their slots.
    private static func share(_ a: SlotKind, _ b: SlotKind) -> Bool { a == b || a.isFetch && b.isFetch }

    func taken(_ kind: SlotKind, host: Int? = nil) -> Int {
        (running + aborting).count { Self.share($0.kind, kind) && (host == nil || $0.host == host) }
    }

    func hasRoom(_ item: Item, _ key: Int, visible: Bool) -> Bool {
        let kind = item.kind
        let all = limits.limit(of: kind)
        let open = visible || !kind.isFetch ? all : max(1, all - limits.fetchReserve)
        guard taken(kind) < open else { return false }
        guard kind.isFetch else { return true }
        guard carriedBytes < max(1, limits.carriedBytes) + (visible ? limits.carriedReserve : 0) else { return false }
        let lane = limits.fetchPerHost
        let running = (running + aborting).count { rests.contains($0.serial) && $0.host == Self.host(key) }
        if item.isRest, running >= max(1, lane / 2) { return false }
        return taken(kind, host: Self.host(key)) < (visible ? lane : max(1, lane - limits.fetchReservePerHost))
    }

    private static func allowed(_ limits: TaskPoolLimits) -> Int {
        limits.carriedBytes + limits.carriedReserve + limits.fetch * maximumBytes
    }

    // MARK: Events

    mutating func want(_ wants: [PoolWant<Int>], _ session: SessionID) {
        lists[session] = wants
        met[session, default: [:]] = met[session, default: [:]].filter { key, generation in
            wants.contains { $0.key == key && $0.generation == generation }
        }
        follow(core.want(wants, session: session, now: now), dropped: release())
        for want in wants where !isMet(want, session) {
            #expect(live[want.key] != nil, "a want was lost")
        }
    }

    mutating func end(_ session: SessionID) {
        lists[session] = nil
        met[session] = nil
        follow(core.end(session: session, now: now), dropped: release())
    }

    mutating func setLimits(_ new: TaskPoolLimits) {
        limits = new
        maximumAllowed = max(maximumAllowed, Self.allowed(new))
        follow(core.setLimits(new, now: now), dropped: [])
    }

    /// Advances the time to the next retry. Returns false if no task waits for one.
    mutating func wake() -> Bool {
        let next = live.values.compactMap(\.until).min()
        #expect(core.nextWake == next)
        guard let next else { return false }
        now = next
        for key in live.keys where live[key]?.until == next { live[key]?.until = nil }
        follow(core.wake(now: now), dropped: [])
        return true
    }

    /// Ends the outside event of one task. Returns false if no task waits for one.
    mutating func reacquireSlot() -> Bool {
        guard let key = live.keys.sorted().first(where: { live[$0]?.away != nil }), let ticket = live[key]?.away else {
            return false
        }
        live[key]?.away = nil
        follow(core.reacquireSlot(ticket, now: now), dropped: [])
        #expect(core.reacquireSlot(ticket, now: now).isEmpty, "the task has its slot already")
        return true
    }

    mutating func finish(_ ticket: Ticket<Int>, _ report: SlotReport) {
        var over: [SessionID]?
        let heldBefore = held[ticket.serial]
        rests.remove(ticket.serial)
        if let index = aborting.firstIndex(of: ticket) {
            aborting.remove(at: index)
            held[ticket.serial] = nil
        } else if live[ticket.key]?.ticket == ticket {
            held[ticket.serial] = nil
            if case .advance(let kind, let bytes) = report, kind > ticket.kind {
                let isBegun = live[ticket.key]?.isBegun == true || ticket.kind == .remoteHead
                live[ticket.key] = Item(kind: kind, serial: ticket.serial, isBegun: isBegun)
                if kind >= .render {
                    held[ticket.serial] = bytes
                    if !ticket.kind.isFetch { unfetched.insert(ticket.serial) }
                    if ticket.kind.isFetch { meanBytes += (Double(bytes) - meanBytes) / 8 }
                }
            } else if report == .away {
                let isBegun = live[ticket.key]?.isBegun == true
                live[ticket.key] = Item(kind: ticket.kind, away: ticket, serial: ticket.serial, isBegun: isBegun)
                if ticket.kind >= .render { held[ticket.serial] = heldBefore }
            } else if let delay = report.delay {
                let isBegun = live[ticket.key]?.isBegun == true
                live[ticket.key] = Item(
                    kind: ticket.kind, until: now + delay, serial: ticket.serial, isBegun: isBegun)
                if ticket.kind >= .render { held[ticket.serial] = heldBefore }
            } else {
                over = wanters(ticket.key)
                live[ticket.key] = nil
                for session in wanters(ticket.key) {
                    let want = lists[session]?.first { $0.key == ticket.key }
                    met[session, default: [:]][ticket.key] = want?.generation
                }
                finished[ticket.key, default: 0] += 1
            }
        }
        var actions = core.finish(ticket, report, now: now)
        if let over {
            guard case .finished(ticket, let sessions, let ready)? = actions.first else {
                Issue.record("the end of \(ticket) is not reported")
                return
            }
            #expect(Set(sessions) == Set(over))
            #expect(sessions.count == over.count)
            #expect(ready == (report == .ready))
            actions.removeFirst()
        }
        follow(actions, dropped: [])
    }

    // MARK: Following

    /// Forgets the keys that nobody wants, and returns them.
    private mutating func release() -> Set<Int> {
        let gone = Set(live.keys.filter { wanters($0).isEmpty })
        for key in live.keys.sorted() where gone.contains(key) {
            if let ticket = live[key]?.ticket {
                aborting.append(ticket)
            } else if let serial = live[key]?.serial {
                held[serial] = nil
            }
        }
        for list in lists {
            for want in list.value where live[want.key] == nil && !isMet(want, list.key) {
                live[want.key] = Item(kind: .lookUp)
            }
        }
        return gone
    }

    private mutating func follow(_ actions: [Core.Action], dropped: Set<Int>) {
        var toDrop = dropped
        for action in actions {
            switch action {
            case .finished: Issue.record("a finish without a report")
            case .refused: Issue.record("a refusal of a want that waits")
            case .paused: Issue.record("a reported pause although no node shares")
            case .abort(let ticket):
                #expect(toDrop.remove(ticket.key) != nil, "an abort of a wanted task")
                #expect(aborting.contains(ticket))
                live[ticket.key] = nil
            case .dropped(let ticket):
                #expect(toDrop.remove(ticket.key) != nil, "a drop of a wanted task")
                live[ticket.key] = nil
            case .start(let ticket): start(ticket)
            }
        }
        #expect(toDrop.isEmpty, "a task that nobody wants goes on")
        for (key, item) in live where item.isQueued && !wants(key, item.kind).isEmpty {
            #expect(
                !hasRoom(item, key, visible: isVisible(key, item.kind)), "\(key) waits although there is room")
        }
        #expect(core.counts.running.total == running.count + aborting.count)
        #expect(core.counts.queued.total == live.values.count { $0.isQueued })
        #expect(core.counts.carriedBytes == carriedBytes)
        let fetched = held.reduce(0) { $0 + (unfetched.contains($1.key) ? 0 : $1.value) }
        #expect(fetched <= maximumAllowed, "the held bytes exceed all limits")
        #expect(core.counts.waiting == live.values.count { $0.until != nil || $0.away != nil })
    }

    private mutating func start(_ ticket: Ticket<Int>) {
        let key = ticket.key
        guard let item = live[key], item.isQueued, item.kind == ticket.kind else {
            Issue.record("\(key) started although it does not wait for \(ticket.kind)")
            return
        }
        let visible = isVisible(key, ticket.kind)
        #expect(hasRoom(item, key, visible: visible), "more in flight than the limits")
        #expect(ticket.host == Self.host(key))
        let queue = live.filter { $0.value.isQueued && Self.share($0.value.kind, ticket.kind) }
        if !visible {
            for (other, waits) in queue where isVisible(other, waits.kind) {
                #expect(!hasRoom(waits, other, visible: true), "\(other) is visible and waits behind \(key)")
            }
        }
        if item.isRest {
            for (other, waits) in queue
            where !waits.isRest && !wants(other, waits.kind).isEmpty && isVisible(other, waits.kind) == visible {
                #expect(!hasRoom(waits, other, visible: visible), "\(other) shows nothing and waits behind \(key)")
            }
        }
        let waiting = queue.filter { $0.value.isRest == item.isRest }
        let isNext = wanters(key).contains { session in
            let wants = lists[session] ?? []
            guard let own = wants.first(where: { $0.key == key }), own.visible == visible, Self.wants(own, ticket.kind)
            else { return false }
            return wants.first { want in
                guard let other = waiting[want.key] else { return false }
                return want.visible == visible && Self.wants(want, other.kind) && !isMet(want, session)
                    && (!ticket.kind.isFetch || Self.host(want.key) == ticket.host)
            }?.key == key
        }
        #expect(isNext, "\(key) is nobody's most urgent")
        live[key]?.ticket = ticket
        live[key]?.serial = ticket.serial
        if ticket.kind.isFetch { held[ticket.serial] = Int(meanBytes) }
        if item.isRest { rests.insert(ticket.serial) }
    }
}

extension SlotReport {
    /// Delay of the retry, in milliseconds.
    fileprivate var delay: Double? { if case .again(let delay) = self { delay } else { nil } }
}
