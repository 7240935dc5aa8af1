import TaskPool
import Testing

@Suite("Tasks that wait for somebody else")
struct WaitingTests: DrivesCore {
    /// A pool with one fetch slot, and key 1 fetching in it.
    private func fetching() throws -> (core: TaskPoolCore<Int>, ticket: Ticket<Int>) {
        var core = pool(fetch: 1)
        let ticket = try #require(missing(&core, core.want(wants([1, 2], visible: true), session: a, now: 0)).first)
        #expect(ticket.key == 1)
        return (core, ticket)
    }

    private func started(_ actions: [PoolAction<Int>]) -> [Int] {
        actions.compactMap { if case .start(let ticket) = $0 { ticket.key } else { nil } }
    }

    @Test("it gives its slot back, is no failure, and waits for a slot again when it is back")
    func waits() throws {
        var (core, ticket) = try fetching()
        let second = core.finish(ticket, .away, now: 0)
        #expect(started(second) == [2])
        #expect(core.counts.waiting == 1 && core.counts.retries == 0 && core.nextWake == nil)
        #expect(started(core.reacquireSlot(ticket, now: 10)).isEmpty, "there is no slot")
        #expect(core.counts.waiting == 0 && core.counts.queued.fetch == 1)
        guard case .start(let other)? = second.first else { throw CancellationError() }
        #expect(started(core.finish(other, .failed, now: 20)) == [1])
    }

    @Test("wanted no more while it is away, it is dropped, and cannot come back")
    func dropped() throws {
        var (core, ticket) = try fetching()
        _ = core.finish(ticket, .away, now: 0)
        let actions = core.want(wants([2], visible: true), session: a, now: 1)
        #expect(actions.contains { if case .dropped(let ticket) = $0 { ticket.key == 1 } else { false } })
        #expect(core.reacquireSlot(ticket, now: 2).isEmpty)
        #expect(core.counts.waiting == 0)
    }

    @Test("one that ends while it is away tells those who want it")
    func endsAway() throws {
        var (core, ticket) = try fetching()
        _ = core.finish(ticket, .away, now: 0)
        let end = core.finish(ticket, .ready, now: 5)
        #expect(end == [.finished(ticket, sessions: [a], ready: true)])
        #expect(core.counts.waiting == 0 && core.counts.ready == 1)
    }
}
