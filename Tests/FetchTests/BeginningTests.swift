import Fetch
import Media
import Synchronization
import Testing

/// Downloads of a body's beginning, resumed later.
@Suite(.timeLimit(.minutes(1))) struct BeginningTests {
    private static let size = 1_000_000
    private static let length = 69_632

    private func request(_ url: String, requestsRange: Bool) -> FetchRequest {
        var request = FetchRequest(url: url)
        request.beginning = FetchRequest.Beginning(
            length: Self.length, minimumBody: 500_000, requestsRange: requestsRange)
        return request
    }

    @Test("a Range request gets the beginning, and the next request resumes after it without repeating a byte")
    func range() async throws {
        try await withOrigin(OriginRoutes.parts(size: Self.size)) { origin, fetcher in
            let beginning = try await fetcher.fetch(request(origin.url("/"), requestsRange: true))
            #expect(beginning.isBeginning && !beginning.stoppedEarly)
            #expect(beginning.body == OriginRoutes.pattern(Self.length))
            #expect(beginning.announced == Self.size)
            let whole = try await fetcher.fetch(origin.url("/"))
            #expect(whole.body == OriginRoutes.pattern(Self.size))
            #expect(whole.resumedAt == Self.length && !whole.isBeginning)
            #expect(beginning.wireBytes + whole.wireBytes < Self.size + 1_000)
            #expect(origin.log.map { $0.headers["range"] } == ["bytes=0-69631", "bytes=69632-"])
            #expect(origin.log.map { $0.headers["if-range"] } == [nil, OriginRoutes.etag])
            #expect(origin.counts.accepts == 1)
        }
    }

    @Test("a plain request for a long body stops after the beginning, and the next request resumes from there")
    func plain() async throws {
        try await withOrigin(OriginRoutes.parts(size: Self.size, stallAt: 200_000)) { origin, fetcher in
            let beginning = try await fetcher.fetch(request(origin.url("/"), requestsRange: false))
            #expect(beginning.isBeginning && beginning.body.count >= Self.length)
            #expect(beginning.body == OriginRoutes.pattern(beginning.body.count))
            let whole = try await fetcher.fetch(origin.url("/"))
            #expect(whole.body == OriginRoutes.pattern(Self.size) && whole.resumedAt == beginning.body.count)
            #expect(origin.log.map { $0.headers["range"] } == [nil, "bytes=\(beginning.body.count)-"])
        }
    }

    @Test("a short body arrives whole with one request", arguments: [true, false], [1, 3_000, 69_632])
    func short(requestsRange: Bool, size: Int) async throws {
        try await withOrigin(OriginRoutes.parts(size: size)) { origin, fetcher in
            let response = try await fetcher.fetch(request(origin.url("/"), requestsRange: requestsRange))
            #expect(!response.isBeginning && response.body == OriginRoutes.pattern(size))
            #expect(response.status == (requestsRange ? 206 : 200))
            #expect(origin.counts.requests == 1)
        }
    }

    @Test("a plain request for a middle-sized body downloads it whole")
    func middling() async throws {
        try await withOrigin(OriginRoutes.parts(size: 400_000)) { origin, fetcher in
            let response = try await fetcher.fetch(request(origin.url("/"), requestsRange: false))
            #expect(!response.isBeginning && response.body.count == 400_000)
            #expect(origin.log.map { $0.headers["range"] } == [nil])
        }
    }

    @Test("a 200 response to a range request is downloaded whole", arguments: ["bytes", "none"])
    func wholeInstead(accepts: String) async throws {
        try await withOrigin({ _, connection in
            connection.reply(
                "200 OK", ["ETag: \"x\"", "Accept-Ranges: \(accepts)"], body: OriginRoutes.pattern(Self.size))
        }) { origin, fetcher in
            let response = try await fetcher.fetch(request(origin.url("/"), requestsRange: true))
            #expect(response.status == 200 && !response.isBeginning)
            #expect(response.body == OriginRoutes.pattern(Self.size))
            #expect(origin.counts.requests == 1)
        }
    }

    @Test(
        "a body that cannot be resumed is downloaded whole",
        arguments: ["ETag: W/\"weak\"\r\nAccept-Ranges: bytes", "ETag: \"strong\"", "Accept-Ranges: bytes"])
    func noWayBack(headers: String) async throws {
        try await withOrigin({ _, connection in
            connection.reply(
                "200 OK", headers.split(separator: "\r\n").map(String.init), body: OriginRoutes.pattern(Self.size))
        }) { origin, fetcher in
            let response = try await fetcher.fetch(request(origin.url("/"), requestsRange: false))
            #expect(!response.isBeginning && response.body.count == Self.size)
        }
    }

    @Test(
        "an invalid response to a range request is followed by one request for the whole body",
        arguments: [
            "206 Partial Content\r\nContent-Range: bytes 5-69636/1000000", "206 Partial Content",
            "206 Partial Content\r\nContent-Range: bytes 0-69631/*",
            "206 Partial Content\r\nContent-Range: bytes 0-69631/100",
            "206 Partial Content\r\nContent-Range: bytes 0-/1000000", "416 Range Not Satisfiable",
        ])
    func nonsense(answer: String) async throws {
        try await withOrigin({ request, connection in
            if request.headers["range"] != nil {
                return connection.send("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n")
            }
            return connection.reply(body: [1, 2, 3])
        }) { origin, fetcher in
            let response = try await fetcher.fetch(request(origin.url("/"), requestsRange: true))
            #expect(response.body == [1, 2, 3] && !response.isBeginning)
            #expect(origin.counts.requests == 2)
        }
    }

    @Test("a part longer than its Content-Range fails as truncated, and none of its bytes are reused")
    func lyingRange() async throws {
        try await withOrigin({ request, connection in
            if request.headers["range"] != nil {
                return connection.reply(
                    "206 Partial Content",
                    ["Content-Range: bytes 0-69631/1000000", "ETag: \(OriginRoutes.etag)", "Accept-Ranges: bytes"],
                    body: OriginRoutes.pattern(900_000))
            }
            return connection.reply(body: [1, 2, 3])
        }) { origin, fetcher in
            let failure = await fetcher.failure(request(origin.url("/"), requestsRange: true))
            #expect(failure == .truncated(received: 900_000, expected: Self.length))
            let whole = try await fetcher.fetch(origin.url("/"))
            #expect(whole.body == [1, 2, 3] && origin.log.last?.headers["range"] == nil)
        }
    }

    @Test("a picture that changed after its beginning arrived is fetched again from the start")
    func changed() async throws {
        let version = Mutex(0)
        let answer = OriginRoutes.parts(size: Self.size) {
            version.withLock { version in
                version += 1
                return "\"v\(version)\""
            }
        }
        try await withOrigin(answer) { origin, fetcher in
            let beginning = try await fetcher.fetch(request(origin.url("/"), requestsRange: true))
            #expect(beginning.isBeginning)
            let whole = try await fetcher.fetch(origin.url("/"))
            #expect(whole.status == 200 && whole.resumedAt == 0)
            #expect(whole.body == OriginRoutes.pattern(Self.size))
        }
    }

    @Test("a range of another version, sent despite If-Range, is not joined to the beginning of the first")
    func mixed() async throws {
        try await withOrigin({ request, connection in
            switch request.headers["range"] {
            case "bytes=0-69631":
                connection.reply(
                    "206 Partial Content", ["Content-Range: bytes 0-69631/1000000", "ETag: \"old\""],
                    body: OriginRoutes.pattern(Self.length))
            case nil: connection.reply("200 OK", ["ETag: \"new\""], body: [1, 2, 3])
            default:
                connection.reply(
                    "206 Partial Content", ["Content-Range: bytes 69632-69634/69635", "ETag: \"new\""],
                    body: [7, 8, 9])
            }
        }) { origin, fetcher in
            let beginning = try await fetcher.fetch(request(origin.url("/"), requestsRange: true))
            #expect(beginning.isBeginning)
            let whole = try await fetcher.fetch(origin.url("/"))
            #expect(whole.body == [1, 2, 3])
            #expect(origin.counts.requests == 3)
        }
    }

    @Test("a redirected beginning is resumed at the redirect's target")
    func redirected() async throws {
        let parts = OriginRoutes.parts(size: Self.size)
        try await withOrigin({ request, connection in
            if request.path == "/old" { return connection.reply("302 Found", ["Location: /new"]) }
            return parts(request, connection)
        }) { origin, fetcher in
            let beginning = try await fetcher.fetch(request(origin.url("/old"), requestsRange: true))
            #expect(beginning.isBeginning && beginning.body.count == Self.length)
            let whole = try await fetcher.fetch(origin.url("/old"))
            #expect(whole.resumedAt == Self.length && whole.body == OriginRoutes.pattern(Self.size))
        }
    }

    @Test("a longer partial body survives a later request for a beginning")
    func longer() async throws {
        try await withOrigin(OriginRoutes.parts(size: Self.size, stallAt: 600_000)) { origin, fetcher in
            let gate = AsyncStream<Void>.makeStream()
            let task = Task {
                _ = try? await fetcher.fetch(FetchRequest(url: origin.url("/"))) { soFar, _ in
                    if soFar >= 600_000 { gate.continuation.finish() }
                }
            }
            for await _ in gate.stream {}
            task.cancel()
            await task.value
            let beginning = try await fetcher.fetch(request(origin.url("/"), requestsRange: true))
            #expect(beginning.isBeginning)
            let whole = try await fetcher.fetch(origin.url("/"))
            #expect(whole.resumedAt == 600_000 && whole.body == OriginRoutes.pattern(Self.size))
        }
    }

    @Test("a cancelled beginning closes its connection")
    func cancelled() async throws {
        try await withOrigin({ request, connection in
            connection.waitForAbort()
            return false
        }) { origin, fetcher in
            let task = Task { await fetcher.failure(request(origin.url("/"), requestsRange: true)) }
            try await origin.until { $0.requests == 1 }
            task.cancel()
            #expect(await task.value == .cancelled)
            try await origin.until { $0.aborted == 1 }
        }
    }
}
