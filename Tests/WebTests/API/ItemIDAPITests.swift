import JSON
import TestSupport
import Testing

/// Pictures have ids that stay the same if their numbers change.
@Suite("Ids of pictures in the API", .serialized, .timeLimit(.minutes(2)))
struct ItemIDAPITests {
    private static let items = "galleries/pictures/items"
    private static let lasting = "private, max-age=31536000, immutable"
    private static let other = "AAAAAAAAAAA"

    private static func all(_ port: UInt16, _ gallery: String = "pictures") throws -> [JSON] {
        try TestClient(port).call("GET", "galleries/\(gallery)/items?count=1000").json["items"]?.array ?? []
    }

    private static func ids(_ port: UInt16, _ gallery: String = "pictures") throws -> [String: String] {
        var ids: [String: String] = [:]
        for item in try all(port, gallery) { ids[item["title"]?.string ?? ""] = item["id"]?.string }
        return ids
    }

    private static func count(_ count: Int, _ api: APIFixture) async throws {
        try await eventually("\(count) pictures") {
            try api.call("GET", "galleries/pictures").json["itemCount"] == .number(Double(count))
        }
    }

    /// The query with an item's id and version.
    private static func query(_ item: JSON) throws -> String {
        "id=\(try #require(item["id"]?.string))&v=\(try #require(item["version"]?.string))"
    }

    @Test("a URL with an id returns the same picture after another one is added before it")
    func added() async throws {
        let api = try await APIFixture()
        let first = try #require(try Self.all(api.port).first)
        let query = try Self.query(first)
        let kinds = ["image", "thumbnail", "original"]
        let before = try kinds.map { try api.call("GET", "\(Self.items)/0/\($0)?\(query)") }
        #expect(before.prefix(2).allSatisfy { $0.header("cache-control") == Self.lasting && $0.header("etag") != nil })
        try api.folder.write("pictures/a/0.jpg", Picture.jpeg(300, 200, red: 7))
        try await Self.count(13, api)
        for number in [0, 1, 7, 99] {
            for (kind, old) in zip(kinds, before) {
                let now = try api.call("GET", "\(Self.items)/\(number)/\(kind)?\(query)")
                #expect(now.status == 200 && now.body == old.body, "\(number) \(kind)")
                #expect(now.header("cache-control") == old.header("cache-control"))
            }
            let facts = try api.call("GET", "\(Self.items)/\(number)?\(query)").json
            #expect(facts["item"] == 1 && facts["title"] == "1")
            #expect(facts["id"] == first["id"] && facts["version"] == first["version"])
            let page = try api.call("GET", "\(Self.items)?from=\(number)&count=2&\(query)").json
            #expect(page["from"] == 1 && page["items"]?.array?.map { $0["title"] } == ["1", "2"])
        }
        #expect(try api.call("GET", "\(Self.items)/0/original").body != before.last?.body)
        #expect(try api.call("GET", "\(Self.items)/1/video?\(query)").status == 404)
    }

