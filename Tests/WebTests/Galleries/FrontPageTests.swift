import JSON
import TestSupport
import Testing

/// The page's document with its gallery.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct FrontPageTests {
    @Test("the page embeds the gallery named in its URL, or the only one")
    func gallery() async throws {
        let api = try await APIFixture()
        let client = try TestClient(api.port)
        #expect(try embedded(client.get("/")) == api.call("GET", "galleries/pictures").json)
        let other = try api.call(
            "POST", "galleries", ["title": "</script><b>", "items": [["url": "https://pictures.example/1.jpg"]]])
        let id = try #require(other.json["id"]?.string)
        #expect(try embedded(client.get("/")) == .null)
        #expect(try embedded(client.get("/index.html?gallery=pictures&size=2"))["id"] == "pictures")
        let page = try client.get("/?gallery=\(id)")
        #expect(try embedded(page) == other.json)
        #expect(
            page.text.components(separatedBy: "</script>").count
                == (try client.get("/")).text.components(separatedBy: "</script>").count)
        #expect(try embedded(client.get("/?gallery=nowhere")) == .null)
        #expect(page.header("content-security-policy")?.contains("script-src 'self';") == true)
    }

    @Test("a cached page gets 304 until its gallery changes")
    func unchanged() async throws {
        let api = try await APIFixture()
        let made = try api.call(
            "POST", "galleries", ["title": "Made", "items": [["url": "https://pictures.example/1.jpg"]]])
        let id = try #require(made.json["id"]?.string)
        let client = try TestClient(api.port)
        let tag = try #require(try client.get("/?gallery=\(id)").header("etag"))
        let headers = "If-None-Match: \(tag)\r\n"
        #expect(try client.get("/?gallery=\(id)", headers: headers).status == 304)
        #expect(try client.get("/?gallery=\(id)&size=2", headers: headers).status == 304)
        try api.call("DELETE", "galleries/\(id)")
        #expect(try client.get("/?gallery=\(id)", headers: headers).status == 200)
    }

    @Test("the page links its scripts and styles at URLs that can be cached forever")
    func lasting() async throws {
        let api = try await APIFixture()
        let client = try TestClient(api.port)
        for path in ["/", "/?gallery=pictures", "/?gallery=nowhere", "/index.html"] {
            let page = try client.get(path)
            #expect(page.header("cache-control") == "no-cache")
            let addresses = page.text.matches(of: #/(?:src|href)="([^"]+\.(?:js|css))"/#).map { String($0.1) }
            #expect(addresses.count > 40 && addresses.allSatisfy { $0.hasPrefix("assets/") })
            for address in addresses {
                let file = try client.get("/" + address)
                #expect(file.status == 200 && file.header("cache-control")?.contains("immutable") == true, "\(address)")
            }
        }
    }

    @Test("the first screen's pictures are fetched once, when a browser requests the page")
    func firstScreen() async throws {
        let demo = try await DemoFixture()
        let client = try TestClient(demo.server.port)
        for (path, headers) in [("/", ""), ("/?item=500", Self.browser), ("/?layout=masonry", Self.browser)] {
            #expect(try client.get(path, headers: headers).status == 200)
        }
        #expect(try demo.count("requests") == 0)
        for _ in 0..<3 { #expect(try client.get("/", headers: Self.browser).status == 200) }
        try await demo.origin("36 downloads that ended") { $0["requests"] == 36 && $0["open"] == 0 }
        _ = try DemoFixture.thumbnails(6, from: try demo.events(try demo.session()))
        #expect(try demo.count("requests") == 36)
    }

    @Test("the first screen is fetched at the last viewport's size and taken over by its session")
    func lastScreen() async throws {
        let demo = try await DemoFixture(latency: 60_000)
        let client = try TestClient(demo.server.port)
        let wide: [String: JSON] = ["viewport": ["width": 600, "height": 180, "pixelRatio": 2]]
        func close(_ session: JSON) throws { _ = try demo.call("DELETE", "sessions/\(APIFixture.id(session))") }
        let first = try demo.session(wide)
        try await demo.origin("3 open") { $0["open"] == 3 }
        try close(first)
        try await demo.origin("3 aborted") { $0["aborted"] == 3 }
        #expect(try client.get("/", headers: Self.browser).status == 200)
        try await demo.origin("3 open") { $0["open"] == 3 }
        let session = try demo.session(wide)
        #expect(try demo.count("open") == 3)
        #expect(try demo.count("aborted") == 3)
        try close(session)
        try await demo.origin("6 aborted") { $0["aborted"] == 6 }
        #expect(try demo.count("requests") == 6)
    }

    private static let browser = "Accept: text/html,*/*;q=0.8\r\n"

    @Test("a session opens with an item at a place of the viewport")
    func anchor() async throws {
        let api = try await APIFixture()
        func visible(_ anchor: JSON) throws -> TestClient.Answer {
            let body: JSON = [
                "gallery": "pictures", "viewport": ["width": 600, "height": 180, "anchor": anchor],
                "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
            ]
            return try api.call("POST", "sessions", body)
        }
        // Rows of three: 0-2, 3-5, 6-7, and in a second section 8-10, 11.
        #expect(try visible(["item": 4]).json["visible"] == ["from": 3, "to": 6])
        #expect(try visible(["item": 4, "fraction": 0.5]).json["visible"] == ["from": 3, "to": 8])
        #expect(try visible(["item": 4, "at": 100]).json["visible"] == ["from": 0, "to": 6])
        #expect(try visible(["item": 0, "at": 100]).json["visible"] == ["from": 0, "to": 3])
        #expect(try visible(["item": 12]).json["field"] == "/viewport/anchor/item")
        #expect(try visible(["fraction": 0.5]).json["field"] == "/viewport/anchor/item")
        #expect(try visible(["item": 1, "fraction": "half"]).json["field"] == "/viewport/anchor/fraction")
    }

    private func embedded(_ page: TestClient.Answer) throws -> JSON {
        let text = try #require(page.text.firstMatch(of: #/id="gallery">(.*?)</script>/#)).1
        return text.isEmpty ? .null : try JSON.parse(String(text))
    }
}
