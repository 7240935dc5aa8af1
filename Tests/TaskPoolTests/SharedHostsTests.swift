import TaskPool
import Testing

@Suite("Hosts that several nodes fetch from")
struct SharedHostsTests: DrivesCore {
    private let busy = FetchReport(.throttled, waited: 1, retryAfter: 2_000)

    private func sharedPool(fetch: Int = 1) -> TaskPoolCore<Int> {
        var limits = pool(fetch: fetch).limits
        limits.isShared = true
        return TaskPoolCore(limits: limits)
    }

    private func starts(_ actions: [PoolAction<Int>], _ kind: SlotKind) -> [Ticket<Int>] {
        actions.compactMap { if case .start(let ticket) = $0, ticket.kind == kind { ticket } else { nil } }
    }

    private func rests(_ actions: [PoolAction<Int>]) -> [Double] {
        actions.compactMap { if case .paused(let ticket, let until) = $0, ticket.host == 0 { until } else { nil } }
    }

    @Test("a pause is reported when it begins and when it grows, if nodes share")
    func told() throws {
        var core = sharedPool(fetch: 2)
        let fetches = missing(&core, core.want(wants(0..<2, visible: true), session: a, now: 0))
        #expect(rests(core.finish(fetches[0], .failed, fetch: busy, now: 100)) == [2_100])
        let shorter = FetchReport(.throttled, waited: 1, retryAfter: 1_000)
        #expect(rests(core.finish(fetches[1], .failed, fetch: shorter, now: 200)) == [])
        var alone = pool(fetch: 1)
        let first = missing(&alone, alone.want(wants(0..<1, visible: true), session: a, now: 0))
        #expect(rests(alone.finish(try #require(first.first), .failed, fetch: busy, now: 100)) == [])
    }