    @Test("a deleted picture's id gets 404 at every number")
    func deleted() async throws {
        let api = try await APIFixture()
        let query = try Self.query(try #require(try Self.all(api.port).first))
        try api.folder.remove("pictures/a/1.jpg")
        try await Self.count(11, api)
        for path in ["/0/image?", "/0/thumbnail?", "/0/original?", "/0/video?", "/0?", "?from=0&"] {
            let gone = try api.call("GET", "\(Self.items)\(path)\(query)")
            #expect(gone.status == 404, "\(path)")
            #expect(gone.json["detail"]?.string?.contains("is no longer in this gallery.") == true, "\(path)")
        }
    }

    @Test("a file edited in place keeps its id and gets another version")
    func edited() async throws {
        let api = try await APIFixture()
        let old = try #require(try Self.all(api.port).first)
        let oldQuery = try Self.query(old)
        let before = try api.call("GET", "\(Self.items)/0/image?\(oldQuery)")
        try api.folder.write("pictures/a/1.jpg", Picture.jpeg(310, 200, red: 90))
        let new = try #require(try Self.all(api.port).first)
        #expect(new["id"] == old["id"] && new["version"] != old["version"])
        let stale = try api.call("GET", "\(Self.items)/0/image?\(oldQuery)")
        #expect(stale.status == 200 && stale.header("cache-control") == "private, no-cache")
        #expect(stale.body != before.body)
        let now = try api.call("GET", "\(Self.items)/0/image?\(try Self.query(new))")
        #expect(now.body == stale.body && now.header("cache-control") == Self.lasting)
    }

    @Test("a URL without an id or a current version must be revalidated")
    func unnamed() async throws {
        let api = try await APIFixture()
        let item = try #require(try Self.all(api.port).first)
        let (id, version) = (item["id"]?.string ?? "", item["version"]?.string ?? "")
        for query in ["", "?id=\(id)", "?v=\(version)", "?id=\(id)&v=\(Self.other)"] {
            for kind in ["image", "thumbnail"] {
                let answer = try api.call("GET", "\(Self.items)/0/\(kind)\(query)")
                #expect(answer.header("cache-control") == "private, no-cache", "\(query)")
                let tag = try #require(answer.header("etag"))
                let again = try TestClient(api.port).call(
                    "GET", "\(Self.items)/0/\(kind)\(query)", headers: "If-None-Match: \(tag)\r\n")
                #expect(again.status == 304, "\(query)")
            }
        }
    }

    @Test("ids are the same on another server, in arrangements and after a restart")
    func same() async throws {
        let api = try await APIFixture()
        let ids = try Self.ids(api.port)
        #expect(Set(ids.values).count == APIFixture.pictures)
        let byName = try api.arranged(["sort": "name", "order": "descending"])
        #expect(try Self.ids(api.port, byName) == ids)
        let other = try await LookaheadProcess(["serve", "\(api.folder.path)/pictures"])
        defer { other.stop() }
        #expect(try Self.ids(other.port) == ids)
        api.server.stop()
        try await api.server.restart()
        #expect(try Self.ids(api.port) == ids)
    }

    @Test("the demo's pictures have the same ids on each server, and one version at every size")
    func demo() async throws {
        let arguments = ["demo", "--items", "30", "--latency", "0"]
        let servers = [try await LookaheadProcess(arguments), try await LookaheadProcess(arguments)]
        defer { for server in servers { server.stop() } }
        let ids = try servers.map { try Self.ids($0.port, "demo") }
        #expect(ids[0] == ids[1] && Set(ids[0].values).count == 30)
        let query = try Self.query(try #require(try Self.all(servers[0].port, "demo").first))
        for path in ["thumbnail?", "image?width=1600&"] {
            let answer = try TestClient(servers[0].port).call("GET", "galleries/demo/items/0/\(path)\(query)")
            #expect(answer.status == 200 && answer.header("cache-control") == Self.lasting, "\(path)")
        }
    }

    @Test("a download with the id of another item gets 412")
    func moved() async throws {
        let api = try await APIFixture()
        let ids = try Self.all(api.port).map { $0["id"] ?? .null }
        func refused(_ method: String, _ path: String, _ body: JSON? = nil, field: String, status: Int = 412) throws {
            let answer = try api.call(method, path, body)
            #expect(answer.status == status && answer.json["field"]?.string == field, "\(path) \(answer.text)")
        }
        for kind in ["archive", "downloads"] {
            let path = "galleries/pictures/\(kind)"
            let wrong: JSON = ["items": [0, 2, 3], "ids": [ids[0], ids[1], ids[1]]]
            try refused("POST", path, wrong, field: "/ids/1")
            try refused("POST", path, ["items": [0, 1], "ids": [ids[0]]], field: "/ids", status: 422)
            try refused("POST", path, ["items": [0], "ids": ["x"]], field: "/ids/0", status: 422)
            let all: JSON = [["from": 0, "to": 2]]
            try refused("POST", path, ["ranges": all, "ids": [ids[0]]], field: "/ids", status: 422)
            let right: JSON = ["items": [2, 0], "ids": [ids[2], ids[0]]]
            #expect(try api.call("POST", path, right).status == (kind == "archive" ? 200 : 201))
        }
        let scroll = "sessions/\(try APIFixture.id(try api.session()))/scroll"
        try refused("POST", scroll, ["item": 3, "id": ids[0]], field: "/id")
        #expect(try api.call("POST", scroll, ["item": 3, "id": ids[3]]).status == 202)
    }

    @Test("an archive of ranges gets 412 if the gallery has another revision")
    func revision() async throws {
        let api = try await APIFixture()
        let list = try api.call("POST", "galleries", ["items": [["url": "http://example.com/1.jpg"]]]).json
        let revision = try #require(list["revision"]?.integer)
        func offer(_ revision: Int) throws -> TestClient.Answer {
            try api.call(
                "POST", "galleries/\(list["id"]?.string ?? "")/downloads",
                ["ranges": [["from": 0, "to": 1]], "revision": .number(Double(revision))])
        }
        let refused = try offer(revision + 1)
        #expect(refused.status == 412 && refused.json["field"] == "/revision")
        #expect(try offer(revision).status == 201)
    }

    @Test("events carry ids and versions, also in arrangements")
    func events() async throws {
        let api = try await APIFixture()
        let byName = try api.arranged(["sort": "name", "order": "descending"])
        for gallery in ["pictures", byName] {
            let events = try api.events(try api.session(["gallery": .string(gallery)]))
            let items = try Self.all(api.port, gallery)
            for _ in 0..<4 {
                let event = try events.next("thumbnail").data
                let item = items[try #require(event["item"]?.integer)]
                #expect(event["id"] == item["id"] && event["id"] != nil)
                #expect(event["version"] == item["version"] && event["version"] != nil)
            }
        }
    }
}
