import Fetch
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct FetchLimitTests {
    @Test(
        "a body of unknown length is stopped as it exceeds its limit",
        arguments: ["/chunked/1000001", "/endless", "/endless-close"])
    func caps(path: String) async throws {
        try await withOrigin(configure: { $0.bodyLimit = 1_000_000 }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url(path)) == .tooLarge(limit: 1_000_000))
            try await origin.until { $0.open == 0 }
            // Includes bytes in the sockets' buffers.
            #expect(origin.counts.bytes < 16_000_000)
            #expect(fetcher.counts.wireBytes < 1_200_000)
        }
    }

    @Test("a body whose Content-Length exceeds the limit is refused before it is downloaded")
    func announced() async throws {
        try await withOrigin(configure: { $0.bodyLimit = 1_000_000 }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/bytes/1000001")) == .tooLarge(limit: 1_000_000))
            #expect(fetcher.counts.wireBytes < 100_000)
            #expect(await fetcher.failure(origin.url("/bytes/1000000")) == nil)
            var request = FetchRequest(url: origin.url("/chunked/11"))
            request.bodyLimit = 10
            #expect(await fetcher.failure(request) == .tooLarge(limit: 10))
        }
    }

    @Test("the limit counts the decompressed bytes of a body")
    func bomb() async throws {
        let gzip = OriginRoutes.gzipOfZeros
        try await withOrigin(
            { _, connection in connection.reply("200 OK", ["Content-Encoding: gzip"], body: gzip) },
            configure: { $0.bodyLimit = 10_000 }
        ) { origin, fetcher in
            #expect(gzip.count < 1_000)
            #expect(await fetcher.failure(origin.url("/")) == .tooLarge(limit: 10_000))
        }
    }

    @Test("endless headers fail as too large")
    func headers() async throws {
        try await withOrigin(configure: { $0.headerLimit = 20_000 }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/headers")) == .headersTooLarge(limit: 20_000))
            try await origin.until { $0.open == 0 }
        }
    }

    @Test("an endless header line fails as too large", arguments: ["X-More: ", ""])
    func endlessLine(begin: String) async throws {
        try await withOrigin(
            { _, connection in
                connection.send("HTTP/1.1 200 OK\r\n\(begin)")
                let more = String(repeating: "x", count: 10_000)
                while connection.send(more) {}
                return false
            }, configure: { $0.headerLimit = 20_000 }
        ) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/")) == .headersTooLarge(limit: 20_000))
            try await origin.until { $0.open == 0 }
        }
    }

    @Test("endless interim responses fail as too large")
    func interim() async throws {
        try await withOrigin({ _, connection in
            while connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n") {}
            return false
        }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/")) == .headersTooLarge(limit: 65_536))
            try await origin.until { $0.open == 0 }
        }
    }

    @Test(
        "an origin that never responds, or stops in the middle, runs into the idle timeout",
        arguments: ["/hang", "/stall/5000"])
    func idle(path: String) async throws {
        try await withOrigin(configure: { $0.idleTimeout = 400 }) { origin, fetcher in
            let clock = ContinuousClock()
            let start = clock.now
            #expect(await fetcher.failure(origin.url(path)) == .timeout(.idle))
            #expect(clock.now - start >= .milliseconds(400))
            try await origin.until { $0.aborted == 1 }
        }
    }

    @Test("an origin that sends single bytes runs into the total timeout")
    func total() async throws {
        try await withOrigin(configure: { $0.totalTimeout = 500 }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/drip")) == .timeout(.total))
            try await origin.until { $0.aborted == 1 }
        }
    }

    @Test("the total timeout spans all hops of a redirect")
    func totalOverHops() async throws {
        try await withOrigin(
            { request, connection in
                if connection.hasGone(within: 300) { return false }
                return connection.reply("302 Found", ["Location: /\(request.parts.count)"])
            }, configure: { $0.totalTimeout = 700 }
        ) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/")) == .timeout(.total))
            #expect(origin.counts.requests <= 3)
        }
    }

    @Test("a connection that is never accepted times out")
    func connect() async throws {
        // A full backlog: the kernel drops the next SYN.
        let wall = try SilentListener()
        var configuration = FetchConfiguration()
        configuration.policy.origins = [WebOrigin(host: "127.0.0.1", port: wall.port)]
        (configuration.connectTimeout, configuration.idleTimeout) = (120, 50)
        let fetcher = try CurlFetcher(configuration)
        #expect(await fetcher.failure("http://127.0.0.1:\(wall.port)/") == .timeout(.connect))
        await fetcher.shutdown()
        wall.close()
    }

    @Test("a closed port fails as refused and can be retried")
    func refused() async throws {
        let closed = try ClosedPort()
        var configuration = FetchConfiguration()
        configuration.policy.origins = [WebOrigin(host: "127.0.0.1", port: closed.port)]
        let fetcher = try CurlFetcher(configuration)
        let error = await fetcher.failure("http://127.0.0.1:\(closed.port)/")
        #expect(error == .connectionRefused && error?.isRetryable == true)
        closed.close()
        await fetcher.shutdown()
    }

    @Test(
        "a truncated body is an error that can be retried",
        arguments: ["/truncated/9000", "/truncated-chunks/9000"])
    func truncated(path: String) async throws {
        try await withOrigin { origin, fetcher in
            let expected: FetchError =
                path.hasPrefix("/truncated/")
                ? .truncated(received: 4_500, expected: 9_000) : .truncated(received: 9_000, expected: nil)
            let error = await fetcher.failure(origin.url(path))
            #expect(error == expected && error?.isRetryable == true)
        }
    }

    @Test("a body without a length is whole when its connection closes")
    func untilClose() async throws {
        try await withOrigin { origin, fetcher in
            let response = try await fetcher.fetch(FetchRequest(url: origin.url("/until-close/9000")))
            #expect(response.body == OriginRoutes.pattern(9_000) && !response.stoppedEarly)
        }
    }

    @Test("a reset connection, a closed one and another protocol are errors")
    func broken() async throws {
        try await withOrigin { origin, fetcher in
            switch await fetcher.failure(origin.url("/reset/900000")) {
            case .truncated(_, expected: 900_000), .transport: break
            case let error: Issue.record("\(String(describing: error))")
            }
            for path in ["/slam", "/garbage"] {
                switch await fetcher.failure(origin.url(path)) {
                case .transport: break
                case let error: Issue.record("\(path): \(String(describing: error))")
                }
            }
        }
    }

    @Test("the body of an error response is cut off if it is long")
    func errorBody() async throws {
        try await withOrigin({ _, connection in
            connection.send("HTTP/1.1 500 Oh\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.chunk([UInt8](repeating: 1, count: 16_384)) {}
            return false
        }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/")) == .status(500, retryAfter: nil))
            #expect(fetcher.counts.wireBytes < 200_000)
            try await origin.until { $0.open == 0 }
        }
    }
}
