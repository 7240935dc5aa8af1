import JSON
import TestSupport
import Testing

/// The demo, whose origin tells what was really downloaded.
final class DemoFixture {
    let server: LookaheadProcess

    init(items: Int = 1000, latency: Int = 5, bandwidth: Int = 1000, _ more: [String] = []) async throws {
        server = try await LookaheadProcess(
            ["demo", "--items", "\(items)", "--latency", "\(latency)", "--jitter", "0", "--bandwidth", "\(bandwidth)"]
                + more)
    }

    deinit { server.stop() }

    func call(_ method: String, _ path: String, _ body: JSON? = nil) throws -> TestClient.Answer {
        try TestClient(server.port).call(method, path, body)
    }

    func session(_ more: JSONObject = [:]) throws -> JSON {
        var body: JSONObject = [
            "gallery": "demo", "viewport": ["width": 600, "height": 360], "prefetching": false,
            "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
        ]
        for member in more.members { body[member.name] = member.value }
        let answer = try call("POST", "sessions", .object(body))
        try #require(answer.status == 201, "\(answer.text)")
        return answer.json
    }

    func events(_ session: JSON) throws -> EventReader {
        try EventReader(server.port, try #require(session["events"]?.string))
    }

    func count(_ name: String) throws -> Int {
        try #require(try call("GET", "demo/origin").json["counts"]?[name]?.integer)
    }

    /// Asks the origin until its counts are as wanted; each question is an exchange, so this neither spins nor sleeps long.
    func origin(_ isWanted: (JSON) -> Bool) throws -> JSON {
        for _ in 0..<20_000 {
            let counts = try call("GET", "demo/origin").json["counts"] ?? .null
            if isWanted(counts) { return counts }
        }
        return try call("GET", "demo/origin").json["counts"] ?? .null
    }

    static func thumbnails(_ count: Int, from events: EventReader) throws -> Set<Int> {
        var items: Set<Int> = []
        while items.count < count { items.insert(try #require(try events.next("thumbnail").data["item"]?.integer)) }
        return items
    }
}

@Suite(.serialized, .timeLimit(.minutes(3)))
struct DownloadTests {
    @Test("what two sessions want is downloaded once")
    func shared() async throws {
        let demo = try await DemoFixture(latency: 200)
        let streams = try (0..<2).map { _ in try demo.events(try demo.session()) }
        for stream in streams { #expect(try DemoFixture.thumbnails(6, from: stream) == Set(0..<6)) }
        #expect(try demo.count("requests") == 6)
        #expect(try demo.count("completed") == 6)
    }

    @Test("a download is aborted when the last session that wants it lets go, not before")
    func aborted() async throws {
        let demo = try await DemoFixture(latency: 60_000)
        let sessions = try (0..<2).map { _ in try demo.session() }
        #expect(try demo.origin { $0["open"] == 6 }["open"] == 6)
        #expect(try demo.call("DELETE", "sessions/\(APIFixture.id(sessions[0]))").status == 204)
        #expect(try demo.count("aborted") == 0)
        #expect(try demo.call("DELETE", "sessions/\(APIFixture.id(sessions[1]))").status == 204)
        let counts = try demo.origin { $0["aborted"] == 6 }
        #expect(counts["aborted"] == 6)
        #expect(counts["open"] == 0)
    }

    @Test("scrolling away aborts what is in flight and never asks for what was only queued")
    func scrolledAway() async throws {
        let demo = try await DemoFixture(latency: 60_000, ["--max-downloads", "4", "--max-downloads-per-host", "4"])
        let session = try demo.session(["policy": "operation-queue"])
        _ = try demo.origin { ($0["open"]?.integer ?? 0) >= 4 }
        for seq in 1...20 {
            let body: JSON = [
                "seq": .number(Double(seq)), "time": .number(Double(seq * 20)), "scrollTop": .number(Double(seq) * 720),
            ]
            _ = try demo.call("POST", "sessions/\(APIFixture.id(session))/viewport", body)
        }
        let counts = try demo.origin { ($0["aborted"]?.integer ?? 0) >= 4 }
        #expect((counts["aborted"]?.integer ?? 0) >= 4)
        #expect((counts["requests"]?.integer ?? 0) < 6 * 21)
    }

    @Test("never more downloads at once than the limit")
    func limit() async throws {
        let demo = try await DemoFixture(
            latency: 20, bandwidth: 20, ["--max-downloads", "8", "--max-downloads-per-host", "3"])
        let session = try demo.session(["viewport": ["width": 600, "height": 3600]])
        _ = try DemoFixture.thumbnails(60, from: try demo.events(session))
        _ = try demo.origin { $0["open"] == 0 }
        // From here on nothing is answered: what has begun is under way.
        #expect(try demo.call("PATCH", "demo/origin", ["latency": 60_000]).status == 200)
        let path = "sessions/\(try APIFixture.id(session))/viewport"
        _ = try demo.call("POST", path, ["seq": 1, "time": 1000, "scrollTop": 36_000])
        _ = try demo.origin { ($0["open"]?.integer ?? 0) >= 3 }
        _ = try demo.call("POST", path, ["seq": 2, "time": 1020, "scrollTop": 36_000])
        #expect(try demo.count("open") == 3)
    }

    @Test("what was cancelled and is wanted again is fetched again, and lands on its own item")
    func again() async throws {
        let demo = try await DemoFixture(latency: 60_000)
        let session = try demo.session(["policy": "operation-queue"])
        let id = try APIFixture.id(session)
        _ = try demo.origin { $0["open"] == 6 }
        _ = try demo.call("POST", "sessions/\(id)/viewport", ["seq": 1, "time": 0, "scrollTop": 36000])
        #expect(try demo.origin { $0["aborted"] == 6 }["aborted"] == 6)
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

    @Test("conditions of the origin change while it runs; a wrong one names its field")
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
