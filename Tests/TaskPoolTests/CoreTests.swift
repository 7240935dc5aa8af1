import TaskPool
import Testing

@Suite
struct CoreTests {
    private let a = SessionID(1)
    private let b = SessionID(2)

    /// A pool whose tasks go from the store straight to the fetch queue.
    private func pool(fetch: Int = 2, reserve: Int = 0) -> TaskPoolCore<Int> {
        var limits = TaskPoolLimits()
        limits.store = 1_000
        limits.fetch = fetch
        limits.fetchPerHost = fetch
        limits.fetchReserve = reserve
        limits.fetchReservePerHost = 0
        return TaskPoolCore(limits: limits)
    }

    private func wants(_ keys: some Sequence<Int>, visible: Bool) -> [PoolWant<Int>] {
        keys.map { PoolWant(key: $0, visible: visible) }
    }

    /// Answers every store look-up with a miss; the tickets of fetches that started.
    private func missing(_ core: inout TaskPoolCore<Int>, _ actions: [PoolAction<Int>]) -> [Ticket<Int>] {
        var fetches: [Ticket<Int>] = []
        var actions = actions[...]
        while let action = actions.popFirst() {
            guard case .start(let ticket) = action else { continue }
            if ticket.stage == .store {
                actions += core.finish(ticket, .advance(to: .fetch), now: 0)
            } else {
                fetches.append(ticket)
            }
        }
        return fetches
    }

    @Test("a key cancelled and wanted again is fetched again under a new serial")
    func wantedAgain() throws {
        var core = pool()
        let first = try #require(missing(&core, core.want(wants([7], visible: true), session: a, now: 0)).first)
        #expect(core.want([], session: a, now: 0) == [.abort(first)])
        let second = try #require(missing(&core, core.want(wants([7], visible: true), session: a, now: 0)).first)
        #expect(second.serial != first.serial)
        #expect(core.finish(first, .ready, now: 0).isEmpty)
        #expect(core.finish(second, .ready, now: 0) == [.finished(second, sessions: [a], ready: true)])
    }

    @Test("an aborted fetch keeps its slot until it reports")
    func abortedKeepsSlot() throws {
        var core = pool(fetch: 1)
        let first = try #require(missing(&core, core.want(wants([1], visible: true), session: a, now: 0)).first)
        #expect(missing(&core, core.want(wants([2], visible: true), session: a, now: 0)).isEmpty)
        #expect(core.counts.aborting == 1)
        let next = missing(&core, core.finish(first, .cancelled, now: 0))
        #expect(next.map(\.key) == [2])
    }

    @Test("a task that two sessions want goes on when one lets go")
    func sharedTask() throws {
        var core = pool()
        let ticket = try #require(missing(&core, core.want(wants([5], visible: true), session: a, now: 0)).first)
        #expect(core.want(wants([5], visible: false), session: b, now: 0).isEmpty)
        #expect(core.end(session: a, now: 0).isEmpty)
        #expect(core.finish(ticket, .ready, now: 0) == [.finished(ticket, sessions: [b], ready: true)])
    }

    @Test("a list composed before the finish was heard does not start the key again, a later one does")
    func metOnce() throws {
        var core = pool()
        let ticket = try #require(missing(&core, core.want(wants([5], visible: true), session: a, now: 0)).first)
        _ = core.finish(ticket, .ready, now: 0)
        #expect(core.want(wants([5, 6], visible: true), session: a, now: 0).count == 1)
        #expect(core.want(wants([5], visible: true), session: b, now: 0).count == 1)
        _ = core.want([], session: a, now: 0)
        _ = core.want([], session: b, now: 0)
        #expect(core.want(wants([5], visible: true), session: a, now: 0).count == 1)
    }

    @Test("a renewed key is started again although no list has left it out")
    func renewed() throws {
        var core = pool()
        let ticket = try #require(missing(&core, core.want(wants([5], visible: true), session: a, now: 0)).first)
        _ = core.finish(ticket, .failed, now: 0)
        core.renew([5], session: a)
        #expect(core.want(wants([5], visible: true), session: a, now: 0).count == 1)
    }

