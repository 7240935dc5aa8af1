import Synchronization
import TaskPool
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ShellTests {
    private let a = SessionID(1)
    private let b = SessionID(2)

    private func pool(
        _ runner: ManualRunner, fetch: Int = 2
    ) -> (pool: TaskPool<ManualRunner>, results: AsyncStream<Finish>) {
        var limits = TaskPoolLimits()
        limits.fetch = fetch
        limits.fetchReserve = 0
        let (stream, continuation) = AsyncStream.makeStream(of: Finish.self)
        let pool = TaskPool(limits: limits, runner: runner) { key, sessions, result in
            continuation.yield(Finish(key: key, sessions: sessions, work: try? result.get()))
        }
        return (pool, stream)
    }

    struct Finish: Sendable, Equatable {
        var key: String
        var sessions: [SessionID]
        var work: String?
    }

    @Test("a task carries its work through the stages to everyone who wants it")
    func throughTheStages() async throws {
        let runner = ManualRunner()
        let (pool, results) = pool(runner)
        pool.want([PoolWant(key: "x", visible: true)], session: a)
        let store = try await runner.next()
        pool.want([PoolWant(key: "x", visible: true)], session: b)
        store.resume(.advance(to: .fetch, carrying: "miss"))
        let fetch = try await runner.next()
        #expect(fetch.work == "miss")
        fetch.resume(.advance(to: .render, carrying: "bytes"))
        let render = try await runner.next()
        #expect(render.ticket.stage == .render)
        #expect(render.work == "bytes")
        render.resume(.ready("picture"))
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "x", sessions: [a, b], work: "picture"))
        await pool.shutdown()
    }

    @Test("a preview goes to those who want its task by then, and the task goes on")
    func preview() async throws {
        let runner = ManualRunner()
        let (previews, continuation) = AsyncStream.makeStream(of: Finish.self)
        let (results, ends) = AsyncStream.makeStream(of: Finish.self)
        let pool = TaskPool(
            runner: runner,
            onPreview: { continuation.yield(Finish(key: $0, sessions: $1, work: $2)) },
            onFinished: { ends.yield(Finish(key: $0, sessions: $1, work: try? $2.get())) })
        pool.want([PoolWant(key: "x", visible: true)], session: a)
        try await runner.next().resume(.advance(to: .head, carrying: "miss"))
        let head = try await runner.next()
        #expect(head.ticket.stage == .head && head.work == "miss")
        pool.want([PoolWant(key: "x", visible: true)], session: b)
        head.resume(.preview("small", .advance(to: .fetch, carrying: "miss")))
        var shown = previews.makeAsyncIterator()
        #expect(await shown.next() == Finish(key: "x", sessions: [a, b], work: "small"))
        let fetch = try await runner.next()
        #expect(fetch.ticket.stage == .fetch && fetch.work == "miss")
        fetch.resume(.advance(to: .render, carrying: "bytes"))
        try await runner.next().resume(.ready("picture"))
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "x", sessions: [a, b], work: "picture"))
        await pool.shutdown()
    }

    @Test("nobody is shown the preview of a task that is wanted no more")
    func latePreview() async throws {
        let runner = ManualRunner()
        let (previews, continuation) = AsyncStream.makeStream(of: String.self)
        let pool = TaskPool(
            runner: runner, onPreview: { key, _, _ in continuation.yield(key) }, onFinished: { _, _, _ in })
        pool.want([PoolWant(key: "x", visible: true)], session: a)
        try await runner.next().resume(.advance(to: .head, carrying: "miss"))
        let head = try await runner.next()
        pool.want([PoolWant(key: "y", visible: true)], session: a)
        await runner.cancelled(head.ticket)
        head.resume(.preview("small", .advance(to: .fetch, carrying: "miss")))
        try await runner.next().resume(.advance(to: .head, carrying: "miss"))
        try await runner.next().resume(.preview("small", .advance(to: .fetch, carrying: "miss")))
        var shown = previews.makeAsyncIterator()
        #expect(await shown.next() == "y")
        try await runner.next().resume(.ready("picture"))
        await pool.shutdown()
    }

    @Test("letting go of a running fetch cancels its Swift task and frees the slot when it has stopped")
    func cancelRunning() async throws {
        let runner = ManualRunner()
        let (pool, results) = pool(runner, fetch: 1)
        pool.want([PoolWant(key: "old", visible: true)], session: a)
        try await runner.next().resume(.advance(to: .fetch, carrying: "old"))
        let old = try await runner.next()
        pool.want([PoolWant(key: "new", visible: true)], session: a)
        await runner.cancelled(old.ticket)
        try await runner.next().resume(.advance(to: .fetch, carrying: "new"))
        let new = try await runner.next()
        #expect(new.ticket.key == "new")
        new.resume(.ready("new picture"))
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "new", sessions: [a], work: "new picture"))
        #expect(pool.counts.cancelledRunning == 1)
        await pool.shutdown()
    }

    @Test("whoever asks finds every list taken in that was handed over before, the latest of each session")
    func takenIn() async throws {
        let (pool, _) = pool(ManualRunner())
        for number in 0..<100 {
            pool.want([PoolWant(key: "a\(number)", visible: true)], session: a)
            pool.want([PoolWant(key: "b", visible: true)], session: b)
        }
        let counts = pool.counts
        #expect(counts.created - counts.cancelled == 2)
        pool.end(session: a)
        #expect(pool.counts.created - pool.counts.cancelled == 1)
        await pool.shutdown()
    }

    @Test("what a host is allowed is told while a list is being taken in", .timeLimit(.minutes(1)))
    func limitAtOnce() async throws {
        var limits = TaskPoolLimits()
        limits.store = 0
        let pool = TaskPool(limits: limits, runner: IdleRunner()) { _, _, _ in }
        let (found, continuation) = AsyncStream.makeStream(of: Int.self)
        // The core looks the key up under the pool's lock.
        let key = WatchedKey { [weak pool] in if let pool { continuation.yield(pool.fetchLimit(host: 7)) } }
        pool.want([PoolWant(key: key, host: 7, visible: true)], session: a)
        for await limit in found {
            #expect(limit == TaskPoolCore<Int>(limits: limits).fetchLimit(host: 7))
            break
        }
        await pool.shutdown()
    }

    @Test("a failure and an unasked cancel both reach those who wanted the key")
    func failures() async throws {
        let runner = ManualRunner()
        let (pool, results) = pool(runner)
        var iterator = results.makeAsyncIterator()
        pool.want([PoolWant(key: "x", visible: true)], session: a)
        try await runner.next().resume(.failed(CancellationError()))
        #expect(await iterator.next() == Finish(key: "x", sessions: [a], work: nil))
        pool.want([PoolWant(key: "x", visible: true, generation: 1)], session: a)
        try await runner.next().resume(.cancelled)
        #expect(await iterator.next() == Finish(key: "x", sessions: [a], work: nil))
        await pool.shutdown()
    }

    @Test("a fetch that failed is tried again with the same work, by an alarm of its own")
    func retry() async throws {
        let runner = ManualRunner()
        var limits = TaskPoolLimits()
        limits.hosts.retry.base = 1
        let (stream, continuation) = AsyncStream.makeStream(of: Finish.self)
        let pool = TaskPool(limits: limits, runner: runner) { key, sessions, result in
            continuation.yield(Finish(key: key, sessions: sessions, work: try? result.get()))
        }
        pool.want([PoolWant(key: "x", visible: true)], session: a)
        try await runner.next().resume(.advance(to: .fetch, carrying: "miss"))
        for _ in 0..<2 {
            let fetch = try await runner.next()
            #expect(fetch.work == "miss")
            fetch.resume(.fetched(FetchReport(.broken, waited: 1), .failed(CancellationError())))
        }
        let third = try await runner.next()
        #expect(third.work == "miss")
        third.resume(.fetched(FetchReport(.whole, waited: 1, bytes: 9), .advance(to: .render, carrying: "bytes")))
        let render = try await runner.next()
        #expect(render.work == "bytes")
        render.resume(.ready("picture"))
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "x", sessions: [a], work: "picture"))
        #expect(pool.counts.retries == 2)
        await pool.shutdown()
    }

    @Test("shutdown stops what runs, tells the end of all that was wanted, and returns when that is done")
    func shutdown() async throws {
        let runner = ManualRunner()
        let (pool, results) = pool(runner)
        var limits = pool.limits
        limits.store = 2
        pool.setLimits(limits)
        let keys = ["x", "y", "waits", "waits, too"]
        pool.want(keys.map { PoolWant(key: $0, visible: true) }, session: a)
        pool.want([PoolWant(key: "x", visible: true), PoolWant(key: "mine", visible: true)], session: b)
        _ = try await runner.next()
        _ = try await runner.next()
        await pool.shutdown()
        #expect(runner.running == 0)
        #expect(pool.counts.running.total == 0 && pool.counts.queued.total == 0)
        // All that was told before it returned, and what is wanted after.
        pool.want([PoolWant(key: "late", visible: true)], session: a)
        var told: [String: Set<SessionID>] = [:]
        for await end in results {
            #expect(end.work == nil)
            told[end.key, default: []].formUnion(end.sessions)
            if end.key == "late" { break }
        }
        let expected: [String: Set<SessionID>] = [
            "x": [a, b], "y": [a], "waits": [a], "waits, too": [a], "mine": [b], "late": [a],
        ]
        #expect(told == expected)
        #expect(pool.counts.created == 5)
    }

    @Test("a want that does not wait for a resting host hears at once how long the host rests")
    func refused() async throws {
        let runner = ManualRunner()
        let (stream, continuation) = AsyncStream.makeStream(of: HostRests?.self)
        let pool = TaskPool(runner: runner) { _, _, result in
            if case .failure(let error) = result { continuation.yield(error as? HostRests) }
        }
        pool.want([PoolWant(key: "x", visible: true, waitsForHost: false)], session: a)
        try await runner.next().resume(.advance(to: .fetch, carrying: "miss"))
        let busy = FetchReport(.throttled, waited: 1, retryAfter: 20_000)
        try await runner.next().resume(.fetched(busy, .failed(CancellationError())))
        var iterator = stream.makeAsyncIterator()
        let rest = try #require(await iterator.next() ?? nil)
        #expect((10_000...20_000).contains(rest.milliseconds))
        #expect(pool.counts.resting == 0)
        await pool.shutdown()
    }

    @Test("fetches stop at the bytes that wait to be rendered, which the runner weighs")
    func carried() async throws {
        let runner = ManualRunner()
        var limits = TaskPoolLimits()
        limits.render = 1
        limits.carriedBytes = 8
        limits.carriedReserve = 0
        let pool = TaskPool(limits: limits, runner: runner) { _, _, _ in }
        pool.want(["a", "b", "c"].map { PoolWant(key: $0, visible: false) }, session: a)
        for _ in 0..<3 { try await runner.next(.store).resume(.advance(to: .fetch, carrying: "miss")) }
        let fetches = [try await runner.next(.fetch), try await runner.next(.fetch), try await runner.next(.fetch)]
        for fetch in fetches { fetch.resume(.advance(to: .render, carrying: "8 bytes!")) }
        try await eventually("24 bytes carried", of: { pool.counts.carriedBytes }) { $0 >= 24 }
        pool.want(["a", "b", "c", "d"].map { PoolWant(key: $0, visible: false) }, session: a)
        let render = try await runner.next(.render)
        try await runner.next(.store).resume(.advance(to: .fetch, carrying: "miss"))
        try await eventually("a fetch in the queue") { pool.counts.queued.fetch != 0 }
        #expect(pool.counts.running.fetch == 0)
        render.resume(.ready("picture"))
        _ = try await runner.next(.render)
        #expect(pool.counts.running.fetch == 0)
        await pool.shutdown()
    }
}

