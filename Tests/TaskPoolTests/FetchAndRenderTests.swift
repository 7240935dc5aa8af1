import TaskPool
import Testing

@Suite(.timeLimit(.minutes(1)))
struct FetchAndRenderTests {
    struct Missing: Error {}

    @Test("fetched sources are rendered, and errors are reported")
    func results() async {
        let (finished, continuation) = AsyncStream.makeStream(of: (name: String, count: Int?).self)
        let pool = TaskPool(
            fetch: { (name: String) in
                guard name != "none" else { throw Missing() }
                return Array(name)
            },
            render: { letters in letters.count },
            onFinished: { name, result in continuation.yield((name, try? result.get())) })
        pool.want(visible: ["none", "three"], ahead: ["a"], session: SessionID(1))
        var told: [String: Int?] = [:]
        for await (name, count) in finished {
            told[name] = count
            if told.count == 3 { break }
        }
        #expect(told == ["none": nil, "three": 5, "a": 1])
        #expect(pool.counts.failed == 1 && pool.counts.ready == 2)
        #expect(pool.counts.started.fetch == 3 && pool.counts.started.render == 2)
        await pool.shutdown()
    }

    @Test("unwanted tasks are cancelled without a callback")
    func cancelled() async {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (finished, continuation) = AsyncStream.makeStream(of: String.self)
        let pool = TaskPool(
            fetch: { (name: String) in
                if name == "slow" {
                    begin.yield()
                    // Ends when its task is cancelled.
                    for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
                    try Task.checkCancellation()
                }
                return name
            },
            render: { $0 }, onFinished: { name, _ in continuation.yield(name) })
        pool.want(visible: ["slow"], session: SessionID(1))
        for await _ in begun { break }
        pool.want(visible: ["quick"], session: SessionID(1))
        var names = finished.makeAsyncIterator()
        #expect(await names.next() == "quick")
        await pool.shutdown()
        #expect(pool.counts.cancelled == 1)
    }
}
