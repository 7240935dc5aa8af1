import TaskPool
import Testing

/// More hosts than the pool remembers.
@Suite
struct ManyHostsTests: DrivesCore {
    private let busy = FetchReport(.throttled, waited: 1, retryAfter: 20_000)

    private func pool(remembering hosts: Int) -> TaskPoolCore<Int> {
        var limits = pool(fetch: 100).limits
        limits.hostsRemembered = hosts
        return TaskPoolCore(limits: limits)
    }

    private func want(_ hosts: some Sequence<Int>, waits: Bool = true) -> [PoolWant<Int>] {
        hosts.map { PoolWant(key: $0, host: $0, visible: true, waitsForHost: waits) }
    }

    @Test("one dead host of 5,000 stays paused, and no want for another host is refused")
    func deadHost() throws {
        var core = pool(remembering: 1_000)
        let dead = missing(&core, core.want(want(0..<1), session: b, now: 0))
        _ = core.finish(try #require(dead.first), .failed, fetch: busy, now: 0)
        for host in 1..<5_000 {
            let now = Double(host)
            let actions = core.want(want([host, 0], waits: false), session: a, now: now)
            let fetch = try #require(missing(&core, actions).first)
            #expect(fetch.host == host)
            let end = core.finish(fetch, .ready, fetch: FetchReport(.whole, waited: 1), now: now)
            #expect(end == [.finished(fetch, sessions: [a], ready: true)])
        }
        #expect(core.counts.refused == 1, "the dead host's, once")
        #expect(core.pause(host: 0, now: 5_000) == 15_000)
        #expect(core.counts.started.fetch == 5_000)
    }

    @Test("hosts with tasks are remembered beyond the limit")
    func allActive() {
        var core = pool(remembering: 3)
        for fetch in missing(&core, core.want(want(0..<10), session: a, now: 0)) {
            _ = core.finish(fetch, .failed, fetch: busy, now: Double(fetch.host))
        }
        #expect((0..<10).map { core.pause(host: $0, now: 100) } == (0..<10).map { 19_900 + Double($0) })
        _ = core.end(session: a, now: 100)
        #expect((0..<10).filter { core.pause(host: $0, now: 100) != nil }.count == 3)
        #expect((0..<10).filter { core.fetchLimit(host: $0) == 0 }.count == 3)
    }

    @Test("a forgotten host starts like an unknown one")
    func forgotten() {
        var core = pool(remembering: 1)
        for host in [1, 2] {
            for fetch in missing(&core, core.want(want([host]), session: a, now: 0)) {
                _ = core.finish(fetch, .failed, fetch: busy, now: 0)
            }
            _ = core.end(session: a, now: 0)
        }
        #expect(core.fetchLimit(host: 2) == 0)
        #expect(missing(&core, core.want(want([1, 2]), session: a, now: 10)).map(\.host) == [1])
    }

    @Test("removing a host's limit forgets the host and its pause")
    func takenBack() {
        var core = pool(remembering: 10)
        for fetch in missing(&core, core.want(want([1]), session: a, now: 0)) {
            _ = core.finish(fetch, .failed, fetch: busy, now: 0)
        }
        _ = core.end(session: a, now: 0)
        _ = core.setFetchLimit(nil, host: 1, now: 10)
        #expect(core.pause(host: 1, now: 10) == nil)
        #expect(missing(&core, core.want(want([1]), session: a, now: 10)).map(\.host) == [1])
    }

    @Test("a new limit for all hosts ends no pause")
    func otherLimit() throws {
        var core = pool(remembering: 10)
        let fetch = try #require(missing(&core, core.want(want([1]), session: a, now: 0)).first)
        _ = core.finish(fetch, .failed, fetch: busy, now: 0)
        var limits = core.limits
        limits.fetchPerHost = 3
        _ = core.setLimits(limits, now: 1_000)
        #expect(core.pause(host: 1, now: 1_000) == 19_000 && core.fetchLimit(host: 1) == 0)
        _ = core.wake(now: 20_000)
        #expect(core.fetchLimit(host: 1) == 3)
    }
}
