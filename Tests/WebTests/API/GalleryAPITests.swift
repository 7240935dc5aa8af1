import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct GalleryAPITests {
    @Test("a folder is a gallery with its pictures in natural order and its subfolders as sections")
    func folder() async throws {
        let api = try await APIFixture()
        let list = try api.call("GET", "galleries").json["galleries"]?.array ?? []
        #expect(list.count == 1)
        let gallery = try api.call("GET", "galleries/pictures").json
        #expect(gallery == list.first)
        #expect(gallery["itemCount"] == 12)
        #expect(gallery["source"] == "folder")
        #expect(
            gallery["sections"]
                == [["title": "a", "from": 0, "count": 8], ["title": "b", "from": 8, "count": 4]])
        let items = try api.call("GET", "galleries/pictures/items?from=7&count=3").json
        #expect(items["from"] == 7)
        #expect(items["items"]?.array?.map { $0["title"] } == ["8", "9", "10"])
        #expect(items["items"]?.array?.map { $0["section"] } == [0, 1, 1])
    }

    @Test("every response has the header nosniff")
    func types() async throws {
        let api = try await APIFixture()
        let paths = [
            "/", "/healthz", "/metrics", "/nothing", "/api/v1/galleries", "/api/v1/galleries/none", "/api/v1/events",
            "/api/v1/galleries/pictures/items", "/api/v1/galleries/pictures/items/0/thumbnail",
            "/api/v1/galleries/pictures/items/0/original", "/api/v1/openapi.json",
        ]
        for path in paths {
            let client = try TestClient(api.port)
            client.send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let found = try client.head().headers.filter { $0.name == "x-content-type-options" }.map(\.value)
            #expect(found == ["nosniff"], "\(path)")
        }
    }

    @Test("links that lead out, folders with a .nomedia file and excluded files are reported and not served")
    func leftOut() async throws {
        let folder = try TemporaryFolder()
        for name in ["pictures/1.jpg", "pictures/2.jpg", "pictures/private/3.jpg", "far.jpg"] {
            try folder.write(name, Picture.jpeg(30, 20))
        }
        try folder.write("pictures/private/.nomedia", [])
        try folder.link("pictures/far.jpg", to: "../far.jpg")
        let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures", "--exclude", "/2.*"])
        defer { server.stop() }
        let gallery = try TestClient(server.port).call("GET", "galleries/pictures").json
        #expect(gallery["itemCount"] == 1)
        let reported: [JSON] = [
            ["reason": "leadsOut", "count": 1, "names": ["far.jpg"]],
            ["reason": "noMedia", "count": 1, "names": ["private"]],
            ["reason": "excluded", "pattern": "/2.*", "count": 1, "names": ["2.jpg"]],
        ]
        let leftOut = gallery["leftOut"]?.array ?? []
        #expect(leftOut.count == reported.count && reported.allSatisfy { leftOut.contains($0) }, "\(leftOut)")
        #expect(try TestClient(server.port).call("GET", "galleries/pictures/items/1").status == 404)
    }

    @Test("a list is posted as JSON or NDJSON, and deleting it ends its sessions")
    func lists() async throws {
        let api = try await APIFixture()
        let items: JSON = [["url": "http://example.com/a.jpg", "title": "A", "width": 30, "height": 20]]
        let made = try api.call("POST", "galleries", ["title": "Mine", "items": items])
        #expect(made.status == 201)
        let id = try #require(made.json["id"]?.string)
        #expect(made.header("location") == "/api/v1/galleries/\(id)")
        #expect(made.json["title"] == "Mine")
        let lines = (0..<1000).map { "{\"url\":\"http://example.com/\($0).jpg\",\"section\":\"s\($0 / 500)\"}\n" }
            .joined()
        let streamed = try TestClient(api.port).post(
            "/api/v1/galleries?title=Lines", Array(lines.utf8), headers: "Content-Type: application/x-ndjson\r\n")
        #expect(streamed.status == 201)
        #expect(streamed.json["itemCount"] == 1000)
        #expect(streamed.json["sections"]?.array?.count == 2)

        let session = try api.call(
            "POST", "sessions", ["gallery": .string(id), "viewport": ["width": 600, "height": 400]]
        ).json
        let events = try api.events(session)
        #expect(try events.next().name == "hello")
        #expect(try api.call("DELETE", "galleries/\(id)").status == 204)
        #expect(try events.next("bye").data["reason"]?.string?.contains("deleted") == true)
        #expect(events.seesEnd())
        #expect(try api.call("GET", "sessions/\(APIFixture.id(session))").status == 404)
        #expect(try api.call("GET", "galleries/\(id)").status == 404)
    }

    @Test("a thumbnail has an ETag, and a matching request gets 304")
    func thumbnail() async throws {
        let api = try await APIFixture()
        let client = try TestClient(api.port)
        let path = "galleries/pictures/items/1/thumbnail?width=128"
        let first = try client.call("GET", path)
        #expect(first.status == 200)
        #expect(first.header("content-type") == "image/jpeg")
        #expect(first.body.starts(with: [0xFF, 0xD8]))
        let tag = try #require(first.header("etag"))
        #expect(try client.call("GET", path, headers: "If-None-Match: \(tag)\r\n").status == 304)
        let larger = try client.call("GET", "galleries/pictures/items/1/image?width=4096")
        #expect(larger.status == 200)
        let broken = try client.call("GET", "galleries/pictures/items/11/thumbnail")
        #expect(broken.status == 422)
        #expect(broken.json["detail"]?.string?.contains("not a picture") == true)
    }

    @Test("an item is ready and has a ThumbHash once its thumbnail is rendered")
    func itemState() async throws {
        let api = try await APIFixture()
        func item() throws -> JSON {
            try api.call("GET", "galleries/pictures/items?from=0&count=1").json["items"]?.array?.first ?? .null
        }
        #expect(try item()["state"] == "absent")
        _ = try api.call("GET", "galleries/pictures/items/0/thumbnail")
        #expect(try item()["state"] == "ready")
        #expect(try item()["thumbHash"]?.string?.isEmpty == false)
    }

    private static let viewport: JSON = ["width": 9, "height": 9]
    private static let items: JSON = [["url": "http://example.com/1.jpg"]]

    private static let longTitle = JSON.string(String(repeating: "a", count: 1025))
    private static let manySessions = (0..<40).map { "s\($0)" }.joined(separator: ",")

    typealias Mistake = (method: String, path: String, body: JSON?, status: Int, field: String?)

    /// Requests of a gallery of twelve pictures. `SESSION` stands for the id of a session.
    static let mistakes: [Mistake] = [
        ("GET", "galleries/none", nil, 404, nil),
        ("DELETE", "galleries/pictures", nil, 403, nil),
        ("GET", "galleries/pictures/items/12/thumbnail", nil, 404, nil),
        ("GET", "galleries/pictures/items/x/thumbnail", nil, 404, nil),
        ("GET", "galleries/pictures/items/0/thumbnail?width=0", nil, 422, "/width"),
        ("GET", "galleries/pictures/items/0/image?id=x", nil, 422, "/id"),
        ("GET", "galleries/pictures/items/0/image?id=", nil, 422, "/id"),
        ("GET", "galleries/pictures/items/0/image?v=AAAAAAAAAAB", nil, 422, "/v"),
        ("GET", "galleries/pictures/items?count=1001", nil, 422, "/count"),
        ("GET", "galleries/pictures/items?from=-1", nil, 422, "/from"),
        ("GET", "galleries/pictures/places?count=1001", nil, 422, "/count"),
        ("GET", "galleries/pictures/placeholders?count=0", nil, 422, "/count"),
        ("GET", "galleries/pictures/placeholders?count=1025", nil, 422, "/count"),
        ("GET", "galleries/pictures/placeholders?from=-1", nil, 422, "/from"),
        ("GET", "galleries/pictures/placeholders?from=x", nil, 422, "/from"),
        ("GET", "galleries/none/placeholders", nil, 404, nil),
        ("PUT", "galleries", ["a": 1], 405, nil),
        ("GET", "nothing", nil, 404, nil),
        ("POST", "galleries", ["title": "x", "items": [["title": "no url"]]], 422, "/items/0/url"),
        ("POST", "galleries", ["title": "x", "items": [["url": "ftp://example.com/a"]]], 422, "/items/0/url"),
        ("POST", "galleries", ["title": 5, "items": items], 422, "/title"),
        ("POST", "galleries", ["title": [], "items": items], 422, "/title"),
        ("POST", "galleries", ["title": longTitle, "items": items], 422, "/title"),
        ("POST", "galleries/pictures/archive", [:], 422, "/items"),
        ("POST", "galleries/pictures/archive", ["items": [0], "ranges": []], 422, "/items"),
        ("POST", "galleries/pictures/archive", ["items": []], 422, "/items"),
        ("POST", "galleries/pictures/archive", ["items": [12]], 422, "/items/0"),
        ("POST", "galleries/pictures/archive", ["ranges": [["from": 0, "to": 13]]], 422, "/ranges/0/to"),
        ("POST", "galleries/pictures/archive", ["ranges": [["from": 3, "to": 2]]], 422, "/ranges/0/to"),
        ("POST", "galleries/pictures/archive", ["ranges": [3]], 422, "/ranges/0"),
        ("POST", "galleries/pictures/archive", ["ranges": [["from": 3, "to": 3]]], 422, "/ranges"),
        ("POST", "sessions", ["viewport": viewport], 422, "/gallery"),
        ("POST", "sessions", ["gallery": "none", "viewport": viewport], 422, "/gallery"),
        ("POST", "sessions", ["gallery": "pictures"], 422, "/viewport"),
        ("POST", "sessions", ["gallery": "pictures", "viewport": ["width": 0, "height": 1]], 422, "/viewport/width"),
        (
            "POST", "sessions", ["gallery": "pictures", "viewport": ["width": 1, "height": "x"]], 422,
            "/viewport/height"
        ),
        ("POST", "sessions", [], 422, "/"),
        ("POST", "sessions", ["gallery": "pictures", "viewport": viewport, "policy": "clairvoyant"], 422, "/policy"),
        (
            "POST", "sessions", ["gallery": "pictures", "viewport": viewport, "layout": ["kind": "spiral"]], 422,
            "/layout/kind"
        ),
        (
            "POST", "sessions",
            ["gallery": "pictures", "viewport": viewport, "layout": ["kind": "grid", "itemWidth": 9]], 422,
            "/layout/itemHeight"
        ),
        ("POST", "sessions", ["gallery": "pictures", "viewport": viewport, "share": 0.5], 422, "/share"),
        (
            "POST", "sessions", ["gallery": "pictures", "viewport": viewport, "network": ["latency": 5]], 422,
            "/network"
        ),
        ("GET", "sessions/none", nil, 404, nil),
        ("GET", "sessions/none/events", nil, 404, nil),
        ("GET", "sessions/none/events?with=", nil, 404, nil),
        ("GET", "sessions/SESSION/events?with=a.b", nil, 422, "/with"),
        ("GET", "sessions/SESSION/events?with=\(manySessions)", nil, 422, "/with"),
        ("GET", "sessions/SESSION/events?except=stats", nil, 422, "/except"),
        ("GET", "sessions/SESSION/layout?from=0&to=5001", nil, 422, "/to"),
        ("POST", "sessions/SESSION/scroll", ["item": 12], 422, "/item"),
        ("DELETE", "sessions/none", nil, 404, nil),
        ("POST", "sessions/none/viewport", ["seq": 1, "time": 0, "scrollTop": 0], 404, nil),
    ]

    private static func hint(_ hint: JSON) -> JSON { ["seq": 1, "time": 1, "scrollTop": 0, "hint": hint] }

    /// Wrong updates of a session's viewport.
    static let updates: [(JSON, String)] = [
        (["time": 0, "scrollTop": 0], "/seq"), (["seq": 1, "scrollTop": 0], "/time"),
        (["seq": 1, "time": 0], "/scrollTop"), (["seq": 1.5, "time": 0, "scrollTop": 0], "/seq"),
        (["seq": 1, "time": 0, "scrollTop": "x"], "/scrollTop"),
        (["seq": 1, "time": 0, "scrollTop": 0, "phase": "flying"], "/phase"),
        (["seq": 1, "time": 0, "scrollTop": 0, "missing": [1, 12]], "/missing/1"),
        (["seq": 1, "time": 0, "scrollTop": 0, "width": -1], "/width"),
        (hint(["kind": "guess", "scrollTop": 1]), "/hint/kind"), (hint(["scrollTop": 1]), "/hint/kind"),
        (hint(["kind": "key"]), "/hint/scrollTop"), (hint(["kind": "key", "scrollTop": "far"]), "/hint/scrollTop"),
        (hint(["kind": "cell", "item": 12]), "/hint/item"), (hint(["kind": "cell", "item": -1]), "/hint/item"),
        (hint(["kind": "cell", "item": 1, "confidence": 1.5]), "/hint/confidence"), (hint("scrubber"), "/hint"),
    ]

    @Test("invalid requests get a problem document that names the field, and change nothing")
    func problems() async throws {
        let api = try await APIFixture()
        let id = try APIFixture.id(try api.session())
        let updates = Self.updates.map { body, field -> Mistake in
            ("POST", "sessions/SESSION/viewport", body, 422, field)
        }
        for (method, path, body, status, field) in Self.mistakes + updates {
            let answer = try api.call(method, path.replacing("SESSION", with: id), body)
            #expect(answer.status == status, "\(method) \(path): \(answer.text)")
            #expect(answer.header("content-type") == "application/problem+json")
            #expect(answer.json["status"]?.integer == status)
            #expect(answer.json["title"]?.string?.isEmpty == false)
            #expect(answer.json["detail"]?.string?.isEmpty == false)
            #expect(answer.json["field"]?.string == field, "\(method) \(path): \(answer.text)")
            if status == 405 { #expect(answer.header("allow") == "GET, HEAD, POST, OPTIONS") }
        }
        #expect(try api.call("GET", "sessions/\(id)").json["seq"] == -1)
        #expect(try api.call("GET", "galleries/pictures").json["itemCount"] == 12)
    }

    @Test("a malformed body gets 400, one of another type 415, and a large one 413")
    func bodies() async throws {
        let api = try await APIFixture(["--max-body", "2000"])
        func post(_ path: String, _ body: String, type: String) throws -> Int {
            let headers = "Content-Type: \(type)\r\n"
            return try TestClient(api.port).post("/api/v1/\(path)", Array(body.utf8), headers: headers).status
        }
        #expect(try post("sessions", "{", type: "application/json") == 400)
        #expect(try post("sessions", "{}", type: "text/plain") == 415)
        #expect(try post("sessions", String(repeating: " ", count: 3000), type: "application/json") == 413)
        #expect(try post("galleries", "[1", type: "application/json") == 400)
        #expect(try post("galleries", "url", type: "text/csv") == 415)
        #expect(try post("galleries", "nonsense\n", type: "application/x-ndjson") == 400)
    }

    @Test("a bad line of an uploaded list is reported with its number, and the other lines are used")
    func badLine() async throws {
        let api = try await APIFixture()
        let lines =
            "{\"url\":\"http://a/1.jpg\"}\nnonsense\n{\"url\":\"http://a/2.jpg\",\"width\":1.5}\n{\"url\":\"ftp://a/3.jpg\"}\n"
        let made = try TestClient(api.port).post(
            "/api/v1/galleries", Array(lines.utf8), headers: "Content-Type: application/x-ndjson\r\n")
        #expect(made.status == 201)
        #expect(made.json["itemCount"] == 2)
        #expect(made.json["ignoredFieldCount"] == 1)
        #expect(made.json["problemCount"] == 2)
        let problems = try #require(made.json["problems"]?.array)
        #expect(problems.map { $0["line"] } == [2, 4])
        #expect(problems[1]["field"] == "url")
    }

    @Test("health, policies, metrics and stats are returned")
    func serverRoutes() async throws {
        let api = try await APIFixture()
        #expect(try get(api.port, "/healthz").status == 200)
        let policies = try api.call("GET", "policies").json["policies"]?.array ?? []
        let names = policies.compactMap { $0["name"]?.string }
        #expect(Set(names).isSuperset(of: ["collection-view", "operation-queue", "scroll-end"]))
        #expect(policies.filter { $0["isStandard"] == true }.count == 1)
        _ = try api.call("GET", "galleries/pictures/items/0/thumbnail")
        let metrics = try get(api.port, "/metrics").text
        #expect(metrics.contains("lookahead_tasks_total{result=\"ready\"} 1.0\n"))
        let stats = try api.call("GET", "stats").json
        #expect(stats["tasks_total"]?.array?.first?["value"] == 1)
    }
}
