import Fetch
import Media
import Testing

@Suite("Headers for one host", .timeLimit(.minutes(1))) struct OriginHeaderTests {
    private static let secret = "Bearer s3cr3t:token"

    /// Fetches a path from an origin that redirects `/within` to itself and `/there` to `elsewhere`. Returns the
    /// header of each request, at the origin and at `elsewhere`.
    private func sent(
        _ header: (TestOrigin) -> String, fetching path: String, or elsewhere: TestOrigin
    ) async throws -> (origin: [String?], elsewhere: [String?]) {
        let there = elsewhere.url("/bytes/1")
        let origin = try TestOrigin { request, connection in
            switch request.path {
            case "/there": return connection.reply("302 Found", ["Location: \(there)"])
            case "/within": return connection.reply("302 Found", ["Location: /bytes/1"])
            default: return OriginRoutes.answer(request, connection)
            }
        }
        var configuration = FetchConfiguration()
        configuration.policy.origins = [origin.origin, elsewhere.origin]
        configuration.originHeaders = [try OriginHeader(header(origin))]
        let fetcher = try CurlFetcher(configuration)
        _ = try? await fetcher.fetch(origin.url(path))
        await fetcher.shutdown()
        let found = (origin.log.map { $0.headers["x-key"] }, elsewhere.log.map { $0.headers["x-key"] })
        await origin.stop()
        return found
    }

    @Test("a header is sent to its host, also after a redirect within the host", arguments: ["/bytes/1", "/within"])
    func host(path: String) async throws {
        let elsewhere = try TestOrigin()
        for header in ["127.0.0.1", "0x7f.1", "127.0.0.1:PORT"] {
            let (origin, _) = try await sent(
                { "\(header): X-Key: \(Self.secret)".replacing("PORT", with: "\($0.port)") }, fetching: path,
                or: elsewhere)
            #expect(origin == [String?](repeating: Self.secret, count: path == "/within" ? 2 : 1), "\(header)")
        }
        #expect(elsewhere.log.isEmpty)
        await elsewhere.stop()
    }

    @Test(
        "a header is sent to no other host and to no other port", arguments: ["127.0.0.2", "127.0.0.1:1", "localhost"])
    func others(host: String) async throws {
        let elsewhere = try TestOrigin()
        let (origin, _) = try await sent({ _ in "\(host): X-Key: a" }, fetching: "/bytes/1", or: elsewhere)
        #expect(origin == [nil])
        await elsewhere.stop()
    }

    @Test(
        "a header is dropped if a redirect leads to another port or host", arguments: ["127.0.0.1", "127.0.0.2"],
        ["127.0.0.1", "127.0.0.1:PORT"])
    func redirects(address: String, header: String) async throws {
        let elsewhere = try TestOrigin(address: address)
        let (origin, there) = try await sent(
            { "\(header): X-Key: a".replacing("PORT", with: "\($0.port)") }, fetching: "/there", or: elsewhere)
        #expect(origin == ["a"] && there == [nil])
        await elsewhere.stop()
    }

    @Test("a header of a redirect's target is sent to the target alone")
    func target() async throws {
        let elsewhere = try TestOrigin(address: "127.0.0.2")
        let (origin, there) = try await sent({ _ in "127.0.0.2: X-Key: a" }, fetching: "/there", or: elsewhere)
        #expect(origin == [nil] && there == ["a"])
        await elsewhere.stop()
    }

    @Test("headers are sent with range and conditional requests, and can replace Accept")
    func requests() async throws {
        let texts = ["127.0.0.1: X-Key: a", "127.0.0.1:  Accept :  image/jpeg "]
        try await withOrigin(
            OriginRoutes.parts(size: 1_000_000),
            configure: { configuration in configuration.originHeaders = texts.compactMap { try? OriginHeader($0) } }
        ) { origin, fetcher in
            var request = FetchRequest(url: origin.url("/"))
            request.beginning = FetchRequest.Beginning(length: 69_632, minimumBody: 500_000, requestsRange: true)
            _ = try await fetcher.fetch(request)
            request.beginning = nil
            _ = try await fetcher.fetch(request)
            request.revalidate = Validators(etag: OriginRoutes.etag, lastModified: nil)
            _ = try await fetcher.fetch(request)
            #expect(origin.log.map { $0.headers["range"] } == ["bytes=0-69631", "bytes=69632-", nil])
            #expect(origin.log.last?.headers["if-none-match"] == OriginRoutes.etag)
            #expect(origin.log.allSatisfy { $0.headers["x-key"] == "a" && $0.headers["accept"] == "image/jpeg" })
        }
    }

    @Test("an IPv6 address is written in brackets, with or without a port")
    func addresses() throws {
        #expect(try OriginHeader("[::1]: X-Key: a").description == "[::1]: X-Key")
        #expect(try OriginHeader("[::1]:8080: X-Key: a").description == "[::1]:8080: X-Key")
        #expect(try OriginHeader("NAS.local:8080: X-Key: a").description == "nas.local:8080: X-Key")
    }

    static let mistakes: [(text: String, fix: String)] = [
        ("s3cr3t", "give HOST: NAME: VALUE"), ("nas.local: s3cr3t", "give HOST: NAME: VALUE"),
        (": X-Key: s3cr3t", "give HOST: NAME: VALUE"), ("nas.local:: s3cr3t", "give HOST: NAME: VALUE"),
        ("nas.local: X-Key: ", "give HOST: NAME: VALUE"), ("nas.local:80: s3cr3t", "give HOST: NAME: VALUE"),
        ("nas.local:80", "give HOST: NAME: VALUE"), ("nas.local:0: X-Key: s3cr3t", "from 1 to 65535"),
        ("nas.local:65536: X-Key: s3cr3t", "from 1 to 65535"),
        ("nas.local: X-Key: s3cr3t\r\nX-Other: 1", "remove them"), ("nas.local: X-Key: s3cr3t\u{0}", "remove them"),
        ("nas.local: X-Key: s3cr3t\u{7F}", "remove them"), ("nas.local: X Key: s3cr3t", "give HOST: NAME: VALUE"),
        ("nas.local: Schlüssel: s3cr3t", "give HOST: NAME: VALUE"), ("a@nas.local: X-Key: s3cr3t", "give HOST or"),
        ("nas.local/a: X-Key: s3cr3t", "give HOST or"), ("[::1: X-Key: s3cr3t", "give HOST"),
        ("nas.local: X-Key: s3cr3t" + String(repeating: "a", count: 8_192), "8 KiB"),
    ]

    @Test("a malformed header is refused with a fix, and its value is not printed", arguments: mistakes)
    func refused(text: String, fix: String) throws {
        let refusal = #expect(throws: OriginHeader.Refusal.self) { try OriginHeader(text) }
        let sentence = refusal?.description ?? ""
        #expect(sentence.contains(fix) && !sentence.contains("s3cr3t"), "\(sentence)")
    }

    @Test(
        "headers that the client sets itself are refused",
        arguments: [
            "Host", "content-length", "Transfer-Encoding", "Connection", "Range", "If-Range", "If-None-Match",
            "If-Modified-Since", "ACCEPT-ENCODING",
        ])
    func ownNames(name: String) throws {
        let refusal = #expect(throws: OriginHeader.Refusal.self) { try OriginHeader("nas.local: \(name): s3cr3t") }
        #expect(refusal?.description == "the header \(name) is set by Lookahead itself: remove it")
    }

    @Test("descriptions do not contain the header's value")
    func description() throws {
        let header = try OriginHeader("nas.local: X-Key: s3cr3t")
        #expect("\(header)" == "nas.local: X-Key" && !String(reflecting: header).contains("s3cr3t"))
        var configuration = FetchConfiguration()
        configuration.originHeaders = [header]
        #expect(!"\(configuration)".contains("s3cr3t"))
    }
}