/// Runs nothing: each stage waits until the test resumes it, or until it is cancelled.
final class ManualRunner: TaskRunning {
    struct Run: Sendable {
        let ticket: Ticket<String>
        let work: String?
        let runner: ManualRunner

        func resume(_ outcome: StageOutcome<String>) { runner.resume(ticket, outcome) }
    }

    private struct State {
        var waiting: [Ticket<String>: CheckedContinuation<StageOutcome<String>, Never>] = [:]
        var cancelledEarly: Set<Ticket<String>> = []
        var passedOver: [Run] = []
    }

    private let state = Mutex(State())
    private let runs: AsyncStream<Run>
    private let started: AsyncStream<Run>.Continuation
    private let cancels: AsyncStream<Ticket<String>>
    private let stopped: AsyncStream<Ticket<String>>.Continuation

    init() {
        (runs, started) = AsyncStream.makeStream()
        (cancels, stopped) = AsyncStream.makeStream()
    }

    var running: Int { state.withLock { $0.waiting.count } }

    func bytes(of work: String) -> Int { work.utf8.count }

    /// The next run that the pool has started, of `stage` where one is named: runs of several tasks start in any order.
    func next(_ stage: Stage? = nil) async throws -> Run {
        func isMeant(_ run: Run) -> Bool { stage == nil || run.ticket.stage == stage }
        let earlier = state.withLock { state in
            state.passedOver.firstIndex(where: isMeant).map { state.passedOver.remove(at: $0) }
        }
        if let earlier { return earlier }
        var iterator = runs.makeAsyncIterator()
        while let run = await iterator.next() {
            if isMeant(run) { return run }
            state.withLock { $0.passedOver.append(run) }
        }
        throw CancellationError()
    }

