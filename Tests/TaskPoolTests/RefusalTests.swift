import TaskPool
import Testing

/// Wants that do not wait for a host that rests.
@Suite
struct RefusalTests: DrivesCore {
    /// A pool whose host 0 rests until 2,100 ms.
    private func restingHost() throws -> TaskPoolCore<Int> {
        var core = pool(fetch: 1)
        let first = missing(&core, core.want(wants(0..<1, visible: true), session: b, now: 0))
        let busy = FetchReport(.throttled, waited: 1, retryAfter: 2_000)
        let more = missing(&core, core.finish(try #require(first.first), .failed, fetch: busy, now: 100))
        #expect(more.isEmpty && core.fetchLimit(host: 0) == 0)
        return core
    }

    private func failFast(_ key: Int, host: Int = 0) -> [PoolWant<Int>] {
        [PoolWant(key: key, host: host, visible: true, waitsForHost: false)]
    }

    @Test("a want that does not wait is refused once the store has nothing and the host rests")
    func atOnce() throws {
        var core = try restingHost()
        guard case .start(let store)? = core.want(failFast(5), session: a, now: 200).first else {
            Issue.record("the store was not asked")
            return
        }
        let actions = core.finish(store, .advance(to: .fetch), now: 300)
        #expect(actions.contains(.refused(5, session: a, until: 2_100)))
        #expect(core.counts.queued.fetch == 0)
        #expect(core.want(failFast(5), session: a, now: 400).isEmpty)
        #expect(core.counts.refused == 1)
    }

    @Test("what the store has is given although the host rests")
    func stored() throws {
        var core = try restingHost()
        guard case .start(let store)? = core.want(failFast(5), session: a, now: 200).first else {
            Issue.record("the store was not asked")
            return
        }
        #expect(core.finish(store, .ready, now: 300) == [.finished(store, sessions: [a], ready: true)])
    }

    @Test("one that waits is refused when the host begins to rest, and a session that waits keeps its task")
    func whileWaiting() throws {
        var core = pool(fetch: 1)
        let first = missing(&core, core.want(wants([1, 2], visible: true), session: b, now: 0))
        #expect(missing(&core, core.want(failFast(2), session: a, now: 0)).isEmpty)
        let other = SessionID(3)
        #expect(missing(&core, core.want(failFast(3), session: other, now: 0)).isEmpty)
        let busy = FetchReport(.throttled, waited: 1, retryAfter: 2_000)
        let actions = core.finish(try #require(first.first), .failed, fetch: busy, now: 100)
        #expect(actions.contains(.refused(2, session: a, until: 2_100)))
        #expect(actions.contains(.refused(3, session: other, until: 2_100)))
        #expect(core.counts.queued.fetch == 1)
        #expect(missing(&core, core.wake(now: 2_100)).map(\.key) == [2])
    }

    @Test("another host's rest is no reason")
    func anotherHost() throws {
        var core = try restingHost()
        let fetches = missing(&core, core.want(failFast(7, host: 1), session: a, now: 200))
        #expect(fetches.map(\.key) == [7])
        #expect(core.counts.refused == 0)
    }
}
