import Gallery
import JSON
import MicroHTTP
import TestSupport
import Testing
import Web

/// Origins whose pages may embed galleries, and the rights of these pages.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct EmbedOriginTests {
    static let blog = "https://blog.example"

    static let texts: [(given: String, origin: String?)] = [
        ("https://blog.example", blog),
        ("HTTPS://Blog.Example:443", blog),
        ("http://localhost:3000", "http://localhost:3000"),
        ("http://127.0.0.1:80", "http://127.0.0.1"),
        ("http://[::1]:3000", "http://[::1]:3000"),
        ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
        ("https://blog.example/", nil),
        ("https://blog.example/pictures", nil),
        ("https://blog.example:0", nil),
        ("https://*.example", nil),
        ("https://me@blog.example", nil),
        ("https://bücher.example", nil),
        ("https://blog.example; script-src *", nil),
        ("blog.example", nil),
        ("*", nil),
        ("null", nil),
        ("ftp://blog.example", nil),
        ("https://", nil),
    ]

    @Test("an embedding origin is normalized, and a malformed one refused", arguments: texts)
    func written(given: String, origin: String?) throws {
        guard let origin else {
            let error = #expect(throws: SettingError.self) { try EmbedOrigins([given]) }
            #expect(error?.description.hasPrefix("--embed-origin must be an origin without a path, such as") == true)
            #expect(error?.description.hasSuffix("not \"\(given)\"") == true)
            return
        }
        let origins = try EmbedOrigins([given, given])
        #expect(origins.frameAncestors == origin)
        #expect(origins.made(try Request(.get, "/", headers: [("Origin", origin)])))
        #expect(!origins.made(try Request(.get, "/", headers: [("Origin", origin + ".evil.example")])))
        #expect(!origins.made(try Request(.get, "/")))
    }

    static let requests: [(Method, String, [(String, String)], status: Int?)] = [
        (.get, "/embed.js", [("Origin", blog), ("Sec-Fetch-Mode", "cors")], nil),
        (.post, "/api/v1/sessions", [("Origin", blog)], nil),
        (.get, "/api/v1/galleries", [("Origin", blog)], nil),
        (.post, "/api/v1/sessions/x/close", [("Origin", blog), ("Sec-Fetch-Mode", "no-cors")], nil),
        (.options, "/api/v1/sessions", [("Origin", blog), ("Access-Control-Request-Method", "POST")], 204),
        // A request without this Origin header does not come from the embedding page.
        (.get, "/api/v1/galleries", [("Sec-Fetch-Mode", "no-cors")], 403),
        (.get, "/api/v1/galleries", [("Origin", "https://evil.example"), ("Sec-Fetch-Mode", "cors")], 403),
        (.post, "/api/v1/sessions", [("Origin", "http://blog.example")], 403),
        (.post, "/api/v1/sessions", [("Origin", "null")], 403),
        (
            .options, "/api/v1/sessions",
            [("Origin", "https://evil.example"), ("Access-Control-Request-Method", "POST")], 403
        ),
    ]

    @Test("requests of embedding origins pass, and requests of other origins are refused", arguments: requests)
    func passes(method: Method, path: String, headers: [(String, String)], status: Int?) throws {
        let gatekeeper = try GatekeeperTests.gatekeeper(embedOrigins: [Self.blog])
        let request = try Request(
            method, path, headers: headers + [("Host", "localhost:8080"), ("Sec-Fetch-Site", "cross-site")])
        #expect(gatekeeper.verdict(on: request)?.status == status)
    }

    @Test("an embedding page has view access only")
    func caller() throws {
        let gatekeeper = try GatekeeperTests.gatekeeper(embedOrigins: [Self.blog])
        #expect(gatekeeper.caller(of: try Request(.post, "/", headers: [("Origin", Self.blog)])).access == .view)
        #expect(gatekeeper.caller(of: try Request(.post, "/")).access == .full)
    }

    @Test("an embedding page needs no token for the element, and gets a partitioned cookie for its token")
    func token() throws {
        let gatekeeper = try GatekeeperTests.gatekeeper(token: GatekeeperTests.secret, embedOrigins: [Self.blog])
        func verdict(_ path: String, _ more: [(String, String)] = []) throws -> Response? {
            let headers = [("Origin", Self.blog), ("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "cors")]
            return gatekeeper.verdict(on: try Request(.get, path, headers: headers + more))
        }
        let parts = [
            "/embed.js", "/js/embed/element.js", "/assets/1a-2b/js/page/page.js", "/assets/1a-2b/css/theme.css",
        ]
        for part in parts + ["/assets/1a-2b/index.html"] { #expect(try verdict(part) == nil, "\(part)") }
        for page in ["/", "/index.html", "/?gallery=x", "/openapi.json", "/api/v1/galleries", "/metrics"] {
            #expect(try verdict(page)?.status == 401, "\(page)")
        }
        let welcome = try #require(try verdict("/?token=0123456789%2Babc=/"))
        let cookie = try #require(welcome.header("Set-Cookie"))
        #expect(cookie.hasSuffix("; HttpOnly; SameSite=None; Path=/; Secure; Partitioned"))
        #expect(try verdict("/api/v1/galleries", [("Cookie", try GatekeeperTests.cookie)]) == nil)
        // A page of the same site, such as another port of this machine, also sends the strict cookie.
        let near = try Request(
            .get, "/?token=0123456789%2Babc=/", headers: [("Origin", Self.blog), ("Sec-Fetch-Site", "same-site")])
        #expect(gatekeeper.verdict(on: near)?.header("Set-Cookie")?.hasSuffix("; SameSite=Strict; Path=/") == true)
    }

    @Test("responses can be read by the embedding origins and by no other")
    func answers() async throws {
        let api = try await APIFixture(["--embed-origin", Self.blog, "--embed-origin", "http://localhost:3000"])
        let client = try TestClient(api.port)
        let session = try api.session()
        let paths = [
            "/", "/embed.js", "/nothing", "/api/v1/galleries", "/api/v1/galleries/nowhere", "/healthz",
            "/api/v1/galleries/pictures/items/0/thumbnail", "/api/v1/galleries/pictures/items/0/original",
        ]
        for path in paths {
            for origin in [Self.blog, "http://localhost:3000"] {
                let answer = try client.get(path, headers: "Origin: \(origin)\r\n")
                #expect(answer.header("access-control-allow-origin") == origin, "\(path)")
                #expect(answer.header("access-control-allow-credentials") == "true", "\(path)")
                if path.hasSuffix("original") {
                    #expect(answer.body.starts(with: [0xFF, 0xD8]))
                    // A page needs Content-Range to use a range.
                    #expect(answer.header("access-control-expose-headers")?.contains("Content-Range") == true)
                }
            }
            for headers in ["", "Origin: https://evil.example\r\n"] {
                let answer = try client.get(path, headers: headers)
                #expect(answer.headers.contains { $0.name == "vary" && $0.value == "Origin" }, "\(path)")
                #expect(!answer.headers.contains { $0.name.hasPrefix("access-control") }, "\(path)")
            }
        }
        let archive = try TestClient(api.port).call(
            "POST", "galleries/pictures/archive", ["items": [0]], headers: "Origin: \(Self.blog)\r\n")
        #expect(archive.status == 200 && archive.body.starts(with: Array("PK".utf8)))
        #expect(archive.header("access-control-allow-origin") == Self.blog)
        let stream = try EventReader(
            api.port, try #require(session["events"]?.string), headers: "Origin: \(Self.blog)\r\n")
        #expect(stream.head.header("access-control-allow-origin") == Self.blog)
        let preflight = try client.get(
            "/api/v1/sessions", headers: "Origin: \(Self.blog)\r\nAccess-Control-Request-Method: POST\r\n",
            method: "OPTIONS")
        #expect(preflight.status == 204)
        #expect(preflight.header("access-control-allow-methods") == "GET, POST, PATCH, DELETE")
        #expect(preflight.header("access-control-allow-headers")?.contains("Content-Type") == true)
        let page = try client.get("/")
        #expect(
            page.header("content-security-policy")?.hasSuffix("frame-ancestors \(Self.blog) http://localhost:3000")
                == true)
        #expect(page.header("x-frame-options") == nil)
        // The page may change the sessions that it opened, and no others.
        let own = try client.call(
            "POST", "sessions", ["gallery": "pictures", "viewport": ["width": 600, "height": 400]],
            headers: "Origin: \(Self.blog)\r\n")
        #expect(own.status == 201)
        for (id, status) in [(own.json["id"], 204), (session["id"], 403)] {
            let path = "/api/v1/sessions/\(id?.string ?? "")/close"
            #expect(try client.post(path, [], headers: "Origin: \(Self.blog)\r\n").status == status)
        }
    }

    @Test("embedding is off by default")
    func closed() async throws {
        let api = try await APIFixture()
        let client = try TestClient(api.port)
        let page = try client.get("/", headers: "Origin: \(Self.blog)\r\n")
        #expect(page.header("content-security-policy")?.hasSuffix("frame-ancestors 'none'") == true)
        #expect(page.header("x-frame-options") == "DENY")
        #expect(!page.headers.contains { $0.name.hasPrefix("access-control") || $0.value == "Origin" })
    }

    @Test("the element's module imports versioned files that browsers cache forever")
    func module() async throws {
        let api = try await APIFixture()
        let client = try TestClient(api.port)
        _ = try client.get("/")
        let module = try client.get("/embed.js")
        #expect(module.header("cache-control") == "no-cache")
        let imported = try #require(module.text.firstMatch(of: #/from '\.(\/assets\/[^']+)'/#)).1
        let code = try client.get(String(imported))
        #expect(code.status == 200)
        #expect(code.header("cache-control")?.contains("immutable") == true)
    }
}
