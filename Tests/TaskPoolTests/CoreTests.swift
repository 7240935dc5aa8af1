import TaskPool
import Testing

/// Rules that ``PoolModel`` does not know.
@Suite
struct CoreTests: DrivesCore {
    @Test("sessions with visible wants take turns by weight, and an idle session collects no turns")
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

    @Test("a start says which limit it used up: of the host, of all hosts, or a retry")
    func usedUpLimits() throws {
        var core = pool(fetch: 5)
        _ = core.setFetchLimit(2, host: 1, now: 0)
        let list = (0..<5).map { PoolWant(key: $0, host: $0 < 2 ? 1 : 2, visible: true) }
        let started = missing(&core, core.want(list, session: a, now: 0))
        #expect(started.map(\.key) == [0, 1, 2, 3, 4])
        #expect(started.map(\.limit) == [nil, .host(2), nil, nil, .allHosts(5)])
        _ = core.finish(started[0], .failed, fetch: FetchReport(.broken, waited: 5), now: 0)
        #expect(missing(&core, core.wake(now: 1e5)).map(\.limit) == [.retry])
    }

    @Test("a host with a limit of 0 delays no other host")
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

    @Test("the pool ignores the least urgent wants above a session's limit")
    func wantsLimit() throws {
        var limits = TaskPoolLimits()
        limits.wantsPerSession = 3
        var core = TaskPoolCore<Int>(limits: limits)
        _ = core.want(wants(0..<10, visible: true), session: a, now: 0)
        #expect(core.counts.created == 3)
        #expect(core.counts.wantsOverLimit == 7)
    }

    @Test("a key listed twice is one task at its first place, and ending an unknown session does nothing")
    func oddInput() throws {
        var core = pool()
        let actions = core.want(wants([3, 3, 4, 3], visible: true), session: a, now: .nan)
        #expect(missing(&core, actions).map(\.key) == [3, 4])
        #expect(core.end(session: b, now: -.infinity).isEmpty)
        core.setWeight(.nan, session: a)
        #expect(core.end(session: a, now: 0).count == 2)
    }
}
