import Fetch
import Media
import Synchronization
import Testing

/// Names whose address changes between two lookups. `FetchConfiguration.resolve` stands in for a hostile DNS server.
/// The rest is real: the checked address is the one passed to `connect()`.
///
/// 127.0.0.2 plays the public address (allowed by block), 127.0.0.1 the internal one.
@Suite(.timeLimit(.minutes(1))) struct RebindingTests {
    private static let outside = IPAddress.v4(0x7f00_0002)
    private static let inside = IPAddress.v4(0x7f00_0001)

    /// A name server that gives each of `answers` once, and then repeats the last.
    private final class NameServer: Sendable {
        private let answers: Mutex<[[IPAddress]]>
        let asked = Mutex(0)

        init(_ answers: [[IPAddress]]) {
            self.answers = Mutex(answers)
        }

        func answer() -> [IPAddress]? {
            asked.withLock { $0 += 1 }
            return answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
        }
    }

    /// Two origins on one port. The outer one responds and closes; the inner one must not be reached.
    private func withBothSides(
        answering answers: [[IPAddress]], outside answer: @escaping TestOrigin.Answer,
        _ body: (_ url: String, _ fetcher: CurlFetcher, _ outside: TestOrigin) async throws -> Void
    ) async throws {
        let (outside, inside) = try await ClosedPort.pair {
            try TestOrigin(address: "127.0.0.2", answer)
        } port: {
            $0.port
        }
        let names = NameServer(answers)
        var configuration = FetchConfiguration()
        configuration.policy.addresses.allowed = [try #require(CIDR("127.0.0.2/32"))]
        configuration.resolve = { host, _ in host == "rebind.example" ? names.answer() : nil }
        let fetcher = try CurlFetcher(configuration)
        try await body("http://rebind.example:\(outside.port)/", fetcher, outside)
        #expect(inside.counts.accepts == 0)
        #expect(names.asked.withLock { $0 } >= answers.count)
        await fetcher.shutdown()
        await outside.stop()
        await inside.stop()
    }

    @Test("a name that resolves to an internal address at the second request is refused there")
    func betweenRequests() async throws {
        try await withBothSides(answering: [[Self.outside], [Self.inside]]) { _, connection in
            connection.reply("200 OK", ["Connection: close"], body: [1])
            return false
        } _: { url, fetcher, _ in
            let first = try await fetcher.fetch(url)
            #expect(first.body == [1] && first.remote == Self.outside)
            #expect(await fetcher.failure(url) == .refusedAddress(Self.inside, .loopback))
        }
    }

    @Test("a name that resolves to an internal address at the second hop is refused there")
    func betweenHops() async throws {
        try await withBothSides(answering: [[Self.outside], [Self.inside]]) { _, connection in
            connection.reply("302 Found", ["Location: /again", "Connection: close"])
            return false
        } _: { url, fetcher, outside in
            #expect(await fetcher.failure(url) == .refusedAddress(Self.inside, .loopback))
            #expect(outside.counts.requests == 1)
        }
    }

    @Test("only the allowed one of a name's addresses is connected to, in either order")
    func mixedAnswers() async throws {
        try await withBothSides(answering: [[Self.inside, Self.outside], [Self.outside, Self.inside]]) {
            _, connection in
            connection.reply("200 OK", ["Connection: close"], body: [2])
            return false
        } _: { url, fetcher, _ in
            for _ in 0..<2 {
                let response = try await fetcher.fetch(url)
                #expect(response.body == [2] && response.remote == Self.outside)
            }
        }
    }

    @Test("a forbidden address is not tried if the allowed one refuses the connection")
    func fallback() async throws {
        let (outside, inside) = try await ClosedPort.pair {
            try ClosedPort(address: "127.0.0.2")
        } port: {
            $0.port
        }
        var configuration = FetchConfiguration()
        configuration.policy.addresses.allowed = [try #require(CIDR("127.0.0.2/32"))]
        configuration.resolve = { _, _ in [Self.outside, Self.inside] }
        let fetcher = try CurlFetcher(configuration)
        #expect(await fetcher.failure("http://rebind.example:\(outside.port)/") == .connectionRefused)
        #expect(inside.counts.accepts == 0)
        await fetcher.shutdown()
        outside.close()
        await inside.stop()
    }

    @Test("an allowed origin permits neither another port nor another name of the same host")
    func exactOrigin() async throws {
        let other = try TestOrigin()
        try await withOrigin { origin, fetcher in
            let refused = FetchError.refusedAddress(Self.inside, .loopback)
            #expect(await fetcher.failure(other.url("/bytes/1")) == refused)
            switch await fetcher.failure("http://localhost:\(origin.port)/bytes/1") {
            case .refusedAddress(_, .loopback): break
            case let error: Issue.record("\(String(describing: error))")
            }
            #expect(origin.counts.accepts == 0)
            #expect(await fetcher.failure(origin.url("/bytes/1")) == nil)
        }
        #expect(other.counts.accepts == 0)
        await other.stop()
    }

    @Test("a name without an address fails as an unknown host")
    func noAnswer() async throws {
        var configuration = FetchConfiguration()
        configuration.resolve = { _, _ in [] }
        let fetcher = try CurlFetcher(configuration)
        let error = await fetcher.failure("http://nowhere.example/")
        #expect(error == .unknownHost("nowhere.example") && error?.isRetryable == true)
        await fetcher.shutdown()
    }
}
