import Synchronization
import TestSupport
import Testing
import Threads

@Suite(.timeLimit(.minutes(1))) struct PromiseTests {
    @Test("the first value counts, whether it arrives before or after the task waits", arguments: [true, false])
    func first(isEarly: Bool) async {
        let promise = Promise<Int>()
        if isEarly { promise.resolve(1) }
        async let value = promise.value {}
        promise.resolve(isEarly ? 2 : 1)
        promise.resolve(3)
        #expect(await value == 1)
    }

    @Test("a cancelled task gets the value that the cancellation resolves")
    func cancelled() async {
        let promise = Promise<Int>()
        let task = Task { await promise.value { promise.resolve(7) } }
        task.cancel()
        #expect(await task.value == 7)
        promise.resolve(8)
    }

    @Test("a promise does not keep the value that its task received")
    func released() async {
        final class Token: Sendable {}
        let promise = Promise<Token>()
        weak var token: Token?
        do {
            let made = Token()
            token = made
            promise.resolve(made)
            _ = await promise.value {}
        }
        #expect(token == nil)
    }
}

@Suite(.timeLimit(.minutes(1))) final class SingleFlightTests: Sendable {
    private let flights = SingleFlight<String, Int>()
    private let gate = Promise<Void>()
    private let made = Mutex<[String]>([])

    /// Requests a value, which is 10 after the gate opens. Returns `nil` if the request is cancelled.
    private func request(_ name: String) -> Task<Int?, Never> {
        Task { [self] in
            try? await flights.value(for: "key") { [self] in
                made.withLock { $0.append(name) }
                await gate.value { gate.resolve(()) }
                return Task.isCancelled ? nil : 10
            }
        }
    }

    @Test("equal requests share one value, and a later request makes a new value")
    func shared() async throws {
        let requests = ["a", "b", "c"].map { request($0) }
        try await eventually("three waiters") { flights.waiterCount == 3 }
        gate.resolve(())
        for request in requests { #expect(await request.value == 10) }
        #expect(made.withLock { $0.count } == 1)
        #expect(try await flights.value(for: "key") { 11 } == 11)
    }

    @Test("a cancelled request ends immediately, and the others receive the value")
    func cancelled() async throws {
        let (first, second) = (request("a"), request("b"))
        try await eventually("two waiters") { flights.waiterCount == 2 }
        first.cancel()
        #expect(await first.value == nil)
        gate.resolve(())
        #expect(await second.value == 10)
    }

    @Test("if all requests are cancelled, their task is cancelled, and a later request makes a value")
    func abandoned() async throws {
        let first = request("a")
        try await eventually("a waiter") { made.withLock { $0 } == ["a"] }
        first.cancel()
        #expect(await first.value == nil)
        #expect(try await flights.value(for: "key") { 12 } == 12)
    }
}
