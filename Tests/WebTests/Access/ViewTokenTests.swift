import Gallery
import JSON
import MicroHTTP
import TestSupport
import Testing
import Web

/// The view token lets its holders look and scroll, but not change what belongs to others.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ViewTokenTests {
    static let full = "full-token-0123456789"
    static let view = "view-token-0123456789"

    @Test("routes missing from the access table require the full token")
    func unknown() throws {
        var request = try Request(.put, "/api/v1/galleries")
        #expect(RouteAccess.of(request) == .view)
        request.route = "/api/v1/galleries"
        #expect(RouteAccess.of(request) == .full)
    }

    @Test("the view token passes the routes that the access table allows, and the full token all")
    func routes() async throws {
        let folder = try TemporaryFolder()
        let demo = try await LookaheadProcess([
            "demo", "--items", "20", "--latency", "0", "--token-file", try folder.write("full", Array(Self.full.utf8)),
            "--view-token-file", try folder.write("view", Array("\(Self.view)\n".utf8)),
        ])
        defer { withExtendedLifetime(folder) { _ = demo.stop() } }
        let client = try TestClient(demo.port)
        let (asOwner, asViewer) = (Self.bearer(Self.full), Self.bearer(Self.view))
        func open(_ headers: String) throws -> JSON {
            let body: JSON = ["gallery": "demo", "viewport": ["width": 600, "height": 400]]
            let answer = try client.call("POST", "sessions", body, headers: headers)
            #expect(answer.status == 201)
            return answer.json
        }
        // HEAD needs the same token as GET.
        let heads = RouteAccess.table.filter { $0.key.hasPrefix("GET ") && !$0.key.hasSuffix("/events") }
            .map { ("HEAD \($0.key.dropFirst(4))", $0.value) }
        for (route, access) in RouteAccess.table.map({ ($0.key, $0.value) }) + heads {
            let parts = route.split(separator: " ").map(String.init)
            for (opener, headers) in [
                (asOwner, asViewer), (asViewer, asViewer), (asViewer, asOwner), (asOwner, asOwner),
            ] {
                let session = try open(opener)
                let follow = session["follow"]?.string?.split(separator: "/").last.map(String.init)
                let path = parts[1].replacing("{s}", with: session["id"]?.string ?? "")
                    .replacing("{g}", with: "none").replacing("{i}", with: "0").replacing("{f}", with: follow ?? "")
                    .replacing("{file...}", with: "")
                let one = try TestClient(demo.port)
                let hasBody = parts[0] != "GET" && parts[0] != "HEAD"
                let body = #"{"seq":1,"time":0,"scrollTop":90,"item":1,"gallery":"demo"}"#
                one.send(
                    "\(parts[0]) \(path) HTTP/1.1\r\nHost: localhost\r\n\(headers)Content-Type: application/json\r\n"
                        + "Content-Length: \(hasBody ? body.utf8.count : 0)\r\n\r\n\(hasBody ? body : "")"
                )
                let mayPass =
                    switch access {
                    case .anyone, .view: true
                    case .ownSession: headers == asOwner || opener == asViewer
                    // The body is not an arrangement.
                    case .byBody, .full: headers == asOwner
                    }
                let status = try one.head().status
                #expect((status != 403) == mayPass, "\(route): \(status)")
                #expect(status != 401 && status != 429, "\(route): \(status)")
            }
        }
    }

    @Test("a request refused for the view token asks for the full token")
    func words() async throws {
        let demo = try await Self.demo()
        defer { demo.stop() }
        let client = try TestClient(demo.port)
        let refused = try client.call("PATCH", "demo/origin", ["latency": 1], headers: Self.bearer(Self.view))
        #expect(refused.status == 403)
        #expect(refused.header("content-type") == "application/problem+json")
        #expect(refused.json["detail"]?.string?.contains("full token") == true)
    }

    @Test("each token is exchanged for its own cookie, and the stronger of two cookies counts")
    func cookies() async throws {
        let demo = try await Self.demo()
        defer { demo.stop() }
        let client = try TestClient(demo.port)
        func cookie(_ token: String) throws -> String {
            let welcome = try client.get("/?token=\(token)")
            #expect(welcome.status == 303)
            return String(try #require(welcome.header("set-cookie")).prefix { $0 != ";" })
        }
        let (full, view) = (try cookie(Self.full), try cookie(Self.view))
        for (cookies, status) in [(view, 403), (full, 200), ("\(view); \(full)", 200), ("\(full); \(view)", 200)] {
            let answer = try client.call("PATCH", "demo/origin", ["latency": 1], headers: "Cookie: \(cookies)\r\n")
            #expect(answer.status == status, "\(cookies)")
            #expect(try client.get("/", headers: "Cookie: \(cookies)\r\n").status == 200)
        }
    }

    @Test("a view token without a full token, or equal to it, is refused at the start")
    func settings() throws {
        var settings = Settings(publicDirectory: LookaheadProcess.publicDirectory, renderCommand: ["/bin/false"])
        settings.viewToken = try AccessToken(Self.view)
        #expect(throws: SettingError.self) { try GalleryServer(settings: settings) }
        settings.token = try AccessToken(Self.view)
        #expect(throws: SettingError.self) { try GalleryServer(settings: settings) }
        settings.token = try AccessToken(Self.full)
        _ = try GalleryServer(settings: settings)
    }

    private static func bearer(_ token: String) -> String { "Authorization: Bearer \(token)\r\n" }

    private static func demo() async throws -> LookaheadProcess {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        return try await LookaheadProcess([
            "demo", "--items", "9", "--token", Self.full, "--view-token-file",
            try folder.write("view", Array(Self.view.utf8)),
        ])
    }
}
