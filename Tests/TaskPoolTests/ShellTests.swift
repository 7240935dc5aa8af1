import Synchronization
import TaskPool
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ShellTests {
    private let a = SessionID(1)
    private let b = SessionID(2)

    private func pool(
        _ maker: ManualMaker, fetch: Int = 2
    ) -> (pool: TaskPool<ManualMaker>, results: AsyncStream<Finish>) {
        var limits = TaskPoolLimits()
        limits.fetch = fetch
        limits.fetchReserve = 0
        let (stream, continuation) = AsyncStream.makeStream(of: Finish.self)
        let pool = TaskPool(limits: limits, maker: maker) { key, sessions, result in
            continuation.yield(Finish(key: key, sessions: sessions, product: try? result.get()))
        }
        return (pool, stream)
    }

    struct Finish: Sendable, Equatable {
        var key: String
        var sessions: [SessionID]
        var product: String?
    }

    private func wants(_ keys: String...) -> [PoolWant<String>] { keys.map { PoolWant(key: $0, visible: true) } }

    @Test("a task takes one slot after the other, and all sessions that want it get the product")
    func fromSlotToSlot() async throws {
        let maker = ManualMaker()
        let (pool, results) = pool(maker)
        pool.want(wants("x"), session: a)
        let lookUp = try await maker.next()
        #expect(lookUp.kind == .lookUp)
        pool.want(wants("x"), session: b)
        lookUp.answer(.absent(.fetch))
        let fetch = try await maker.next()
        #expect(fetch.kind == .fetch)
        fetch.answer(.take(.render))
        let render = try await maker.next()
        #expect(render.kind == .render && render.making == fetch.making, "one task makes it")
        render.answer(.product("picture"))
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "x", sessions: [a, b], product: "picture"))
        await pool.shutdown()
    }

    @Test("a product found in the look-up needs no Swift task of its own")
    func found() async throws {
        let maker = ManualMaker()
        let (pool, results) = pool(maker)
        pool.want(wants("x", "y"), session: a)
        let first = try await maker.next(), second = try await maker.next()
        first.answer(.product("kept"))
        second.answer(.error)
        var iterator = results.makeAsyncIterator()
        let ends = [await iterator.next(), await iterator.next()]
        #expect(ends.contains(Finish(key: first.key, sessions: [a], product: "kept")))
        #expect(ends.contains(Finish(key: second.key, sessions: [a], product: nil)))
        #expect(pool.counts.started.total == 2)
        await pool.shutdown()
    }

    @Test("look-ups are batched, and a cancelled one does not delay the others of its batch")
    func batches() async throws {
        let maker = ManualMaker()
        let (pool, results) = pool(maker)
        let keys = (0..<40).map { "\($0)" }
        pool.want(keys.map { PoolWant(key: $0, visible: true) }, session: a)
        var runs: [ManualMaker.Run] = []
        for _ in keys { runs.append(try await maker.next(.lookUp)) }
        #expect(Set(maker.batches).isSubset(of: 1...TaskPoolLimits.lookUpBatch))
        #expect(maker.batches.count < keys.count)
        pool.want(wants("7"), session: a)
        for run in runs { run.answer(.product("kept")) }
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "7", sessions: [a], product: "kept"))
        await pool.shutdown()
    }

    @Test("a preview goes to the sessions that want the task at that time, and the task continues")
    func preview() async throws {
        let maker = ManualMaker()
        let (previews, continuation) = AsyncStream.makeStream(of: Finish.self)
        let (results, ends) = AsyncStream.makeStream(of: Finish.self)
        let pool = TaskPool(
            maker: maker,
            onPreview: { continuation.yield(Finish(key: $0, sessions: $1, product: $2)) },
            onFinished: { ends.yield(Finish(key: $0, sessions: $1, product: try? $2.get())) })
        pool.want(wants("x"), session: a)
        try await maker.next().answer(.absent(.head))
        let head = try await maker.next()
        #expect(head.kind == .head)
        pool.want(wants("x"), session: b)
        head.answer(.take(.fetch, showing: "small"))
        var shown = previews.makeAsyncIterator()
        #expect(await shown.next() == Finish(key: "x", sessions: [a, b], product: "small"))
        try await maker.next().answer(.take(.render))
        try await maker.next().answer(.product("picture"))
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "x", sessions: [a, b], product: "picture"))
        await pool.shutdown()
    }

    @Test("the preview of an unwanted task goes to no session")
    func latePreview() async throws {
        let maker = ManualMaker()
        let (previews, continuation) = AsyncStream.makeStream(of: String.self)
        let pool = TaskPool(
            maker: maker, onPreview: { key, _, _ in continuation.yield(key) }, onFinished: { _, _, _ in })
        pool.want(wants("x"), session: a)
        try await maker.next().answer(.absent(.head))
        let head = try await maker.next()
        pool.want(wants("y"), session: a)
        await maker.cancelled("x")
        head.answer(.take(.fetch, showing: "small"))
        try await maker.next().answer(.absent(.head))
        try await maker.next().answer(.take(.fetch, showing: "small"))
        var shown = previews.makeAsyncIterator()
        #expect(await shown.next() == "y")
        try await maker.next().answer(.product("picture"))
        await pool.shutdown()
    }

    @Test("cancelling a running fetch cancels its Swift task, and its end frees the slot")
    func cancelRunning() async throws {
        let maker = ManualMaker()
        let (pool, results) = pool(maker, fetch: 1)
        pool.want(wants("old"), session: a)
        try await maker.next().answer(.absent(.fetch))
        #expect(try await maker.next().kind == .fetch)
        pool.want(wants("new"), session: a)
        await maker.cancelled("old")
        try await maker.next().answer(.absent(.fetch))
        let new = try await maker.next()
        #expect(new.key == "new")
        new.answer(.product("new picture"))
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "new", sessions: [a], product: "new picture"))
        #expect(pool.counts.cancelledRunning == 1)
        await pool.shutdown()
    }

    @Test("cancelling a task that waits for its next slot ends its Swift task")
    func cancelWaiting() async throws {
        let maker = ManualMaker()
        var limits = TaskPoolLimits()
        limits.render = 1
        let pool = TaskPool(limits: limits, maker: maker) { _, _, _ in }
        pool.want(wants("x", "y"), session: a)
        for _ in 0..<2 { try await maker.next(.lookUp).answer(.absent(.fetch)) }
        for _ in 0..<2 { try await maker.next(.fetch).answer(.take(.render)) }
        let rendering = try await maker.next(.render)
        let waiting = rendering.key == "x" ? "y" : "x"
        try await eventually("one that waits to be rendered") { pool.counts.queued.render == 1 }
        pool.want([PoolWant(key: rendering.key, visible: true)], session: a)
        #expect(await maker.ended() == waiting)
        #expect(pool.counts.cancelledQueued == 1)
        rendering.answer(.product("picture"))
        #expect(await maker.ended() == rendering.key)
        await pool.shutdown()
    }

    @Test("every call sees the latest lists that sessions handed over before")
    func takenIn() async throws {
        let (pool, _) = pool(ManualMaker())
        for number in 0..<100 {
            pool.want(wants("a\(number)"), session: a)
            pool.want(wants("b"), session: b)
        }
        let counts = pool.counts
        #expect(counts.created - counts.cancelled == 2)
        pool.end(session: a)
        #expect(pool.counts.created - pool.counts.cancelled == 1)
        await pool.shutdown()
    }

    @Test("fetchLimit(host:) returns while another thread passes a list to the core", .timeLimit(.minutes(1)))
    func limitAtOnce() async throws {
        let pool = TaskPool(maker: IdleMaker()) { _, _, _ in }
        let (found, continuation) = AsyncStream.makeStream(of: Int.self)
        // The core looks the key up under the pool's lock.
        let key = WatchedKey { [weak pool] in if let pool { continuation.yield(pool.fetchLimit(host: 7)) } }
        pool.want([PoolWant(key: key, host: 7, visible: true)], session: a)
        for await limit in found {
            #expect(limit == TaskPoolCore<Int>().fetchLimit(host: 7))
            break
        }
        await pool.shutdown()
    }

    @Test("a failure goes to all sessions that wanted the key, and they can want it again")
    func failures() async throws {
        let maker = ManualMaker()
        let (pool, results) = pool(maker)
        var iterator = results.makeAsyncIterator()
        for generation: UInt8 in 0...1 {
            pool.want([PoolWant(key: "x", visible: true, generation: generation)], session: a)
            try await maker.next().answer(.absent(.fetch))
            try await maker.next().answer(.error)
            #expect(await iterator.next() == Finish(key: "x", sessions: [a], product: nil))
        }
        await pool.shutdown()
    }

    @Test("a failed fetch is retried by the same Swift task, when the pool decides")
    func retry() async throws {
        let maker = ManualMaker()
        var limits = TaskPoolLimits()
        limits.hosts.retry.base = 1
        let (stream, continuation) = AsyncStream.makeStream(of: Finish.self)
        let pool = TaskPool(limits: limits, maker: maker) { key, sessions, result in
            continuation.yield(Finish(key: key, sessions: sessions, product: try? result.get()))
        }
        pool.want(wants("x"), session: a)
        try await maker.next().answer(.absent(.fetch))
        var makings: Set<Int> = []
        for _ in 0..<2 {
            let fetch = try await maker.next()
            makings.insert(fetch.making)
            fetch.answer(.tryAgain(FetchReport(.broken, waited: 1)))
        }
        let third = try await maker.next()
        #expect(third.kind == .fetch && makings == [third.making])
        third.answer(.take(.render, after: FetchReport(.whole, waited: 1, bytes: 9)))
        try await maker.next().answer(.product("picture"))
        var iterator = stream.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "x", sessions: [a], product: "picture"))
        #expect(pool.counts.retries == 2)
        await pool.shutdown()
    }

    @Test("a failure that is not worth a retry ends the task with its error")
    func noRetry() async throws {
        let maker = ManualMaker()
        let (pool, results) = pool(maker)
        pool.want(wants("x"), session: a)
        try await maker.next().answer(.absent(.fetch))
        try await maker.next().answer(.tryAgain(FetchReport(.gone, waited: 1)))
        var iterator = results.makeAsyncIterator()
        #expect(await iterator.next() == Finish(key: "x", sessions: [a], product: nil))
        #expect(await maker.ended() == "x")
        #expect(pool.counts.failed == 1 && pool.counts.running.total == 0)
        await pool.shutdown()
    }

    @Test("a task that waits for an outside event holds no slot, and gets one after the event")
    func givesBack() async throws {
        let maker = ManualMaker()
        let (pool, results) = pool(maker, fetch: 1)
        pool.want(wants("x", "y"), session: a)
        for _ in 0..<2 { try await maker.next(.lookUp).answer(.absent(.fetch)) }
        let first = try await maker.next(.fetch)
        first.answer(.giveBack)
        let second = try await maker.next(.fetch)
        #expect(second.key != first.key && pool.counts.waiting == 1)
        maker.callBack(first.key)
        try await eventually("the first back in the queue") { pool.counts.queued.fetch == 1 }
        var iterator = results.makeAsyncIterator()
        second.answer(.product("second"))
        let again = try await maker.next(.fetch)
        #expect(again.key == first.key && again.making == first.making)
        // Results of different tasks come in any order: the first must not end before the second's is here.
        #expect(await iterator.next()?.product == "second")
        again.answer(.product("first"))
        #expect(await iterator.next()?.product == "first")
        await pool.shutdown()
    }

    @Test("an unwanted task that waits for an outside event ends")
    func letGoAway() async throws {
        let maker = ManualMaker()
        let (pool, _) = pool(maker)
        pool.want(wants("x"), session: a)
        try await maker.next().answer(.absent(.fetch))
        try await maker.next().answer(.giveBack)
        try await eventually("one away") { pool.counts.waiting == 1 }
        pool.end(session: a)
        #expect(await maker.ended() == "x")
        #expect(pool.counts.cancelled == 1 && pool.counts.waiting == 0)
        await pool.shutdown()
    }

    @Test("shutdown cancels running tasks, reports each wanted key, and then returns")
    func shutdown() async throws {
        let maker = ManualMaker()
        let (pool, results) = pool(maker)
        pool.want(wants("x", "y", "waits"), session: a)
        pool.want(wants("x", "mine"), session: b)
        var fetching = 0
        while fetching < 2 {
            let run = try await maker.next()
            if run.kind == .lookUp { run.answer(.absent(.fetch)) } else { fetching += 1 }
        }
        await pool.shutdown()
        #expect(maker.running == 0)
        #expect(pool.counts.running.total == 0 && pool.counts.queued.total == 0)
        // All callbacks before the return, and the wants after it.
        pool.want(wants("late"), session: a)
        var told: [String: Set<SessionID>] = [:]
        for await end in results {
            #expect(end.product == nil)
            told[end.key, default: []].formUnion(end.sessions)
            if end.key == "late" { break }
        }
        let expected: [String: Set<SessionID>] = ["x": [a, b], "y": [a], "waits": [a], "mine": [b], "late": [a]]
        #expect(told == expected)
        #expect(pool.counts.created == 4)
    }

    @Test("a want that does not wait for a paused host fails at once, with the length of the pause")
    func refused() async throws {
        let maker = ManualMaker()
        let (stream, continuation) = AsyncStream.makeStream(of: HostUnavailable?.self)
        let pool = TaskPool(maker: maker) { _, _, result in
            if case .failure(let error) = result { continuation.yield(error as? HostUnavailable) }
        }
        pool.want([PoolWant(key: "x", visible: true, waitsForHost: false)], session: a)
        try await maker.next().answer(.absent(.fetch))
        try await maker.next().answer(.tryAgain(FetchReport(.throttled, waited: 1, retryAfter: 20_000)))
        var iterator = stream.makeAsyncIterator()
        let rest = try #require(await iterator.next() ?? nil)
        #expect((10_000...20_000).contains(rest.milliseconds))
        #expect(pool.counts.waiting == 0)
        await pool.shutdown()
    }

    @Test("fetches stop at the bytes that wait to be rendered, which the tasks tell of")
    func carried() async throws {
        let maker = ManualMaker()
        var limits = TaskPoolLimits()
        limits.render = 1
        limits.carriedBytes = 8
        limits.carriedReserve = 0
        let pool = TaskPool(limits: limits, maker: maker) { _, _, _ in }
        pool.want(["a", "b", "c"].map { PoolWant(key: $0, visible: false) }, session: a)
        for _ in 0..<3 { try await maker.next(.lookUp).answer(.absent(.fetch)) }
        let fetches = [try await maker.next(.fetch), try await maker.next(.fetch), try await maker.next(.fetch)]
        for fetch in fetches { fetch.answer(.take(.render, holding: 8)) }
        try await eventually("24 bytes carried", of: { pool.counts.carriedBytes }) { $0 >= 24 }
        pool.want(["a", "b", "c", "d"].map { PoolWant(key: $0, visible: false) }, session: a)
        let render = try await maker.next(.render)
        try await maker.next(.lookUp).answer(.absent(.fetch))
        try await eventually("a fetch in the queue") { pool.counts.queued.fetch != 0 }
        #expect(pool.counts.running.fetch == 0)
        render.answer(.product("picture"))
        _ = try await maker.next(.render)
        #expect(pool.counts.running.fetch == 0)
        await pool.shutdown()
    }
}

