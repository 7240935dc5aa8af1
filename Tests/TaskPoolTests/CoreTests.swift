import TaskPool
import Testing

@Suite
struct CoreTests: DrivesCore {
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

    @Test("a key that has finished is started again by another generation although no list has left it out")
    func generations() throws {
        var core = pool()
        let ticket = try #require(missing(&core, core.want(wants([5], visible: true), session: a, now: 0)).first)
        _ = core.finish(ticket, .failed, now: 0)
        #expect(core.want(wants([5], visible: true), session: a, now: 0).isEmpty)
        let again = [PoolWant(key: 5, visible: true, generation: 1)]
        #expect(core.want(again, session: a, now: 0).count == 1)
        #expect(core.want(again, session: a, now: 0).isEmpty)
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
}
