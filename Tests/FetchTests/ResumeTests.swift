import Fetch
import Media
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct ResumeTests {
    private static let size = 1_000_000
    private static let part = 600_000

    /// Fetches until `part` bytes have arrived, then cancels.
    private func interrupt(_ fetcher: CurlFetcher, _ url: String, after part: Int = Self.part) async {
        let gate = AsyncStream<Void>.makeStream()
        let task = Task {
            do throws(FetchError) {
                _ = try await fetcher.fetch(FetchRequest(url: url)) { soFar, _ in
                    if soFar >= part { gate.continuation.finish() }
                }
                return nil as FetchError?
            } catch {
                return error
            }
        }
        for await _ in gate.stream {}
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test("a large download cancelled late resumes after its last byte")
    func resumes() async throws {
        try await withOrigin(OriginRoutes.resumable(size: Self.size, stallAt: Self.part)) { origin, fetcher in
            await interrupt(fetcher, origin.url("/"))
            #expect(fetcher.counts.wastedBytes < 1_000)
            let response = try await fetcher.fetch(origin.url("/"))
            #expect(response.body == OriginRoutes.pattern(Self.size))
            #expect(response.status == 206 && response.resumedAt == Self.part)
            #expect(response.wireBytes < Self.size - Self.part + 1_000)
            #expect(origin.log.last?.headers["range"] == "bytes=\(Self.part)-")
            #expect(origin.log.last?.headers["if-range"] == OriginRoutes.etag)
            #expect(fetcher.counts.resumed == 1)
        }
    }

    @Test("a picture that changed after the cancellation is fetched again from the start")
    func changed() async throws {
        let version = Mutex(0)
        let answer = OriginRoutes.resumable(size: Self.size, stallAt: Self.part) {
            version.withLock { version in
                version += 1
                return "\"v\(version)\""
            }
        }
        try await withOrigin(answer) { origin, fetcher in
            await interrupt(fetcher, origin.url("/"))
            let response = try await fetcher.fetch(origin.url("/"))
            #expect(response.status == 200 && response.resumedAt == 0)
            #expect(response.body == OriginRoutes.pattern(Self.size))
        }
    }

    @Test(
        "a body is not resumed without a strong validator and Accept-Ranges",
        arguments: [
            "ETag: W/\"weak\"\r\nAccept-Ranges: bytes", "ETag: \"strong\"", "Accept-Ranges: bytes",
            "ETag: \"strong\"\r\nAccept-Ranges: none",
            "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\nDate: Sun, 06 Nov 1994 08:50:00 GMT\r\nAccept-Ranges: bytes",
        ])
    func unsafe(headers: String) async throws {
        try await withOrigin({ request, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\n\(headers)\r\n\r\n")
            connection.send(OriginRoutes.pattern(Self.part))
            connection.waitForAbort()
            return false
        }) { origin, fetcher in
            for _ in 0..<2 { await interrupt(fetcher, origin.url("/")) }
            #expect(origin.log.allSatisfy { $0.headers["range"] == nil })
            #expect(fetcher.counts.wastedBytes >= 2 * Self.part)
        }
    }

    @Test("a Last-Modified at least a minute older than Date is a strong validator")
    func date() async throws {
        try await withOrigin({ request, connection in
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: \(Self.size)\r\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n"
                    + "Date: Sun, 06 Nov 1994 08:50:37 GMT\r\nAccept-Ranges: bytes\r\n\r\n")
            connection.send(OriginRoutes.pattern(Self.part))
            connection.waitForAbort()
            return false
        }) { origin, fetcher in
            for _ in 0..<2 { await interrupt(fetcher, origin.url("/")) }
            #expect(origin.log.last?.headers["if-range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
        }
    }

    @Test("a short partial body is discarded")
    func short() async throws {
        try await withOrigin(OriginRoutes.resumable(size: Self.size, stallAt: 100_000)) { origin, fetcher in
            await interrupt(fetcher, origin.url("/"), after: 100_000)
            await interrupt(fetcher, origin.url("/"), after: 100_000)
            #expect(origin.log.last?.headers["range"] == nil)
        }
    }

    @Test("partial bodies stay within their limit, and the oldest are evicted")
    func bound() async throws {
        try await withOrigin(
            OriginRoutes.resumable(size: Self.size, stallAt: Self.part), configure: { $0.partialBytes = 1_300_000 }
        ) { origin, fetcher in
            for path in ["/a", "/b", "/c"] { await interrupt(fetcher, origin.url(path)) }
            for (path, resumedAt) in [("/c", Self.part), ("/b", Self.part)] {
                let response = try await fetcher.fetch(origin.url(path))
                #expect(response.resumedAt == resumedAt)
            }
            await interrupt(fetcher, origin.url("/a"))
            #expect(origin.log.last?.headers["range"] == nil)
        }
    }

    @Test(
        "an invalid response to a resumption is followed by one request for the whole body",
        arguments: [
            "206 Partial Content\r\nContent-Range: bytes 0-9/1000", "206 Partial Content",
            "206 Partial Content\r\nContent-Range: bytes 600000-", "416 Range Not Satisfiable",
            "206 Partial Content\r\nContent-Range: bytes 600000-999999/-9223372036854775808",
            "206 Partial Content\r\nContent-Range: bytes 600000-999999/999999",
            "206 Partial Content\r\nContent-Range: bytes 600000-9223372036854775807/9223372036854775807",
            "206 Partial Content\r\nContent-Range: bytes 600000--1/1000000",
            "206 Partial Content\r\nContent-Range: bytes 600000-599999/1000000",
            "206 Partial Content\r\nContent-Range: bytes 600000-999999/99999999999999999999",
        ])
    func nonsense(answer: String) async throws {
        try await withOrigin({ request, connection in
            if request.headers["range"] != nil {
                return connection.send("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\n\r\n")
            }
            return connection.reply(body: [1, 2, 3])
        }) { origin, fetcher in
            var request = FetchRequest(url: origin.url("/"))
            request.resume = PartialBody(bytes: OriginRoutes.pattern(Self.part), validator: "\"x\"")
            let response = try await fetcher.fetch(request)
            #expect(response.body == [1, 2, 3] && response.resumedAt == 0)
            #expect(origin.counts.requests == 2)
        }
    }

    @Test("the body limit includes the resumed bytes")
    func cap() async throws {
        try await withOrigin(OriginRoutes.resumable(size: Self.size, stallAt: Self.part)) { origin, fetcher in
            var request = FetchRequest(url: origin.url("/"))
            request.resume = PartialBody(bytes: OriginRoutes.pattern(Self.part), validator: OriginRoutes.etag)
            request.bodyLimit = Self.size - 1
            #expect(await fetcher.failure(request) == .tooLarge(limit: Self.size - 1))
            request.bodyLimit = Self.size
            let response = try await fetcher.fetch(request)
            #expect(response.body == OriginRoutes.pattern(Self.size))
        }
    }

    @Test("a 206 response to a request without Range is an error")
    func unasked() async throws {
        try await withOrigin({ _, connection in
            connection.reply("206 Partial Content", ["Content-Range: bytes 5-7/9"], body: [1, 2, 3])
        }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/")) == .status(206, retryAfter: nil))
        }
    }
}