/// Makes nothing by itself: each step waits until the test says what comes of it, or until it is cancelled.
final class ManualMaker: ProductMaker {
    /// The end of a step.
    enum Answer: Sendable {
        case absent(SlotKind)
        case take(SlotKind, holding: Int = 0, showing: String? = nil, after: FetchReport? = nil)
        case tryAgain(FetchReport)
        case giveBack
        case product(String)
        case error
    }

    struct Failure: Error {}

    struct Run: Sendable {
        let key: String
        let kind: SlotKind
        /// Tells one call of `make` from another.
        let making: Int
        fileprivate let step: Int
        fileprivate let maker: ManualMaker

        /// Falls on nothing where the step was cancelled.
        func answer(_ answer: Answer) { maker.answer(step, answer) }
    }

    private struct State {
        var running = 0
        var makings = 0
        var batches: [Int] = []
        var passedOver: [Run] = []
        var away: [String: AsyncStream<Void>.Continuation] = [:]
        var steps = 0
        /// Steps that were not answered, and those that were cancelled before they were open.
        var open: [Int: CheckedContinuation<Answer, Never>] = [:]
        var cancelledEarly: Set<Int> = []
    }

    private let state = Mutex(State())
    private let runs: AsyncStream<Run>
    private let started: AsyncStream<Run>.Continuation
    private let cancels: AsyncStream<String>
    private let stopped: AsyncStream<String>.Continuation
    private let ends: AsyncStream<String>
    private let over: AsyncStream<String>.Continuation