    @Test("what becomes visible overtakes what was queued before it, and falls back when it leaves")
    func promotion() throws {
        var core = pool(fetch: 1)
        let first = try #require(missing(&core, core.want(wants(0..<50, visible: false), session: a, now: 0)).first)
        _ = core.want(
            [PoolWant(key: 40, visible: true)] + wants(0..<40, visible: false), session: a, now: 0)
        let second = missing(&core, core.finish(first, .ready, now: 0))
        #expect(second.map(\.key) == [40])
        _ = core.want(wants(1..<40, visible: false), session: a, now: 0)
        #expect(core.counts.aborting == 1)
        let third = missing(&core, core.finish(second[0], .cancelled, now: 0))
        #expect(third.map(\.key) == [1])
    }

    @Test("one session's flood of prefetches does not hold up another's visible cells")
    func noStarvation() throws {
        var core = pool(fetch: 4)
        var running = missing(&core, core.want(wants(0..<500, visible: false), session: a, now: 0))
        #expect(running.count == 4)
        running += missing(&core, core.want(wants(1_000..<1_012, visible: true), session: b, now: 0))
        var started: [Int] = []
        for _ in 0..<12 {
            let ticket = running.removeFirst()
            let next = missing(&core, core.finish(ticket, .ready, now: 0))
            started += next.map(\.key)
            running += next
        }
        #expect(started == Array(1_000..<1_012))
    }

    @Test("sessions that see cells take turns by weight, and idleness earns no credit")
    func turns() throws {
        var core = pool(fetch: 1)
        core.setWeight(2, session: b)
        var running = missing(&core, core.want(wants(0..<100, visible: true), session: a, now: 0))
        var fromA = 0
        for _ in 0..<30 { running = missing(&core, core.finish(running[0], .ready, now: 0)) }
        _ = missing(&core, core.want(wants(1_000..<1_100, visible: true), session: b, now: 0))
        for _ in 0..<30 {
            running = missing(&core, core.finish(running[0], .ready, now: 0))
            if running[0].key < 1_000 { fromA += 1 }
        }
        #expect((9...11).contains(fromA))
    }

    @Test("prefetching leaves the reserve free, and still goes on when the reserve is all there is")
    func reserve() throws {
        var core = pool(fetch: 3, reserve: 1)
        #expect(missing(&core, core.want(wants(0..<9, visible: false), session: a, now: 0)).count == 2)
        #expect(missing(&core, core.want(wants(20..<29, visible: true), session: b, now: 0)).count == 1)
        var small = pool(fetch: 1, reserve: 5)
        #expect(missing(&small, small.want(wants(0..<9, visible: false), session: a, now: 0)).count == 1)
    }

    @Test("a closed host holds up no other, and goes on when it is opened")
    func closedHost() throws {
        var core = pool(fetch: 4)
        _ = core.setFetchLimit(0, host: 1, now: 0)
        let list = (0..<8).map { PoolWant(key: $0, host: $0 % 2, visible: true) }
        #expect(missing(&core, core.want(list, session: a, now: 0)).map(\.key) == [0, 2, 4, 6])
        let opened = core.setFetchLimit(nil, host: 1, now: 0)
        #expect(opened.isEmpty)
        _ = core.want(list.filter { $0.host == 1 }, session: a, now: 0)
        #expect(core.counts.aborting == 4)
    }

    @Test("wants over a session's limit are left out at the far end")
    func wantsLimit() throws {
        var limits = TaskPoolLimits()
        limits.wantsPerSession = 3
        var core = TaskPoolCore<Int>(limits: limits)
        _ = core.want(wants(0..<10, visible: true), session: a, now: 0)
        #expect(core.counts.created == 3)
        #expect(core.counts.wantsOverLimit == 7)
    }

    @Test("a key named twice is one task in its first place, and an unknown session ends quietly")
    func oddInput() throws {
        var core = pool()
        let actions = core.want(wants([3, 3, 4, 3], visible: true), session: a, now: .nan)
        #expect(missing(&core, actions).map(\.key) == [3, 4])
        #expect(core.end(session: b, now: -.infinity).isEmpty)
        core.setWeight(.nan, session: a)
        #expect(core.end(session: a, now: 0).count == 2)
    }

