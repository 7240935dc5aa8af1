import Synchronization
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

    @Test("it gives its slot back, is no failure, and runs again when its time is over")
    func waits() throws {
        var (core, ticket) = try fetching()
        #expect(started(core.finish(ticket, .wait(upTo: 500), now: 0)) == [2])
        #expect(core.counts.resting == 1 && core.counts.retries == 0)
        #expect(core.nextWake == 500)
        #expect(core.wake(now: 499).isEmpty)
        _ = core.wake(now: 500)
        #expect(core.counts.resting == 0 && core.counts.queued.fetch == 1)
    }

    @Test("told to go on, it runs again at once, and not once more when its time is over")
    func goesOn() throws {
        var (core, ticket) = try fetching()
        let second = core.finish(ticket, .wait(upTo: 500), now: 0)
        guard case .start(let other)? = second.first else { throw CancellationError() }
        #expect(started(core.goOn(with: 1, now: 10)).isEmpty, "there is no slot")
        #expect(started(core.finish(other, .failed, now: 20)) == [1])
        #expect(core.wake(now: 500).isEmpty)
        #expect(core.counts.resting == 0 && core.counts.running.fetch == 1)
    }

    @Test("told to go on before it says that it waits, it does not wait; the word counts once")
    func toldBefore() throws {
        var (core, ticket) = try fetching()
        _ = core.want(wants([1], visible: true), session: a, now: 0)
        #expect(core.goOn(with: 1, now: 0).isEmpty)
        let again = core.finish(ticket, .wait(upTo: 500), now: 0)
        #expect(started(again) == [1])
        guard case .start(let next)? = again.first else { throw CancellationError() }
        #expect(core.finish(next, .wait(upTo: 500), now: 0).isEmpty)
        #expect(core.counts.resting == 1)
    }

    @Test("wanted no more while it waits, it is dropped; telling it to go on then changes nothing")
    func dropped() throws {
        var (core, ticket) = try fetching()
        _ = core.finish(ticket, .wait(upTo: 500), now: 0)
        let actions = core.want(wants([2], visible: true), session: a, now: 1)
        #expect(actions.contains { if case .dropped(let ticket) = $0 { ticket.key == 1 } else { false } })
        #expect(core.goOn(with: 1, now: 2).isEmpty && core.goOn(with: 7, now: 2).isEmpty)
        #expect(core.counts.resting == 0)
    }

    /// Waits in its fetch stage until it is told to go on; what it carries tells when it is let go.
    struct Waiter: TaskRunning {
        final class Carried: Sendable {
            private let onEnd: @Sendable () -> Void
            init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
            deinit { onEnd() }
        }

        let events: AsyncStream<String>.Continuation

        func run(_ ticket: Ticket<Int>, carrying work: Carried?) async -> StageOutcome<Carried> {
            switch ticket.stage {
            case .store: return .advance(to: .fetch, carrying: Carried {})
            default:
                events.yield("runs")
                return .wait(upTo: 1e9, carrying: Carried { [events] in events.yield("let go") })
            }
        }
    }

    @Test(
        "what a waiting task carries is let go when it runs again, and when nobody wants it any more",
        .timeLimit(.minutes(1)))
    func carried() async {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        var events = stream.makeAsyncIterator()
        let pool = TaskPool(runner: Waiter(events: continuation)) { _, _, _ in }
        pool.want(visible: [1], session: SessionID(1))
        #expect(await events.next() == "runs")
        pool.goOn(with: 1)
        #expect(await events.next() == "runs")
        #expect(await events.next() == "let go")
        pool.end(session: SessionID(1))
        #expect(await events.next() == "let go")
        await pool.shutdown()
    }
}
