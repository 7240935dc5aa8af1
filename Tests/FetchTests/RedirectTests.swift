import Fetch
import Media
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedirectTests {
    @Test("redirects are followed up to their limit")
    func limit() async throws {
        try await withOrigin { origin, fetcher in
            let response = try await fetcher.fetch(origin.url("/hops/5"))
            #expect(response.redirects == 5 && response.url == origin.url("/hops/0"))
            #expect(response.body == Array("here".utf8))
            #expect(await fetcher.failure(origin.url("/hops/6")) == .tooManyRedirects(limit: 5))
            #expect(await fetcher.failure(origin.url("/loop")) == .tooManyRedirects(limit: 5))
            #expect(origin.counts.requests == 6 + 6 + 6)
        }
    }

    @Test("a redirect limit of 0 follows no redirect")
    func none() async throws {
        try await withOrigin(configure: { $0.redirectLimit = 0 }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/hops/1")) == .tooManyRedirects(limit: 0))
            #expect(origin.counts.requests == 1)
        }
    }

    @Test("the policy checks every hop of a redirect")
    func rule() async throws {
        try await withOrigin(configure: {
            $0.policy.refusal = { url, hop in url.absolute.hasSuffix("/hops/2") ? "no \(hop)" : nil }
        }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/hops/4")) == .refusedURL(.policy("no 2")))
            #expect(await fetcher.failure(origin.url("/hops/2")) == .refusedURL(.policy("no 0")))
            #expect(origin.counts.requests == 2)
        }
    }

    @Test("an endless body of a redirect does not delay the redirect")
    func body() async throws {
        try await withOrigin({ request, connection in
            guard request.path == "/" else { return connection.reply(body: [3]) }
            connection.send("HTTP/1.1 302 Found\r\nLocation: /there\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.chunk([UInt8](repeating: 1, count: 16_384)) {}
            return false
        }) { origin, fetcher in
            let response = try await fetcher.fetch(origin.url("/"))
            #expect(response.body == [3] && response.wireBytes < 200_000)
        }
    }

    @Test("a redirect without a Location is an error")
    func nowhere() async throws {
        try await withOrigin({ _, connection in connection.reply("302 Found") }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/")) == .status(302, retryAfter: nil))
        }
    }

    @Test("a redirect with two Locations is an error")
    func twoPlaces() async throws {
        try await withOrigin({ _, connection in
            connection.reply("302 Found", ["Location: http://127.0.0.1:1/", "Location: http://127.0.0.2:1/"])
        }) { origin, fetcher in
            #expect(await fetcher.failure(origin.url("/")) == .status(302, retryAfter: nil))
        }
    }

    @Test("credentials are not sent to a redirect's other origin")
    func secrets() async throws {
        let elsewhere = try TestOrigin()
        let target = elsewhere.url("/bytes/1")
        try await withOrigin(
            { request, connection in
                connection.reply("302 Found", ["Location: \(request.path == "/" ? "/on" : target)"])
            }, configure: { $0.policy.addresses.allowed = [CIDR("127.0.0.0/8")].compactMap(\.self) }
        ) { origin, fetcher in
            var request = FetchRequest(url: origin.url("/"))
            request.headers = [("Authorization", "Basic x"), ("cookie", "a=b"), ("X-Kept", "1")]
            _ = try await fetcher.fetch(request)
            #expect(origin.log.map { $0.headers["authorization"] } == ["Basic x", "Basic x"])
            let there = elsewhere.log.first?.headers
            #expect(there?["authorization"] == nil && there?["cookie"] == nil && there?["x-kept"] == "1")
        }
        await elsewhere.stop()
    }
}
