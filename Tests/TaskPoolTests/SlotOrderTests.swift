import TaskPool
import Testing

@Suite struct SlotOrderTests {
    private let session = SessionID(1)

    /// A pool with one slot a kind.
    private func pool() -> TaskPoolCore<Int> {
        var limits = TaskPoolLimits()
        limits.lookUp = 1
        limits.head = 1
        limits.fetch = 1
        limits.fetchPerHost = 1
        limits.fetchReserve = 0
        limits.fetchReservePerHost = 0
        limits.render = 1
        return TaskPoolCore(limits: limits)
    }

    private func starts(_ actions: [PoolAction<Int>]) -> [Ticket<Int>] {
        actions.compactMap { if case .start(let ticket) = $0 { ticket } else { nil } }
    }

    /// Lets nine tasks queue for a kind behind one that runs there; the ticket of that one.
    private func queue(_ kind: SlotKind, _ core: inout TaskPoolCore<Int>) throws -> Ticket<Int> {
        var running = starts(
            core.want((0..<10).map { PoolWant(key: $0, visible: false) }, session: session, now: 0))
        var held: Ticket<Int>?
        while let ticket = running.popLast() {
            if ticket.kind == kind {
                held = ticket
            } else if let next = SlotKind.allCases.first(where: {
                $0 > ticket.kind && ($0 == kind || $0 != .remoteHead)
            }
            ) {
                running += starts(core.finish(ticket, .advance(to: next), now: 0))
            }
        }
        #expect(core.counts.queued[kind] == 9)
        return try #require(held)
    }

    @Test(
        "what becomes visible goes first in the queue of every kind, and falls back when it leaves",
        arguments: SlotKind.allCases)
    func promotion(kind: SlotKind) throws {
        var core = pool()
        let first = try queue(kind, &core)
        // The last of the queue is seen, and the order of the rest turned round.
        let turned = (0..<10).reversed().map { PoolWant(key: $0, visible: $0 == 7) }
        #expect(starts(core.want(turned, session: session, now: 0)).isEmpty)
        let second = try #require(starts(core.finish(first, .ready, now: 0)).first { $0.kind == kind })
        #expect(second.key == 7)
        // Now another is seen, and then it is no more.
        _ = core.want((0..<10).map { PoolWant(key: $0, visible: $0 == 5) }, session: session, now: 0)
        _ = core.want((1..<10).map { PoolWant(key: $0, visible: false) }, session: session, now: 0)
        let third = try #require(starts(core.finish(second, .ready, now: 0)).first { $0.kind == kind })
        #expect(third.key == 1)
        // A ticket that nobody wants any more is gone from it.
        _ = core.want([PoolWant(key: 1, visible: true), PoolWant(key: 9, visible: false)], session: session, now: 0)
        #expect(core.counts.queued[kind] == 1)
        let last = try #require(starts(core.finish(third, .ready, now: 0)).first { $0.kind == kind })
        #expect(last.key == 9)
    }
}
