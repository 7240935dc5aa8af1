import Fetch
import Media
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct CancellationTests {
    @Test(
        "a cancelled fetch aborts its request, before the response and in the middle of it",
        arguments: ["/hang", "/stall/5000"])
    func aborts(path: String) async throws {
        try await withOrigin { origin, fetcher in
            let url = origin.url(path)
            let task = Task { await fetcher.failure(url) }
            try await origin.until { $0.requests == 1 }
            task.cancel()
            #expect(await task.value == .cancelled)
            try await origin.until { $0.aborted == 1 && $0.open == 0 }
            #expect(fetcher.counts.cancelled == 1)
        }
    }

    @Test("a task cancelled before it fetches opens no connection")
    func before() async throws {
        try await withOrigin { origin, fetcher in
            let url = origin.url("/bytes/1")
            let gate = AsyncStream<Void>.makeStream()
            let task = Task {
                for await _ in gate.stream {}
                return await fetcher.failure(url)
            }
            task.cancel()
            gate.continuation.finish()
            #expect(await task.value == .cancelled)
            #expect(origin.counts.accepts == 0)
        }
    }

    @Test("cancelling eight fetches leaves another fetch running")
    func others() async throws {
        try await withOrigin { origin, fetcher in
            let (hang, big) = (origin.url("/hang"), origin.url("/bytes/2000000"))
            let hanging = (0..<8).map { _ in Task { await fetcher.failure(hang) } }
            try await origin.until { $0.requests == 8 }
            let whole = Task { try await fetcher.fetch(big) }
            for task in hanging { task.cancel() }
            let response = try await whole.value
            #expect(response.body.count == 2_000_000)
            for task in hanging { #expect(await task.value == .cancelled) }
            try await origin.until { $0.aborted == 8 }
        }
    }

    @Test("500 fetches cancelled at different moments each end once and leave no socket open")
    func storm() async throws {
        try await withOrigin(configure: { $0.connectionsPerHost = 0 }) { origin, fetcher in
            // The task's number decides when it is cancelled: never, at once, or after some progress.
            let outcomes = await withTaskGroup(of: Outcome.self) { group in
                var outcomes: [Outcome] = []
                for index in 0..<500 {
                    if index >= 64, let outcome = await group.next() { outcomes.append(outcome) }
                    let size = 20_000 + index * 97
                    let url = origin.url(index.isMultiple(of: 2) ? "/bytes/\(size)" : "/chunked/\(size)")
                    group.addTask { await Self.run(fetcher, url: url, size: size, moment: index % 4) }
                }
                for await outcome in group { outcomes.append(outcome) }
                return outcomes
            }
            #expect(outcomes.count == 500)
            #expect(!outcomes.contains(.wrong))
            #expect(outcomes.count { $0 == .whole } >= 125)
            let counts = fetcher.counts
            #expect(counts.started == 500 && counts.inFlight == 0 && counts.failed == 0)
            #expect(counts.succeeded == outcomes.count { $0 == .whole })
            #expect(counts.cancelled == outcomes.count { $0 == .cancelled })
            // The remaining sockets are idle connections of this fetcher, and the origin has no others open.
            let open = counts.openSockets
            try await origin.until { $0.open <= open }
            #expect(Sockets.open(to: origin.port) == open)
            await fetcher.shutdown()
            #expect(Sockets.open(to: origin.port) == 0)
        }
    }

    @Test("500 cancellations that race with the end of a small body each end once")
    func race() async throws {
        try await withOrigin { origin, fetcher in
            let url = origin.url("/bytes/100")
            var outcomes: [Outcome] = []
            for index in 0..<500 {
                let gate = AsyncStream<Void>.makeStream()
                let task = Task {
                    let result = await Self.outcome(size: 100) { () throws(FetchError) in
                        try await fetcher.fetch(FetchRequest(url: url)) { _, _ in gate.continuation.finish() }
                    }
                    gate.continuation.finish()
                    return result
                }
                // The last byte has arrived, so the end of the fetch and the cancellation race.
                if index.isMultiple(of: 2) { for await _ in gate.stream {} }
                task.cancel()
                outcomes.append(await task.value)
            }
            #expect(!outcomes.contains(.wrong))
            #expect(fetcher.counts.succeeded + fetcher.counts.cancelled == 500)
        }
    }

    @Test("shutting down a fetcher ends fetches that are in flight, queued or cancelled")
    func shutdownInStorm() async throws {
        let origin = try TestOrigin()
        var configuration = FetchConfiguration()
        configuration.policy.origins = [origin.origin]
        let fetcher = try CurlFetcher(configuration)
        let url = origin.url("/hang")
        let tasks = (0..<100).map { _ in Task { await fetcher.failure(url) } }
        try await origin.until { $0.requests >= 20 }
        for task in tasks.prefix(50) { task.cancel() }
        await fetcher.shutdown()
        for task in tasks {
            let error = await task.value
            #expect(error == .cancelled || error == .shutDown)
        }
        #expect(Sockets.open(to: origin.port) == 0)
        await origin.stop()
    }

    @Test("a fetcher without references closes its connections")
    func abandoned() async throws {
        let origin = try TestOrigin()
        var configuration = FetchConfiguration()
        configuration.policy.origins = [origin.origin]
        do {
            let fetcher = try CurlFetcher(configuration)
            _ = try await fetcher.fetch(origin.url("/bytes/1"))
        }
        try await origin.until { $0.accepts == 1 && $0.open == 0 }
        await origin.stop()
    }

    // MARK: One fetch of a storm

    enum Outcome: Equatable, Sendable { case whole, cancelled, wrong }

    private static func run(_ fetcher: CurlFetcher, url: String, size: Int, moment: Int) async -> Outcome {
        let gate = AsyncStream<Void>.makeStream()
        let task = Task {
            let outcome = await outcome(size: size) { () throws(FetchError) in
                try await fetcher.fetch(FetchRequest(url: url)) { soFar, _ in
                    if moment == 2 || soFar > 16_384 { gate.continuation.finish() }
                }
            }
            gate.continuation.finish()
            return outcome
        }
        switch moment {
        case 0: break
        case 1: task.cancel()
        default:
            for await _ in gate.stream {}
            task.cancel()
        }
        return await task.value
    }

    private static func outcome(
        size: Int, _ fetch: () async throws(FetchError) -> FetchResponse
    ) async -> Outcome {
        do throws(FetchError) {
            return try await fetch().body == OriginRoutes.pattern(size) ? .whole : .wrong
        } catch {
            return error == .cancelled ? .cancelled : .wrong
        }
    }
}
