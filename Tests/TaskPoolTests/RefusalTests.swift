import TaskPool
import Testing

/// Wants that do not wait for a paused host.
@Suite
struct RefusalTests: DrivesCore {
    /// A pool whose host 0 is paused until 2,100 ms.
    private func pausedHost() throws -> TaskPoolCore<Int> {
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

    @Test("a want that does not wait is refused if the look-up fails and the host is paused")
    func atOnce() throws {
        var core = try pausedHost()
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

    @Test("a stored product is returned although the host is paused")
    func stored() throws {
        var core = try pausedHost()
        guard case .start(let store)? = core.want(failFast(5), session: a, now: 200).first else {
            Issue.record("the store was not asked")
            return
        }
        #expect(core.finish(store, .ready, now: 300) == [.finished(store, sessions: [a], ready: true)])
    }

    @Test("a pause refuses the queued wants that do not wait, and keeps the tasks of sessions that do")
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

    @Test("the pause of another host refuses nothing")
    func anotherHost() throws {
        var core = try pausedHost()
        let fetches = missing(&core, core.want(failFast(7, host: 1), session: a, now: 200))
        #expect(fetches.map(\.key) == [7])
        #expect(core.counts.refused == 0)
    }

    @Test("a want that does not wait is refused before its head is fetched if the host pauses")
    func beforeHead() throws {
        var core = pool(fetch: 1)
        func heads(_ actions: [PoolAction<Int>], _ core: inout TaskPoolCore<Int>) -> [Ticket<Int>] {
            actions.flatMap { action -> [Ticket<Int>] in
                guard case .start(let ticket) = action else { return [] }
                return ticket.kind == .lookUp
                    ? heads(core.finish(ticket, .advance(to: .remoteHead), now: 0), &core) : [ticket]
            }
        }
        let first = heads(core.want(wants([0], visible: true), session: a, now: 0), &core)
        #expect(heads(core.want(failFast(2), session: b, now: 0), &core).isEmpty)
        let throttled = FetchReport(.throttled, retryAfter: 5_000)
        let actions = core.finish(try #require(first.first), .advance(to: .fetch), fetch: throttled, now: 0)
        #expect(actions.contains { if case .refused(2, b, _) = $0 { true } else { false } })
    }
}
