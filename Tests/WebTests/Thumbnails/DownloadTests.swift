import JSON
import TestSupport
import Testing

/// The demo, whose origin counts its downloads.
final class DemoFixture: ServedGalleries {
    let server: LookaheadProcess

    init(items: Int = 1000, latency: Int = 5, bandwidth: Int = 1000, _ more: [String] = []) async throws {
        server = try await LookaheadProcess(
            ["demo", "--items", "\(items)", "--latency", "\(latency)", "--jitter", "0", "--bandwidth", "\(bandwidth)"]
                + more)
    }

    deinit { server.stop() }

    var port: UInt16 { server.port }
    var gallery: String { "demo" }

    /// Opens a session without prefetching.
    func session(_ more: [String: JSON] = [:]) throws -> JSON {
        try session(height: 360, more.merging(["prefetching": false]) { given, _ in given })
    }

    func count(_ name: String) throws -> Int {
        try #require(try call("GET", "demo/origin").json["counts"]?[name]?.integer)
    }

    /// Waits until the origin's counts satisfy a condition.
    @discardableResult
    func origin(_ what: String, _ isWanted: (JSON) -> Bool) async throws -> JSON {
        try await eventually(
            what, of: { try call("GET", "demo/origin").json["counts"] ?? .null }, satisfies: isWanted)
    }

