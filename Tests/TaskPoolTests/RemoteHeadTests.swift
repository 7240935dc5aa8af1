import TaskPool
import Testing

@Suite struct RemoteHeadTests: DrivesCore {
    private func started(_ actions: [PoolAction<Int>]) -> [Ticket<Int>] {
        actions.compactMap { if case .start(let ticket) = $0 { ticket } else { nil } }
    }

    /// Sends what the store lacks to its host's heads; the tickets of the heads and fetches that started.
    private func looked(_ core: inout TaskPoolCore<Int>, _ actions: [PoolAction<Int>]) -> [Ticket<Int>] {
        started(actions).flatMap { ticket in
            ticket.kind == .lookUp ? started(core.finish(ticket, .advance(to: .remoteHead), now: 0)) : [ticket]
        }
    }

    @Test("heads of everything visible come before the rest of anything")
    func headsFirst() throws {
        var core = pool(fetch: 2)
        var running = looked(&core, core.want(wants(0..<6, visible: true), session: a, now: 0))
        var order: [Int] = []
        while order.count < 6 {
            let head = running.removeFirst()
            #expect(head.kind == .remoteHead)
            order.append(head.key)
            running += started(core.finish(head, .advance(to: .fetch), now: 0))
        }
        #expect(order == [0, 1, 2, 3, 4, 5])
        #expect(running.map(\.kind) == [.fetch] && running.first?.key == 0)
    }

    @Test("the rests of files take half of a host's slots, so that a head finds one free")
    func half() throws {
        var core = pool(fetch: 4)
        let heads = looked(&core, core.want(wants(0..<4, visible: true), session: a, now: 0))
        let rests = heads.flatMap { started(core.finish($0, .advance(to: .fetch), now: 0)) }
        #expect(rests.map(\.kind) == [.fetch, .fetch] && core.counts.queued.fetch == 2)
        let late = looked(&core, core.want(wants(0..<9, visible: true), session: a, now: 0))
        #expect(late.map(\.kind) == [.remoteHead, .remoteHead] && late.map(\.key) == [4, 5])
        #expect(core.counts.running.fetch + core.counts.running.remoteHead == 4)
        let after = started(core.finish(try #require(rests.first), .advance(to: .render), now: 0))
        let next = after.filter(\.kind.isFetch)
        #expect(next.map(\.kind) == [.remoteHead])
    }

    @Test("a host with one slot gives it to heads and rests in turn")
    func oneSlot() throws {
        var core = pool(fetch: 1)
        let first = looked(&core, core.want(wants(0..<1, visible: true), session: a, now: 0))
        let rest = started(core.finish(try #require(first.first), .advance(to: .fetch), now: 0))
        #expect(rest.map(\.kind) == [.fetch])
        #expect(looked(&core, core.want(wants(0..<2, visible: true), session: a, now: 0)).isEmpty)
        let next = started(core.finish(try #require(rest.first), .advance(to: .render), now: 0))
        #expect(next.contains { $0.kind == .remoteHead && $0.key == 1 })
    }

    @Test("pictures without a head take all slots")
    func plain() {
        var core = pool(fetch: 4)
        let fetches = missing(&core, core.want(wants(0..<6, visible: true), session: a, now: 0))
        #expect(fetches.map(\.kind) == [.fetch, .fetch, .fetch, .fetch])
    }

    @Test("what is ahead has its head read while the rests of what is visible come")
    func ahead() {
        var core = pool(fetch: 4)
        let list = wants(0..<4, visible: true) + wants(4..<8, visible: false)
        let heads = looked(&core, core.want(list, session: a, now: 0))
        #expect(heads.map(\.key) == [0, 1, 2, 3])
        let next = heads.flatMap { started(core.finish($0, .advance(to: .fetch), now: 0)) }
        #expect(next.filter { $0.kind == .fetch }.map(\.key) == [0, 1])
        #expect(next.filter { $0.kind == .remoteHead }.map(\.key) == [4, 5])
    }

    @Test("a want for which the preview is enough has its head fetched, and no more")
    func enough() throws {
        var core = pool()
        let want = [PoolWant(key: 1, visible: false, isPreviewEnough: true)]
        let heads = looked(&core, core.want(want, session: a, now: 0))
        let head = try #require(heads.first)
        #expect(head.kind == .remoteHead)
        #expect(started(core.finish(head, .advance(to: .fetch), now: 0)).isEmpty)
        #expect(core.counts.queued.fetch == 1)
    }

    @Test("a small picture that comes whole instead of its head goes straight to be rendered")
    func whole() throws {
        var core = pool()
        let heads = looked(&core, core.want(wants(0..<1, visible: true), session: a, now: 0))
        let next = started(core.finish(try #require(heads.first), .advance(to: .render, bytes: 9), now: 0))
        #expect(next.map(\.kind) == [.render] && core.counts.carriedBytes == 9)
    }

    @Test("a head that nobody wants any more is aborted, and its slot is free once it has stopped")
    func aborted() throws {
        var core = pool(fetch: 1)
        let heads = looked(&core, core.want(wants(0..<1, visible: true), session: a, now: 0))
        let head = try #require(heads.first)
        let actions = core.want(wants(1..<2, visible: true), session: a, now: 0)
        #expect(actions.contains(.abort(head)))
        #expect(looked(&core, actions).isEmpty)
        #expect(started(core.finish(head, .cancelled, now: 0)).map(\.key) == [1])
    }

    @Test("a want that does not wait is refused before its head when the host rests")
    func refused() throws {
        var core = pool(fetch: 1)
        let heads = looked(&core, core.want(wants(0..<1, visible: true), session: a, now: 0))
        let want = [PoolWant(key: 2, visible: true, waitsForHost: false)]
        #expect(looked(&core, core.want(want, session: b, now: 0)).isEmpty)
        let throttled = FetchReport(.throttled, retryAfter: 5_000)
        let actions = core.finish(try #require(heads.first), .advance(to: .fetch), fetch: throttled, now: 0)
        #expect(actions.contains { if case .refused(2, b, _) = $0 { true } else { false } })
    }
}
