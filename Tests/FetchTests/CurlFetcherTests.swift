import Fetch
import Media
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct CurlFetcherTests {
    @Test("a body arrives whole with a Content-Length and in chunks", arguments: [0, 1, 50_000, 3_000_000])
    func bodies(size: Int) async throws {
        try await withOrigin { origin, fetcher in
            for path in ["/bytes/\(size)", "/chunked/\(size)"] {
                let response = try await fetcher.fetch(origin.url(path))
                #expect(response.status == 200)
                #expect(response.body == OriginRoutes.pattern(size))
                #expect(response.url == origin.url(path))
                #expect(response.remote == IPAddress("127.0.0.1"))
                #expect(response.wireBytes > size)
            }
        }
    }

    @Test("progress counts up to the whole body")
    func progress() async throws {
        try await withOrigin { origin, fetcher in
            let seen = Mutex<[Int]>([])
            _ = try await fetcher.fetch(FetchRequest(url: origin.url("/bytes/200000"))) { soFar, expected in
                seen.withLock { $0.append(expected == 200_000 ? soFar : -1) }
            }
            let counts = seen.withLock { $0 }
            #expect(counts == counts.sorted() && counts.last == 200_000 && counts.count > 1)
        }
    }

    @Test("consecutive requests share one connection, even after errors and redirects")
    func reuse() async throws {
        try await withOrigin { origin, fetcher in
            for index in 0..<50 {
                let response = try await fetcher.fetch(origin.url("/bytes/\(index)"))
                #expect(response.reusedConnection == (index > 0))
            }
            #expect(await fetcher.failure(origin.url("/status/404")) == .status(404, retryAfter: nil))
            let answer = try await fetcher.fetch(origin.url("/hops/3"))
            #expect(answer.reusedConnection)
            #expect(origin.counts.accepts == 1)
            #expect(fetcher.counts.connections == 1)
            #expect(fetcher.counts.openSockets == 1)
        }
    }

    @Test("500 requests, 32 at once, use at most 32 connections and each get their own body")
    func parallel() async throws {
        try await withOrigin { origin, fetcher in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<500 {
                    if index >= 32 { try await group.next() }
                    group.addTask {
                        let response = try await fetcher.fetch(origin.url("/bytes/\(index)"))
                        #expect(response.body == OriginRoutes.pattern(index))
                    }
                }
                try await group.waitForAll()
            }
            #expect(origin.counts.accepts <= 32)
            #expect(fetcher.counts.succeeded == 500)
            #expect(fetcher.counts.inFlight == 0)
        }
    }

    @Test("a request succeeds after the origin closed the idle connection")
    func staleConnection() async throws {
        try await withOrigin({ _, connection in
            connection.reply(body: [1])
            return false
        }) { origin, fetcher in
            for _ in 0..<20 {
                let answer = try await fetcher.fetch(origin.url("/"))
                #expect(answer.body == [1])
                try await origin.until { $0.open == 0 }
            }
            #expect(origin.counts.accepts == 20)
        }
    }

    @Test("an unchanged body is not sent again")
    func revalidation() async throws {
        try await withOrigin { origin, fetcher in
            var request = FetchRequest(url: origin.url("/etag/5000"))
            let first = try await fetcher.fetch(request)
            #expect(first.validators == Validators(etag: OriginRoutes.etag))
            request.revalidate = first.validators
            let second = try await fetcher.fetch(request)
            #expect(second.isNotModified && second.body.isEmpty)
            request.revalidate = Validators(etag: "\"other\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
            let answer = try await fetcher.fetch(request)
            #expect(answer.body.count == 5_000)
            #expect(origin.log.last?.headers["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        }
    }

    @Test("a 304 response to an unconditional request is an error")
    func unasked() async throws {
        try await withOrigin({ _, connection in connection.send("HTTP/1.1 304 Not Modified\r\n\r\n") }) {
            origin, fetcher in
            #expect(await fetcher.failure(origin.url("/")) == .status(304, retryAfter: nil))
        }
    }

    @Test("requests ask for no compression, but a gzip body is decoded")
    func encodings() async throws {
        // printf 'hello, hello, hello, hello' | gzip -n
        let gzip: [UInt8] = [
            0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51, 0xc8,
            0xc0, 0xa4, 0x00, 0x55, 0xa3, 0x82, 0x77, 0x1a, 0x00, 0x00, 0x00,
        ]
        try await withOrigin({ request, connection in
            connection.reply("200 OK", ["Content-Encoding: \(request.parts[0])"], body: gzip)
        }) { origin, fetcher in
            let response = try await fetcher.fetch(origin.url("/gzip"))
            #expect(String(decoding: response.body, as: UTF8.self) == "hello, hello, hello, hello")
            #expect(origin.log.first?.headers["accept-encoding"] == "identity")
            #expect(await fetcher.failure(origin.url("/rot13")) == .badEncoding)
        }
    }

    @Test(
        "an error status reports whether and when to retry",
        arguments: [
            (404, "", FetchError.status(404, retryAfter: nil), false),
            (410, "", .status(410, retryAfter: nil), false),
            (500, "", .status(500, retryAfter: nil), true),
            (429, "120", .status(429, retryAfter: 120), true),
            (503, "Sun, 06 Nov 1994 08:49:37 GMT", .status(503, retryAfter: 0), true),
            (503, "Fri, 31 Dec 9999 23:59:59 GMT", .status(503, retryAfter: 86_400), true),
            (503, "99999999999999999999999", .status(503, retryAfter: 86_400), true),
            (503, "soon", .status(503, retryAfter: nil), true),
            (503, "-5", .status(503, retryAfter: nil), true),
        ])
    func statuses(code: Int, retryAfter: String, expected: FetchError, isRetryable: Bool) async throws {
        try await withOrigin({ _, connection in
            connection.reply("\(code) Because", retryAfter.isEmpty ? [] : ["Retry-After: \(retryAfter)"])
        }) { origin, fetcher in
            let error = await fetcher.failure(origin.url("/"))
            #expect(error == expected)
            #expect(error?.isRetryable == isRetryable)
        }
    }

    @Test("a header that would split the request is refused")
    func headerInjection() async throws {
        try await withOrigin { origin, fetcher in
            let headers = [
                ("X-A", "a\r\nX-B: b"), ("X-A\r\nX-B", "b"), ("X-A", "a\nb"), ("X-A", "a\u{0}"), ("", "a"),
                ("X A", "a"),
            ]
            for header in headers {
                var request = FetchRequest(url: origin.url("/bytes/1"))
                request.headers = [header]
                #expect(await fetcher.failure(request) == .invalidHeader(name: header.0))
            }
            #expect(origin.counts.accepts == 0)
            var request = FetchRequest(url: origin.url("/bytes/1"))
            request.headers = [("X-Empty", ""), ("X-Full", "a\tb")]
            _ = try await fetcher.fetch(request)
            #expect(origin.log.last?.headers["x-empty"] == "")
            #expect(origin.log.last?.headers["x-full"] == "a\tb")
        }
    }

    @Test("shutting down a fetcher fails requests in flight and later ones")
    func shutdown() async throws {
        let origin = try TestOrigin()
        var configuration = FetchConfiguration()
        configuration.policy.origins = [origin.origin]
        let fetcher = try CurlFetcher(configuration)
        async let hanging = fetcher.failure(origin.url("/hang"))
        try await origin.until { $0.requests == 1 }
        await fetcher.shutdown()
        #expect(await hanging == .shutDown)
        try await origin.until { $0.aborted == 1 && $0.open == 0 }
        #expect(await fetcher.failure(origin.url("/bytes/1")) == .shutDown)
        await fetcher.shutdown()
        await origin.stop()
    }

    @Test("an origin can be allowed while the fetcher runs")
    func allowLater() async throws {
        try await withOrigin(configure: { $0.policy.origins = [] }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/bytes/1")) == .refusedAddress(.v4(0x7f00_0001), .loopback))
            fetcher.allow(origin.origin)
            let answer = try await fetcher.fetch(origin.url("/bytes/1"))
            #expect(answer.status == 200)
        }
    }
}