    static func thumbnails(_ count: Int, from events: EventReader) throws -> Set<Int> {
        var items: Set<Int> = []
        while items.count < count { items.insert(try #require(try events.next("thumbnail").data["item"]?.integer)) }
        return items
    }
}

@Suite(.serialized, .timeLimit(.minutes(2)))
struct DownloadTests {
    @Test("pictures wanted by two sessions are downloaded once")
    func shared() async throws {
        let demo = try await DemoFixture(latency: 200)
        let streams = try (0..<2).map { _ in try demo.events(try demo.session()) }
        for stream in streams { #expect(try DemoFixture.thumbnails(6, from: stream) == Set(0..<6)) }
        #expect(try demo.count("requests") == 6)
        #expect(try demo.count("completed") == 6)
    }

    @Test("downloads are aborted when the last session that wants them closes")
    func aborted() async throws {
        let demo = try await DemoFixture(latency: 60_000)
        let sessions = try (0..<2).map { _ in try demo.session() }
        try await demo.origin("six downloads") { $0["open"] == 6 }
        #expect(try demo.call("DELETE", "sessions/\(APIFixture.id(sessions[0]))").status == 204)
        #expect(try demo.count("aborted") == 0)
        #expect(try demo.call("DELETE", "sessions/\(APIFixture.id(sessions[1]))").status == 204)
        let counts = try await demo.origin("six aborted downloads") { $0["aborted"] == 6 }
        #expect(counts["aborted"] == 6)
        #expect(counts["open"] == 0)
    }

    @Test("scrolling away aborts downloads in flight and sends no request for queued ones")
    func scrolledAway() async throws {
        let demo = try await DemoFixture(latency: 60_000, ["--max-downloads", "4", "--max-downloads-per-host", "4"])
        let session = try demo.session(["policy": "operation-queue"])
        try await demo.origin("four downloads") { ($0["open"]?.integer ?? 0) >= 4 }
        for seq in 1...20 {
            let body: JSON = [
                "seq": .number(Double(seq)), "time": .number(Double(seq * 20)), "scrollTop": .number(Double(seq) * 720),
            ]
            _ = try demo.call("POST", "sessions/\(APIFixture.id(session))/viewport", body)
        }
        let counts = try await demo.origin("four aborted downloads") { ($0["aborted"]?.integer ?? 0) >= 4 }
        #expect((counts["aborted"]?.integer ?? 0) >= 4)
        #expect((counts["requests"]?.integer ?? 0) < 6 * 21)
    }

    @Test("no more downloads run at once than the limit for a host")
    func limit() async throws {
        let demo = try await DemoFixture(
            latency: 60_000, ["--max-downloads", "8", "--max-downloads-per-host", "3"])
        let tall: [String: JSON] = ["viewport": ["width": 600, "height": 3600]]
        let held = try demo.session(tall)
        try await demo.origin("three downloads") { $0["open"] == 3 }
        try await eventually(
            "57 queued downloads",
            of: { try demo.call("GET", "sessions/\(APIFixture.id(held))").json["counts"] ?? .null },
            satisfies: { $0["loading"] == 3 && $0["queued"] == 57 })
        #expect(try demo.count("peak") == 3)
        _ = try demo.call("DELETE", "sessions/\(APIFixture.id(held))")
        try await demo.origin("three aborted downloads") { $0["aborted"] == 3 }
        // Uses the server's count, because the origin counts a request as open until it knows that its last byte was
        // read.
        _ = try demo.call("PATCH", "demo/origin", ["latency": 20, "bandwidth": 20])
        let stream = try demo.events(try demo.session(tall))
        for _ in 0..<60 {
            _ = try stream.next("thumbnail")
            #expect(try ServerFigures(port: demo.server.port).sum("downloads_in_flight") <= 3)
        }
    }

    @Test("a cancelled picture is fetched again on demand and shown at its item")
    func again() async throws {
        let demo = try await DemoFixture(latency: 60_000)
        let session = try demo.session(["policy": "operation-queue"])
        let id = try APIFixture.id(session)
        try await demo.origin("six downloads") { $0["open"] == 6 }
        _ = try demo.call("POST", "sessions/\(id)/viewport", ["seq": 1, "time": 0, "scrollTop": 36000])
        try await demo.origin("six aborted downloads") { $0["aborted"] == 6 }
        #expect(try demo.call("PATCH", "demo/origin", ["latency": 1]).status == 200)
        let events = try demo.events(session)
        _ = try demo.call("POST", "sessions/\(id)/viewport", ["seq": 2, "time": 100, "scrollTop": 0])
        #expect(try DemoFixture.thumbnails(6, from: events) == Set(0..<6))
    }

    @Test("a second visit downloads nothing")
    func remembered() async throws {
        let demo = try await DemoFixture()
        for _ in 0..<2 { _ = try DemoFixture.thumbnails(6, from: try demo.events(try demo.session())) }
        #expect(try demo.count("requests") == 6)
    }

    @Test("stored thumbnails survive a restart")
    func stored() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<6 { try folder.write("pictures/\(number).jpg", Picture.jpeg(300, 200)) }
        let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
        defer { server.stop() }
        func filesReadOnVisit() throws -> Int {
            let body: JSON = [
                "gallery": "pictures", "viewport": ["width": 600, "height": 360], "prefetching": false,
                "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
            ]
            let session = try TestClient(server.port).call("POST", "sessions", body).json
            let events = try EventReader(server.port, try #require(session["events"]?.string))
            _ = try DemoFixture.thumbnails(6, from: events)
            let pictures = try TestClient(server.port).call("GET", "stats").json["pictures_total"]?.array ?? []
            return try #require(pictures.first { $0["labels"]?["result"] == "completed" }?["value"]?.integer)
        }
        #expect(try filesReadOnVisit() == 6)
        #expect(server.stop() == 0)
        try await server.restart()
        #expect(try filesReadOnVisit() == 0)
    }

    @Test("the demo's network can be changed while it runs, and a wrong value is refused with its field")
    func conditions() async throws {
        let demo = try await DemoFixture()
        let changed = try demo.call("PATCH", "demo/origin", ["bandwidth": 5, "failureRate": 0.5]).json["conditions"]
        #expect(changed?["latency"] == 5 && changed?["jitter"] == 0)
        #expect(changed?["bandwidth"] == 5 && changed?["failureRate"] == 0.5)
        let wrong = try demo.call("PATCH", "demo/origin", ["failureRate": 2])
        #expect(wrong.status == 422)
        #expect(wrong.json["field"] == "/failureRate")
    }
}