    @Test("a fetch that may go better is tried again after a wait without its slot, three times in all")
    func retries() throws {
        var core = pool(fetch: 1)
        var ticket = try #require(missing(&core, core.want(wants([1, 2], visible: true), session: a, now: 0)).first)
        let broken = FetchReport(.broken, waited: 10)
        let next = core.finish(ticket, .failed, fetch: broken, random: 0.5, now: 1_000)
        #expect(missing(&core, next).map(\.key) == [2])
        #expect(core.nextWake == 1_125)
        #expect(core.wake(now: 1_124).isEmpty)
        _ = core.wake(now: 1_125)
        #expect(core.counts.resting == 0)
        var wanted = core.want(wants([1], visible: true), session: a, now: 1_200)
        #expect(wanted.count == 1)
        if case .abort(let two)? = wanted.first { wanted = core.finish(two, .cancelled, now: 1_200) }
        ticket = try #require(missing(&core, wanted).first)
        #expect(core.finish(ticket, .failed, fetch: broken, random: 0.5, now: 2_000).isEmpty)
        ticket = try #require(missing(&core, core.wake(now: 2_250)).first)
        let end = core.finish(ticket, .failed, fetch: broken, random: 0.5, now: 3_000)
        #expect(end == [.finished(ticket, sessions: [a], ready: false)])
        #expect(core.counts.retries == 2)
    }

    @Test("a task that rests is gone when nobody wants it any more")
    func restingCancelled() throws {
        var core = pool(fetch: 1)
        let ticket = try #require(missing(&core, core.want(wants([1], visible: true), session: a, now: 0)).first)
        _ = core.finish(ticket, .failed, fetch: FetchReport(.broken, waited: 1), now: 0)
        #expect(core.end(session: a, now: 0).count == 1)
        #expect(core.nextWake == nil)
        #expect(core.isIdle)
    }

    @Test("what is not there is not tried again")
    func notThere() throws {
        var core = pool()
        let ticket = try #require(missing(&core, core.want(wants([1], visible: true), session: a, now: 0)).first)
        let actions = core.finish(ticket, .failed, fetch: FetchReport(.gone, waited: 1), now: 0)
        #expect(actions == [.finished(ticket, sessions: [a], ready: false)])
    }

    @Test("a host that keeps failing is left alone, probed with one fetch, and used again when that succeeds")
    func restingHost() throws {
        var core = pool(fetch: 4)
        var running = missing(&core, core.want(wants(0..<40, visible: true), session: a, now: 0))
        let dead = FetchReport(.broken)
        var now = 0.0
        while !running.isEmpty {
            now += 1
            running += missing(&core, core.finish(running.removeFirst(), .failed, fetch: dead, random: 0, now: now))
        }
        #expect(core.fetchLimit(host: 0) == 0)
        #expect(core.counts.started.fetch < 12)
        for _ in 0..<100 where running.isEmpty {
            now = try #require(core.nextWake)
            running = missing(&core, core.wake(now: now))
        }
        #expect(running.count == 1)
        #expect(now >= 2_000)
        let good = FetchReport(.whole, waited: 10, bytes: 1_000)
        let after = missing(&core, core.finish(running[0], .ready, fetch: good, now: now + 50))
        #expect(!after.isEmpty)
        #expect((core.fetchLimit(host: 0) ?? 0) >= 1)
    }

    @Test("Retry-After lets the host rest that long, and another host goes on")
    func retryAfter() throws {
        var core = pool(fetch: 2)
        let list = (0..<6).map { PoolWant(key: $0, host: $0 % 2, visible: true) }
        let running = missing(&core, core.want(list, session: a, now: 0))
        #expect(running.map(\.host) == [0, 1])
        let busy = FetchReport(.throttled, waited: 5, retryAfter: 3_000)
        let next = missing(&core, core.finish(running[0], .failed, fetch: busy, random: 0, now: 100))
        #expect(next.map(\.host) == [1])
        #expect(core.fetchLimit(host: 0) == 0)
        #expect(core.nextWake == 3_100)
        let then = missing(&core, core.finish(next[0], .ready, fetch: FetchReport(.whole, waited: 5), now: 200))
        #expect(then.map(\.host) == [1])
        let end = missing(&core, core.finish(then[0], .ready, fetch: FetchReport(.whole, waited: 5), now: 300))
        #expect(end.isEmpty)
        #expect(missing(&core, core.wake(now: 3_100)).map(\.key) == [0])
    }
}
