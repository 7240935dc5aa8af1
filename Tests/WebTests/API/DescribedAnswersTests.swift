import Foundation
import JSON
import TestSupport
import Testing

/// Every documented answer is provoked, seen and held against its schema.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DescribedAnswersTests {
    @Test("each answer comes as it is documented, and each that is documented comes")
    func answers() async throws {
        let description = try APIDescription()
        try await succeed(description)
        try await play(description)
        try await demo(description)
        try await refuse(description)
        try await limit(description)
        try await waitInVain(description)
        try await lock(description)
        try await stop(description)
        #expect(description.documented.subtracting(description.seen) == [], "documented and never seen")
        for (_, path, operation) in description.operations {
            let events = Set(operation["x-events"]?.object?.members.map(\.name) ?? [])
            #expect(events.subtracting(description.seenEvents[path] ?? []) == [], "events of \(path) never seen")
        }
    }

    func open(_ description: APIDescription, _ port: UInt16, _ body: String? = nil) throws -> String {
        let body = body ?? Self.bodies["POST \(Self.sessions)"]
        let answer = try description.call("POST", Self.sessions, port: port, body: body)
        return try #require(answer.json["id"]?.string)
    }

    /// Answers of success, and every event.
    private func succeed(_ description: APIDescription) async throws {
        let api = try await APIFixture()
        let port = api.port
        func call(
            _ method: String, _ path: String, _ names: [String: String] = [:], query: String = "", headers: String = ""
        )
            throws -> TestClient.Answer
        {
            try description.call(
                method, path, names, query: query, port: port, body: Self.bodies["\(method) \(path)"], headers: headers)
        }
        try await learnShapes(description)
        _ = try call("GET", Self.galleries)
        let news = try EventReader(port, Self.news)
        _ = try call("GET", Self.news)
        let made = try #require(try call("POST", Self.galleries).json["id"]?.string)
        _ = try description.call(
            "POST", Self.galleries, query: "?title=Lines", port: port, body: "{\"url\":\"http://example.com/1.jpg\"}\n",
            type: "application/x-ndjson")
        _ = try call("GET", Self.gallery, ["g": made])
        _ = try call("GET", "\(Self.gallery)/items", ["g": made], query: "?from=0&count=10")
        _ = try call("DELETE", Self.gallery, ["g": made])
        try arrange(description, port)
        try description.hear(["hello", "upload", "gallery", "removed"], news, of: Self.news)
        _ = try call("GET", "\(Self.item)/original", ["g": "pictures", "i": "11"])
        for kind in ["thumbnail", "image"] {
            let names = ["g": "pictures", "i": "0"]
            let tag = try #require(try call("GET", "\(Self.item)/\(kind)", names).header("etag"))
            _ = try call("GET", "\(Self.item)/\(kind)", names, headers: "If-None-Match: \(tag)\r\n")
            _ = try call("GET", "\(Self.item)/\(kind)", ["g": "pictures", "i": "11"])
        }
        _ = try call("GET", "\(Self.gallery)/items", ["g": "pictures"])
        _ = try call("GET", "\(Self.gallery)/placeholders", ["g": "pictures"], query: "?from=0&count=12")
        _ = try call("GET", Self.item, ["g": "pictures", "i": "0"])
        let file = try call("GET", "\(Self.item)/original", ["g": "pictures", "i": "0"])
        #expect(file.header("content-disposition")?.hasPrefix("attachment; filename*=UTF-8''") == true)

        let names = ["s": try open(description, port)]
        let events = try EventReader(port, "\(Self.sessions)/\(names["s"] ?? "")/events")
        try description.hear(["hello", "plan", "thumbnail"], events)
        for path in ["", "/viewport", "/scroll"] {
            _ = try call(path.isEmpty ? "PATCH" : "POST", Self.session + path, names)
        }
        try description.hear(["scroll"], events)
        _ = try description.call(
            "POST", "\(Self.session)/viewport", names, port: port,
            body: #"{"seq":2,"time":100,"scrollTop":99999,"width":500,"height":300,"missing":[9]}"#)
        try description.hear(["failed", "stats"], events)
        try api.folder.write("pictures/b/13.jpg", Picture.jpeg(30, 20))
        try description.hear(["gallery"], events)
        for path in ["", "/layout", "/layout/index", "/trace"] {
            _ = try call("GET", Self.session + path, names)
        }
        let rows = "Accept: application/octet-stream\r\n"
        let tag = try #require(try call("GET", "\(Self.session)/layout", names, headers: rows).header("etag"))
        _ = try call("GET", "\(Self.session)/layout", names, headers: "\(rows)If-None-Match: \(tag)\r\n")
        _ = try call("GET", "\(Self.session)/events", names)
        let progress = try EventReader(port, "\(Self.sessions)/\(names["s"] ?? "")/events?only=progress")
        try description.hear(["progress"], progress)
        let follow = try #require(try call("GET", Self.session, names).json["follow"]?.string)
        let followed = ["f": String(follow.split(separator: "/").last ?? "")]
        _ = try call("GET", Self.follow, followed)
        _ = try call("GET", "\(Self.follow)/events", followed)
        let nameless = String(repeating: "x", count: 81)
        #expect(
            try description.call(
                "GET", "\(Self.follow)/events", followed, query: "?name=\(nameless)", port: port
            ).status == 422)
        let follower = try EventReader(port, "\(follow)/events?name=Grace")
        try description.hear(["hello", "plan"], follower, of: "\(Self.follow)/events")
        _ = try call("DELETE", Self.session, names)
        try description.hear(["bye"], events)
        try description.hear(["bye"], follower, of: "\(Self.follow)/events")

        for layout in [
            #"{"kind":"masonry","columnWidth":150}"#, #"{"kind":"justified","rowHeight":150,"headerHeight":20}"#,
        ] {
            let body = #"{"gallery":"pictures","viewport":{"width":600,"height":360},"layout":\#(layout)}"#
            let names = ["s": try open(description, port, body)]
            _ = try call("GET", "\(Self.session)/layout", names, headers: "Accept: application/octet-stream\r\n")
            _ = try call("POST", "\(Self.session)/close", names)
        }
        for path in ["/healthz", "/readyz", "/metrics", "/api/v1/stats", "/api/v1/policies"] {
            _ = try call("GET", path)
        }
        for (path, names) in [("/api/v1/openapi.json", [:]), ("/{file}", ["file": ""])] {
            let tag = try #require(try call("GET", path, names).header("etag"))
            _ = try call("GET", path, names, headers: "If-None-Match: \(tag)\r\n")
        }
        api.server.child.signal(SIGTERM)
        try description.hear(["bye"], news, of: Self.news)
    }

    private func demo(_ description: APIDescription) async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "3000", "--latency", "0"])
        defer { demo.stop() }
        _ = try description.call(
            "GET", "\(Self.item)/thumbnail", ["g": "demo", "i": "1"], port: demo.port)
        _ = try description.call("GET", Self.origin, port: demo.port)
        try disarrange(description, demo.port)
        let body = Self.bodies["PATCH \(Self.origin)"]
        _ = try description.call("PATCH", Self.origin, port: demo.port, body: body)
        try mistake(description, demo.port, only: "PATCH \(Self.origin)")
    }

    /// Wrong input: nothing there, no JSON, another type, out of bounds, too large.
    private func refuse(_ description: APIDescription) async throws {
        let hosts = (1...Self.renditions.count).map { "127.0.0.\($0):1" }
        let api = try await APIFixture(
            ["--max-body", "2000", "--max-upload", "2000"] + hosts.flatMap { ["--allow-origin", $0] })
        for answer in description.documented where answer.status == 404 {
            let body = Self.bodies["\(answer.method) \(answer.path)"]
            try description.call(answer.method, answer.path, Self.nothing, port: api.port, body: body)
        }
        for operation in Self.bodies.keys where !operation.hasSuffix(Self.origin) {
            try mistake(description, api.port, only: operation)
        }
        let session = ["s": try open(description, api.port)]
        let names = session.merging(["g": "pictures", "i": "0"]) { first, _ in first }
        for (operation, body) in Self.moved {
            let path = String(operation.dropFirst("POST ".count))
            #expect(try description.call("POST", path, names, port: api.port, body: body).status == 412)
        }
        for path in ["", "/original", "/video"] {
            let refused = try description.call("GET", Self.item + path, names, query: "?id=x", port: api.port)
            #expect(refused.status == 422)
        }
        try description.call("GET", "\(Self.gallery)/items", ["g": "pictures"], query: "?count=x", port: api.port)
        try description.call(
            "GET", "\(Self.gallery)/placeholders", ["g": "pictures"], query: "?count=0", port: api.port)
        try description.call("GET", "\(Self.gallery)/places", ["g": "pictures"], query: "?count=x", port: api.port)
        try description.call("GET", "\(Self.session)/events", session, query: "?with=..", port: api.port)
        try description.call("GET", "\(Self.session)/layout", session, query: "?to=9999", port: api.port)
        // A host that fails more often is paused.
        let unreachable = hosts.map { #"{"url":"http://\#($0)/a.jpg"}"# }.joined(separator: ",")
        let gallery = try description.call(
            "POST", Self.galleries, port: api.port, body: #"{"items":[\#(unreachable)]}"#)
        for (item, kind) in Self.renditions.enumerated() {
            let names = ["g": gallery.json["id"]?.string ?? "", "i": "\(item)"]
            #expect(try description.call("GET", "\(Self.item)/\(kind)", names, port: api.port).status == 502)
        }
    }

    private func mistake(_ description: APIDescription, _ port: UInt16, only operation: String) throws {
        let parts = operation.split(separator: " ").map(String.init)
        func send(_ body: String?, type: String = "application/json") throws -> Int {
            let names = ["g": "pictures", "s": parts[1].contains("{s}") ? try open(description, port) : ""]
            return try description.call(parts[0], parts[1], names, port: port, body: body, type: type).status
        }
        #expect(try send("{") == 400, "\(operation)")
        #expect(try send("{}", type: "text/plain") == 415, "\(operation)")
        #expect(try send(Self.wrong[operation]) == 422, "\(operation)")
        let large = parts[1] == Self.origin ? 2 << 20 : 3000
        #expect(try send(String(repeating: " ", count: large)) == 413, "\(operation)")
    }

    /// Too many of everything.
    private func limit(_ description: APIDescription) async throws {
        let api = try await APIFixture(["--max-sessions", "1", "--max-galleries", "1", "--max-updates", "1"])
        let names = ["s": try open(description, api.port)]
        var streams: [TestClient] = []
        /// Opens as many streams as there may be.
        func fill(_ path: String, _ names: [String: String]) throws {
            for _ in 0..<64 {
                let client = try TestClient(api.port)
                streams.append(client)
                try description.call("GET", path, names, port: api.port, client: client)
            }
        }
        for operation in ["GET \(Self.session)/events", "GET \(Self.news)"] + Self.bodies.keys
        where !operation.hasSuffix(Self.origin) && !operation.hasSuffix("archive")
            && !operation.hasSuffix("downloads")
        {
            let parts = operation.split(separator: " ").map(String.init)
            let isStream = operation.hasPrefix("GET")
            if isStream { try fill(parts[1], names) }
            var status = 0
            // Updates come back by the second, however slow the machine.
            for _ in 0..<50 where status != 429 {
                status = try description.call(
                    parts[0], parts[1], names, port: api.port, body: isStream ? nil : Self.bodies[operation]
                ).status
            }
            #expect(status == 429, "\(operation)")
        }
        let follow = try #require(
            try description.call("GET", Self.session, names, port: api.port).json["follow"]?.string)
        let followed = ["f": String(follow.split(separator: "/").last ?? "")]
        try fill("\(Self.follow)/events", followed)
        #expect(try description.call("GET", "\(Self.follow)/events", followed, port: api.port).status == 429)
        for client in streams { client.stay() }
    }

    /// Whether everyone may ask.
    private static func isOpen(_ path: String) -> Bool { ["/healthz", "/readyz"].contains(path) }

    /// Neither by a wrong name nor without the token, nor by guessing it.
    private func lock(_ description: APIDescription) async throws {
        let api = try await APIFixture(["--token", "0123456789abcdef"])
        for (method, path, _) in description.operations where !Self.isOpen(path) {
            let body = Self.bodies["\(method) \(path)"]
            let locked = try description.call(method, path, Self.nothing, port: api.port, body: body)
            #expect(locked.status == 401)
            let stranger = try description.call(
                method, path, Self.nothing, port: api.port, body: body, host: "evil.example")
            #expect(stranger.status == 403)
        }
        // Answers to wrong tokens are held back: all are asked for before any is read, after more than are let through. Those come
        // back by the second, however slow the machine.
        var operations = description.operations.filter { !Self.isOpen($0.path) }
        for _ in 0..<50 where !operations.isEmpty {
            let guesses = try (0..<10).map { _ in ("GET", "/metrics", try TestClient(api.port, seconds: 30)) }
            let asked = try operations.map { ($0.method, $0.path, try TestClient(api.port, seconds: 30)) }
            for (method, path, client) in guesses + asked {
                description.ask(
                    method, path, Self.nothing, body: Self.bodies["\(method) \(path)"],
                    headers: "Authorization: Bearer fedcba9876543210\r\n", client: client)
            }
            var statuses: [Int] = []
            for (method, path, client) in asked {
                statuses.append(try description.answer(method, path, client: client).status)
            }
            operations = zip(operations, statuses).filter { $1 != 429 }.map(\.0)
            for (_, _, client) in guesses { client.leave() }
        }
        #expect(operations.isEmpty)
        let names = ["file": ""]
        let welcome = try description.call("GET", "/{file}", names, query: "?token=0123456789abcdef", port: api.port)
        #expect(welcome.status == 303)
    }

    /// A server that stops says so on connections that are open.
    private func stop(_ description: APIDescription) async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "9", "--latency", "60000", "--jitter", "0"])
        let clients = try description.operations.map { _ in try TestClient(demo.port) }
        // A request that is being answered keeps the server from ending.
        let slow = try TestClient(demo.port)
        slow.send("GET /api/v1/galleries/demo/items/3/thumbnail HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let last = try TestClient(demo.port)
        // Connections are taken in order: once this one is answered, so are the others taken.
        #expect(try last.get("/healthz").status == 200)
        demo.child.signal(SIGTERM)
        try await eventually("a server that stops", of: { try last.get("/healthz").status }, satisfies: { $0 != 200 })
        for ((method, path, _), client) in zip(description.operations, clients) {
            let body = Self.bodies["\(method) \(path)"]
            let answer = try description.call(
                method, path, Self.nothing, port: demo.port, body: body, client: client)
            #expect(answer.status == 503, "\(method) \(path)")
        }
        #expect(demo.child.wait() == 0)
        slow.stay()
    }
}
