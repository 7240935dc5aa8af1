import TaskPool
import Testing

@Suite struct PreviewEnoughTests: DrivesCore {
    private func want(_ key: Int, isPreviewEnough: Bool) -> PoolWant<Int> {
        PoolWant(key: key, visible: true, isPreviewEnough: isPreviewEnough)
    }

    private func started(_ actions: [PoolAction<Int>]) -> [Ticket<Int>] {
        actions.compactMap { if case .start(let ticket) = $0 { ticket } else { nil } }
    }

    /// Takes the first task from the store through its head.
    private func readHead(_ core: inout TaskPoolCore<Int>, _ actions: [PoolAction<Int>]) throws -> [PoolAction<Int>] {
        let store = try #require(started(actions).first)
        let heads = started(core.finish(store, .advance(to: .head), now: 0))
        let head = try #require(heads.first)
        #expect(head.kind == .head && core.counts.running.head == 1)
        return core.finish(head, .advance(to: .fetch), now: 0)
    }

    @Test("a want for which the preview is enough has nothing fetched, until a list wants the whole")
    func parked() throws {
        var core = pool()
        let actions = core.want([want(1, isPreviewEnough: true)], session: a, now: 0)
        let after = try started(readHead(&core, actions))
        #expect(after.isEmpty)
        #expect(core.counts.queued.fetch == 1)
        let same = started(core.want([want(1, isPreviewEnough: true)], session: a, now: 0))
        #expect(same.isEmpty)
        let fetches = started(core.want([want(1, isPreviewEnough: false)], session: a, now: 0))
        let fetch = try #require(fetches.first)
        #expect(fetch.key == 1 && fetch.kind == .fetch)
    }

    @Test("it is let go of like any other")
    func dropped() throws {
        var core = pool()
        let actions = core.want([want(1, isPreviewEnough: true)], session: a, now: 0)
        _ = try readHead(&core, actions)
        let dropped = core.want([], session: a, now: 0)
        #expect(dropped.count == 1)
        #expect(core.isIdle)
    }

    @Test("another session that wants the whole gets it, and so does the one that did not")
    func shared() throws {
        var core = pool()
        let actions = core.want([want(1, isPreviewEnough: true)], session: a, now: 0)
        _ = try readHead(&core, actions)
        let fetches = started(core.want([want(1, isPreviewEnough: false)], session: b, now: 0))
        let fetch = try #require(fetches.first)
        let renders = started(core.finish(fetch, .advance(to: .render), now: 0))
        let render = try #require(renders.first)
        let end = core.finish(render, .ready, now: 0).first
        guard case .finished(_, let sessions, true)? = end else {
            Issue.record("nobody was told")
            return
        }
        #expect(sessions == [a, b])
    }

    @Test("heads have slots of their own, and wait for no fetch")
    func slots() throws {
        var core = pool(fetch: 1)
        let first = core.want([want(1, isPreviewEnough: false)], session: a, now: 0)
        let fetches = try started(readHead(&core, first))
        #expect(fetches.map(\.kind) == [.fetch])
        let second = core.want([want(2, isPreviewEnough: false)], session: b, now: 0)
        let waiting = try started(readHead(&core, second))
        #expect(waiting.isEmpty)
        #expect(core.counts.running.fetch == 1 && core.counts.queued.fetch == 1)
    }
}