    init() {
        (runs, started) = AsyncStream.makeStream()
        (cancels, stopped) = AsyncStream.makeStream()
        (ends, over) = AsyncStream.makeStream()
    }

    var running: Int { state.withLock { $0.running } }

    /// How many were looked up together, each time.
    var batches: [Int] { state.withLock { $0.batches } }

    /// The next step that the pool has started, in a slot of this kind where one is named: several start in any order.
    func next(_ kind: SlotKind? = nil) async throws -> Run {
        func isMeant(_ run: Run) -> Bool { kind == nil || run.kind == kind }
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

    /// Returns when the pool has cancelled a step in a slot, which must be this key's.
    func cancelled(_ key: String) async {
        var iterator = cancels.makeAsyncIterator()
        #expect(await iterator.next() == key)
    }

    /// The next key whose task has returned.
    func ended() async -> String? {
        var iterator = ends.makeAsyncIterator()
        return await iterator.next()
    }

    /// Brings about what a task waits for that gave its slot back.
    func callBack(_ key: String) { state.withLock { $0.away[key] }?.yield() }

    func lookUp(_ tickets: [Ticket<String>], onResult: @escaping @Sendable ([LookedUp<String, String>]) -> Void) async {
        state.withLock { $0.batches.append(tickets.count) }
        await withDiscardingTaskGroup { group in
            for ticket in tickets {
                group.addTask {
                    switch await self.step(ticket.key, .lookUp, making: 0) {
                    case .absent(let first): onResult([LookedUp(ticket, .absent(first: first))])
                    case .product(let product): onResult([LookedUp(ticket, .found(product))])
                    default: onResult([LookedUp(ticket, .failed(Failure()))])
                    }
                }
            }
        }
    }

    func make(_ key: String, in slot: inout PoolSlot<ManualMaker>) async throws -> String {
        let making = state.withLock { state in
            state.makings += 1
            state.running += 1
            return state.makings
        }
        defer {
            state.withLock { $0.running -= 1 }
            over.yield(key)
        }
        while true {
            switch await step(key, slot.kind, making: making) {
            case .take(let kind, let bytes, let preview, let report):
                if let report { slot.fetched(report) }
                try await slot.take(kind, holding: bytes, showing: preview)
            case .tryAgain(let report):
                slot.fetched(report)
                try await slot.tryAgain(after: Failure())
            case .giveBack:
                let (back, continuation) = AsyncStream.makeStream(of: Void.self)
                state.withLock { $0.away[key] = continuation }
                try await slot.giveBack { for await _ in back { break } }
            case .product(let product): return product
            case .absent, .error: throw Failure()
            }
        }
    }

    /// - Returns: what the test answers; an error where the step is cancelled before.
    private func step(_ key: String, _ kind: SlotKind, making: Int) async -> Answer {
        let step = state.withLock { state in
            state.steps += 1
            return state.steps
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if state.cancelledEarly.contains(step) { return true }
                    state.open[step] = continuation
                    return false
                }
                if isCancelled { continuation.resume(returning: .error) }
                started.yield(Run(key: key, kind: kind, making: making, step: step, maker: self))
            }
        } onCancel: {
            state.withLock { _ = $0.cancelledEarly.insert(step) }
            if kind != .lookUp { stopped.yield(key) }
            answer(step, .error)
        }
    }

    private func answer(_ step: Int, _ answer: Answer) {
        state.withLock { $0.open.removeValue(forKey: step) }?.resume(returning: answer)
    }
}

/// Tells when it is looked up.
private struct WatchedKey: Hashable, Sendable {
    let onHash: @Sendable () -> Void

    func hash(into hasher: inout Hasher) { onHash() }
    static func == (a: WatchedKey, b: WatchedKey) -> Bool { true }
}

private struct IdleMaker: ProductMaker {
    func lookUp(_ tickets: [Ticket<WatchedKey>], onResult: ([LookedUp<WatchedKey, Int>]) -> Void) async {}
    func make(_ key: WatchedKey, in slot: inout PoolSlot<IdleMaker>) async throws -> Int { 0 }
}
