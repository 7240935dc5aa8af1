import Foundation
import JSON
import TestSupport
import Testing

/// Compares success responses and events with the API's documentation. Other suites and Schemathesis check errors.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct DocumentedResponsesTests {
    static let galleries = "/api/v1/galleries"
    static let gallery = "/api/v1/galleries/{g}"
    static let item = "/api/v1/galleries/{g}/items/{i}"
    static let sessions = "/api/v1/sessions"
    static let session = "/api/v1/sessions/{s}"
    static let galleryEvents = "/api/v1/events"
    static let origin = "/api/v1/demo/origin"
    static let follow = "/api/v1/follow/{f}"

    private static let bodies = [
        "POST \(galleries)": #"{"title":"Mine","items":[{"url":"http://example.com/a.jpg","width":3,"height":2}]}"#,
        "POST \(gallery)/archive": #"{"ranges":[{"from":0,"to":2}]}"#,
        "POST \(gallery)/downloads": #"{"ranges":[{"from":0,"to":2}]}"#,
        "POST \(sessions)":
            #"{"gallery":"pictures","viewport":{"width":600,"height":360},"layout":{"kind":"grid","itemWidth":200,"itemHeight":180}}"#,
        "PATCH \(session)": #"{"policy":"scroll-end","prefetching":false,"viewport":{"height":300}}"#,
        "POST \(session)/viewport": #"{"seq":1,"time":0,"scrollTop":180,"phase":"wheel"}"#,
        "POST \(session)/scroll": #"{"item":3}"#,
    ]

    @Test("success responses and events have the documented shape, and each documented one occurs")
    func successes() async throws {
        let description = try APIDescription()
        try await callAll(description)
        try await playParts(description)
        try await learnShapes(description)
        try await slowDemo(description)
        // Only a server with a token answers 303.
        let expected = description.documented.filter { $0.status < 400 && $0.status != 303 }
        #expect(expected.subtracting(description.seen) == [], "documented responses that did not occur")
        for (_, path, operation) in description.operations {
            let events = Set(operation["x-events"]?.object?.members.map(\.name) ?? [])
            #expect(
                events.subtracting(description.seenEvents[path] ?? []) == [], "events of \(path) that did not occur")
        }
    }

    @Test("every route but the health checks requires a token and an allowed host")
    func locks() async throws {
        let description = try APIDescription()
        let api = try await APIFixture(["--token", "0123456789abcdef"])
        let names = ["g": "none", "s": "none", "i": "0", "f": "none", "file": "none", "d": "none"]
        for (method, path, _) in description.operations where !["/healthz", "/readyz"].contains(path) {
            #expect(try description.call(method, path, names, port: api.port).status == 401)
            #expect(try description.call(method, path, names, port: api.port, host: "evil.example").status == 403)
        }
    }

    func open(_ description: APIDescription, _ port: UInt16, _ body: String? = nil) throws -> String {
        let body = body ?? Self.bodies["POST \(Self.sessions)"]
        let answer = try description.call("POST", Self.sessions, port: port, body: body)
        return try #require(answer.json["id"]?.string)
    }

    /// Calls the routes of a server of a folder, and reads their events.
    private func callAll(_ description: APIDescription) async throws {
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
        _ = try call("GET", Self.galleries)
        let news = try EventReader(port, Self.galleryEvents)
        _ = try call("GET", Self.galleryEvents)
        let made = try #require(try call("POST", Self.galleries).json["id"]?.string)
        _ = try description.call(
            "POST", Self.galleries, query: "?title=Lines", port: port, body: "{\"url\":\"http://example.com/1.jpg\"}\n",
            type: "application/x-ndjson")
        _ = try call("GET", Self.gallery, ["g": made])
        _ = try call("GET", "\(Self.gallery)/items", ["g": made], query: "?from=0&count=10")
        _ = try call("DELETE", Self.gallery, ["g": made])
        try arrange(description, port)
        try description.hear(["hello", "upload", "gallery", "removed"], news, of: Self.galleryEvents)
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
        for path in ["", "/layout", "/layout/index", "/trace", "/record", "/simulation"] {
            _ = try call("GET", Self.session + path, names)
        }
        let rows = "Accept: application/octet-stream\r\n"
        let tag = try #require(try call("GET", "\(Self.session)/layout", names, headers: rows).header("etag"))
        _ = try call("GET", "\(Self.session)/layout", names, headers: "\(rows)If-None-Match: \(tag)\r\n")
        _ = try call("GET", "\(Self.session)/events", names)
        let progress = try EventReader(
            port, "\(Self.sessions)/\(names["s"] ?? "")/events?only=progress,record,audience")
        _ = try description.call(
            "POST", "\(Self.session)/viewport", names, port: port,
            body: #"{"seq":3,"time":200,"scrollTop":0,"missing":[0]}"#)
        try description.hear(["progress", "record"], progress)
        let follow = try #require(try call("GET", Self.session, names).json["follow"]?.string)
        let followed = ["f": String(follow.split(separator: "/").last ?? "")]
        _ = try call("GET", Self.follow, followed)
        _ = try call("GET", "\(Self.follow)/events", followed)
        let own = try open(description, port)
        let follower = try EventReader(port, "\(follow)/events?name=Grace&session=\(own)")
        try description.hear(["hello", "plan"], follower, of: "\(Self.follow)/events")
        try description.hear(["audience"], progress)
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
        try description.hear(["bye"], news, of: Self.galleryEvents)
    }

    /// Gets ranges of an original and of a video.
    private func playParts(_ description: APIDescription) async throws {
        let api = try await APIFixture(files: [
            "1.jpg": Picture.motionPhoto(Picture.jpeg(40, 30), film: Movie().bytes)
        ])
        let names = ["g": "pictures", "i": "0"]
        for (kind, range) in [
            ("original", ""), ("original", "Range: bytes=2-5\r\n"), ("video", ""), ("video", "Range: bytes=2-5\r\n"),
        ] {
            try description.call("GET", "\(Self.item)/\(kind)", names, port: api.port, headers: range)
        }
    }

    private func slowDemo(_ description: APIDescription) async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "3000", "--latency", "0"])
        defer { demo.stop() }
        try description.call("GET", "\(Self.item)/thumbnail", ["g": "demo", "i": "1"], port: demo.port)
        try description.call("GET", Self.origin, port: demo.port)
        try description.call("PATCH", Self.origin, port: demo.port, body: #"{"latency":10}"#)
    }

    /// Opens a layout of pictures whose shapes are known only after they are rendered, and reads its changes.
    private func learnShapes(_ description: APIDescription) async throws {
        let api = try await APIFixture(hidesSizes: true)
        let rows =
            #"{"gallery":"pictures","viewport":{"width":600,"height":600},"layout":{"kind":"justified","rowHeight":180}}"#
        let session = try open(description, api.port, rows)
        let justified = try EventReader(api.port, "\(Self.sessions)/\(session)/events")
        try description.hear(["layout"], justified)
    }

    /// Calls the routes of an arranged gallery.
    private func arrange(_ description: APIDescription, _ port: UInt16) throws {
        let body =
            #"{"of":"pictures","sort":"taken","group":"month","filter":{"text":"1","taken":{"to":"2090"},"kinds":["jpeg"]}}"#
        let made = try description.call("POST", Self.galleries, port: port, body: body)
        #expect(try description.call("POST", Self.galleries, port: port, body: body).status == 200)
        let names = ["g": try #require(made.json["id"]?.string)]
        try description.call("GET", Self.gallery, names, port: port)
        try description.call("GET", "\(Self.gallery)/timeline", names, port: port)
        let suggestions = "\(Self.gallery)/suggestions"
        try description.call("GET", suggestions, names, query: "?text=20", port: port)
        try description.call("GET", "\(Self.gallery)/places", names, query: "?of=pictures&count=3", port: port)
        let all = try description.call("POST", Self.galleries, port: port, body: #"{"of":"pictures","sort":"name"}"#)
        let archive = "\(Self.gallery)/archive"
        try description.call("POST", archive, ["g": "pictures"], port: port, body: Self.bodies["POST \(archive)"])
        let downloads = "\(Self.gallery)/downloads"
        let offer = try description.call(
            "POST", downloads, ["g": "pictures"], port: port, body: Self.bodies["POST \(downloads)"])
        let download = ["g": "pictures", "d": offer.json["id"]?.string ?? ""]
        #expect(try description.call("GET", "\(downloads)/{d}", download, port: port).status == 200)
        try description.call("GET", "\(Self.gallery)/items", ["g": all.json["id"]?.string ?? ""], port: port)
    }
}