    /// Returns when the pool has cancelled something, which must be `ticket`.
    func cancelled(_ ticket: Ticket<String>) async {
        var iterator = cancels.makeAsyncIterator()
        #expect(await iterator.next() == ticket)
    }

    func run(_ ticket: Ticket<String>, carrying work: String?) async -> StageOutcome<String> {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelledEarly.contains(ticket) { return true }
                    state.waiting[ticket] = continuation
                    return false
                }
                if isCancelled { continuation.resume(returning: .cancelled) }
                started.yield(Run(ticket: ticket, work: work, runner: self))
            }
        } onCancel: {
            state.withLock { _ = $0.cancelledEarly.insert(ticket) }
            stopped.yield(ticket)
            resume(ticket, .cancelled)
        }
    }

    private func resume(_ ticket: Ticket<String>, _ outcome: StageOutcome<String>) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: outcome)
    }
}

/// Tells when it is looked up.
private struct WatchedKey: Hashable, Sendable {
    let onHash: @Sendable () -> Void

    func hash(into hasher: inout Hasher) { onHash() }
    static func == (a: WatchedKey, b: WatchedKey) -> Bool { true }
}

private struct IdleRunner: TaskRunning {
    func run(_ ticket: Ticket<WatchedKey>, carrying work: Int?) async -> StageOutcome<Int> { .cancelled }
    func bytes(of work: Int) -> Int { 0 }
}