    @Test("an opened circuit breaker is reported")
    func breaker() throws {
        var core = sharedPool()
        var told: [Double] = []
        var tickets = missing(&core, core.want(wants(0..<5, visible: true), session: a, now: 0))
        for _ in 0..<5 {
            let actions = core.finish(
                try #require(tickets.first), .failed, fetch: FetchReport(.broken), random: 0, now: 0)
            told += rests(actions)
            tickets = missing(&core, actions)
        }
        #expect(told == [2_000])
    }

    @Test("a host that another node paused is paused here, not reported again, and probed with one fetch")
    func elsewhere() throws {
        var core = sharedPool(fetch: 4)
        let fetches = missing(&core, core.want(wants(0..<8, visible: true), session: a, now: 0))
        #expect(fetches.count == 4)
        let report = FetchReport(.pausedElsewhere, retryAfter: 5_000)
        let actions = core.finish(fetches[0], .away, fetch: report, now: 0)
        #expect(rests(actions) == [] && core.fetchLimit(host: 0) == 0)
        #expect(core.pause(host: 0, now: 1_000) == 4_000)
        #expect(core.counts.retries == 0)
        for fetch in fetches.dropFirst() { _ = core.finish(fetch, .ready, now: 10) }
        #expect(missing(&core, core.reacquireSlot(fetches[0], now: 20)).isEmpty)
        _ = missing(&core, core.wake(now: 5_000))
        #expect(core.fetchLimit(host: 0) == 1)
    }

    @Test("queued tasks of a paused host are looked up once more, and only once")
    func rechecks() throws {
        var core = sharedPool()
        let first = missing(&core, core.want(wants(0..<3, visible: true), session: a, now: 0))
        let looks = starts(core.finish(try #require(first.first), .failed, fetch: busy, now: 100), .lookUp)
        #expect(looks.map(\.key) == [1, 2])
        #expect(core.finish(looks[0], .ready, now: 110) == [.finished(looks[0], sessions: [a], ready: true)])
        #expect(core.finish(looks[1], .advance(to: .fetch), now: 110).isEmpty)
        #expect(core.counts.queued.fetch == 1 && core.counts.queued.lookUp == 0)
        // The one that has failed is looked for when its own time is over, while the host still rests.
        _ = missing(&core, core.wake(now: 2_100))
        #expect(core.counts.running.fetch == 1)
    }

    @Test("a look-up that began before the pause does not count as that second look-up")
    func underWay() throws {
        var core = sharedPool()
        let first = missing(&core, core.want(wants(0..<1, visible: true), session: a, now: 0))
        let look = starts(core.want(wants(5..<6, visible: true), session: b, now: 50), .lookUp)
        _ = core.finish(try #require(first.first), .failed, fetch: busy, now: 100)
        let again = starts(core.finish(try #require(look.first), .advance(to: .fetch), now: 110), .lookUp)
        #expect(again.map(\.key) == [5])
        #expect(core.finish(try #require(again.first), .advance(to: .fetch), now: 120).isEmpty)
    }

    @Test("a task that reacquires a slot of a paused host is looked up first")
    func comesBack() throws {
        var core = sharedPool(fetch: 2)
        let fetches = missing(&core, core.want(wants(0..<2, visible: true), session: a, now: 0))
        _ = core.finish(fetches[0], .away, now: 0)
        _ = core.finish(fetches[1], .failed, fetch: busy, now: 100)
        let look = starts(core.reacquireSlot(fetches[0], now: 200), .lookUp)
        #expect(look.map(\.key) == [0])
        #expect(core.finish(try #require(look.first), .ready, now: 210).count == 1)
    }

    @Test("a want that does not wait is refused only after a look-up that began later")
    func failFast() throws {
        var core = sharedPool()
        let first = missing(&core, core.want(wants(0..<2, visible: true), session: a, now: 0))
        let looks = starts(core.finish(try #require(first.first), .failed, fetch: busy, now: 100), .lookUp)
        #expect(core.finish(try #require(looks.first), .advance(to: .fetch), now: 110).isEmpty)
        let actions = core.want(
            [PoolWant(key: 1, visible: true, waitsForHost: false)], session: b, now: 500)
        let look = try #require(starts(actions, .lookUp).first)
        #expect(!actions.contains(.refused(1, session: b, until: 2_100)))
        #expect(core.finish(look, .advance(to: .fetch), now: 510) == [.refused(1, session: b, until: 2_100)])
    }

    @Test("look-ups between retries do not add attempts")
    func tries() throws {
        var core = sharedPool()
        var tickets = missing(&core, core.want(wants(0..<1, visible: true), session: a, now: 0))
        var (now, tries) = (0.0, 0)
        while let ticket = tickets.first, tries < 50 {
            tries += 1
            let actions = core.finish(ticket, .failed, fetch: busy, now: now)
            if actions.contains(where: { if case .finished = $0 { true } else { false } }) { break }
            tickets = missing(&core, actions)
            while tickets.isEmpty, let wake = core.nextWake {
                now = wake
                tickets = missing(&core, core.wake(now: now))
            }
        }
        #expect((2..<50).contains(tries))
    }

    @Test("each node uses its share of a host's limit, at least 1, and keeps a learned limit")
    func nodes() throws {
        var limits = TaskPoolLimits()
        limits.isShared = true
        var core = TaskPoolCore<Int>(limits: limits)
        #expect(core.fetchLimit(host: 7) == 8)
        for (nodes, first) in [(2, 4), (4, 2), (100, 1), (1, 8), (0, 8)] {
            limits.nodes = nodes
            _ = core.setLimits(limits, now: 0)
            #expect(core.fetchLimit(host: 7) == first, "\(nodes) nodes")
        }
        let fetch = try #require(missing(&core, core.want(wants(0..<1, visible: true), session: a, now: 0)).first)
        _ = core.finish(fetch, .failed, fetch: busy, now: 0)
        limits.nodes = 2
        _ = core.setLimits(limits, now: 10)
        #expect(core.pause(host: 0, now: 10) == 1_990, "the rest is not forgotten")
    }

    @Test("a learned limit falls to the node's share and can rise again")
    func maximum() {
        var governor = AdaptiveLimit()
        #expect(governor.limit == 8)
        governor.setMaximum(3)
        #expect(governor.limit == 3)
        governor.setMaximum(16)
        #expect(governor.limit == 3)
        for _ in 0..<100 { governor.succeed(waited: 10, took: 10, inFlight: 16) }
        #expect(governor.limit > 3)
    }
}
