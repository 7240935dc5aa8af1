import JSON
import TestSupport
import Testing

/// Sessions with their own share of the demo's origin, as in a race.
@Suite("A session with its own network share", .serialized, .timeLimit(.minutes(2)))
struct LaneTests {
    private static func open(_ port: UInt16, _ more: [String: JSON] = [:]) throws -> JSON {
        var body: JSONObject = [
            "gallery": "demo", "viewport": ["width": 600, "height": 360], "prefetching": false,
            "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
        ]
        for (name, value) in more { body[name] = value }
        let answer = try TestClient(port).call("POST", "sessions", .object(body))
        try #require(answer.status == 201, "\(answer.text)")
        return answer.json
    }

    /// Waits for the six visible pictures and returns the session's counts.
    private static func filled(_ port: UInt16, _ session: JSON) throws -> JSON {
        let events = try EventReader(port, try #require(session["events"]?.string))
        var items: Set<Int> = []
        while items.count < 6 { items.insert(try events.next("thumbnail").data["item"]?.integer ?? -1) }
        #expect(items == Set(0..<6))
        let id = session["id"]?.string ?? ""
        return try TestClient(port).call("GET", "sessions/\(id)").json["counts"] ?? .null
    }

    private static func originRequests(_ port: UInt16) throws -> Int? {
        try TestClient(port).call("GET", "demo/origin").json["counts"]?["requests"]?.integer
    }

    @Test("a session with its own share shares no downloads with others")
    func cold() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "100", "--latency", "0", "--bandwidth", "1000"])
        defer { demo.stop() }
        let shared = try Self.filled(demo.port, Self.open(demo.port))
        #expect(shared["fetchedBytes"] == nil)
        let requests = try Self.originRequests(demo.port)
        let one = try Self.open(demo.port, ["share": 0.5])
        #expect(one["share"] == 0.5)
        let first = try Self.filled(demo.port, one)
        let other = try Self.filled(demo.port, Self.open(demo.port, ["share": 0.5]))
        let bytes = try #require(first["fetchedBytes"]?.integer)
        #expect(bytes > 6_000)
        #expect(other["fetchedBytes"]?.integer == bytes, "both download the same pictures whole")
        #expect(first["wastedBytes"] == 0)
        #expect(try Self.originRequests(demo.port) == requests, "a request used the shared connection")
        // A session without its own share finds its pictures again.
        _ = try Self.filled(demo.port, Self.open(demo.port))
        #expect(try Self.originRequests(demo.port) == requests)
    }

    @Test("prefetched pictures that were never shown count as wasted bytes")
    func waste() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "1000", "--latency", "0", "--bandwidth", "1000"])
        defer { demo.stop() }
        let session = try Self.open(demo.port, ["share": 1, "policy": "chromium-lazy", "prefetching": true])
        let events = try EventReader(demo.port, try #require(session["events"]?.string))
        var ahead = 0
        while ahead < 12 { if try events.next("thumbnail").data["item"]?.integer ?? 0 >= 6 { ahead += 1 } }
        let counts = try TestClient(demo.port).call("GET", "sessions/\(session["id"]?.string ?? "")").json["counts"]
        let (wasted, fetched) = (counts?["wastedBytes"]?.integer ?? 0, counts?["fetchedBytes"]?.integer ?? 0)
        #expect(wasted > 0 && wasted < fetched)
    }

    @Test("a cold session of a folder renders every picture again and stores none")
    func coldFolder() async throws {
        let api = try await APIFixture()
        func renders() throws -> Double {
            let text = try TestClient(api.port).get("/metrics").text
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("lookahead_render_seconds_count") }
            return lines.reduce(0) { $0 + (Double($1.split(separator: " ").last ?? "") ?? 0) }
        }
        // Pictures are also rendered for their placeholders. One of them is broken.
        try await eventually("a render of each", of: { try renders() }) { $0 == Double(APIFixture.pictures - 1) }
        func fill(_ more: [String: JSON]) throws -> JSON {
            let session = try api.session(more)
            let events = try api.events(session)
            // A slow reader gets a picture first small and then full.
            var items: Set<Int> = []
            while items.count < 6 { items.insert(try events.next("thumbnail").data["item"]?.integer ?? -1) }
            return try api.call("GET", "sessions/\(APIFixture.id(session))").json
        }
        let first = try fill(["cold": true, "prefetching": false])
        #expect(first["cold"] == true && first["share"] == nil)
        #expect(first["counts"]?["fetchedBytes"]?.integer ?? 0 > 0)
        let once = try renders()
        let second = try fill(["prefetching": false])
        #expect(second["cold"] == false && second["counts"]?["fetchedBytes"] == nil)
        let twice = try renders()
        #expect(twice == once + 6, "the cold session's pictures were stored")
        // A slow reader gets a picture first small, and then a cold session renders it twice.
        _ = try fill(["cold": true, "prefetching": false])
        let thrice = try renders()
        #expect(thrice >= twice + 6, "the cold session used stored pictures")
        let last = try fill(["prefetching": false])
        #expect(last["counts"]?["fetchedBytes"] == nil)
    }

    @Test("a fifth cold session is refused until another one ends")
    func few() async throws {
        let api = try await APIFixture()
        let sessions = try (0..<4).map { _ in try api.session(["cold": true]) }
        let body: JSON = ["gallery": "pictures", "viewport": ["width": 600, "height": 360], "cold": true]
        let refused = try api.call("POST", "sessions", body)
        #expect(refused.status == 429 && refused.header("retry-after") == "30")
        _ = try api.call("DELETE", "sessions/\(APIFixture.id(sessions[0]))")
        #expect(try api.call("POST", "sessions", body).status == 201)
    }

    @Test("a share is refused for other galleries than the demo's, and out of bounds")
    func refused() async throws {
        let api = try await APIFixture()
        let body: JSON = ["gallery": "pictures", "viewport": ["width": 600, "height": 360], "share": 0.5]
        let answer = try api.call("POST", "sessions", body)
        #expect(answer.status == 422)
        #expect(answer.json["field"] == "/share")
        let demo = try await LookaheadProcess(["demo", "--items", "9"])
        defer { demo.stop() }
        for share in [0, 1.5] {
            let body: JSON = ["gallery": "demo", "viewport": ["width": 600, "height": 360], "share": .number(share)]
            #expect(try TestClient(demo.port).call("POST", "sessions", body).status == 422)
        }
    }

    @Test("a session's own network affects and changes only that session")
    func network() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "100", "--latency", "0", "--bandwidth", "1000"])
        defer { demo.stop() }
        let client = try TestClient(demo.port)
        let slow = try Self.open(demo.port, ["network": ["latency": 60_000, "jitter": 0]])
        #expect(slow["share"] == 1)
        #expect(try client.call("GET", "demo/origin").json["conditions"]?["latency"] == 0)
        _ = try Self.filled(demo.port, Self.open(demo.port))
        let path = "sessions/\(slow["id"]?.string ?? "")"
        #expect(try client.call("GET", path).json["counts"]?["ready"] == 0)
        #expect(try client.call("PATCH", path, ["network": ["latency": -1]]).json["field"] == "/network/latency")
        #expect(try client.call("PATCH", path, ["network": ["latency": 0]]).status == 200)
        #expect(try client.call("GET", "demo/origin").json["conditions"]?["latency"] == 0)
        // Requests in flight wait out the latency that they began with, so the next pictures show the change.
        let update: JSON = ["seq": 1, "time": 1, "scrollTop": 3_000, "phase": "idle"]
        let events = try EventReader(demo.port, try #require(slow["events"]?.string))
        #expect(try client.call("POST", "\(path)/viewport", update).status == 200)
        #expect(try events.next("thumbnail").data["item"]?.integer ?? 0 > 6)
    }

    @Test("a network is refused out of bounds, for other galleries, and for a session without its own share")
    func refusedNetwork() async throws {
        let api = try await APIFixture()
        let viewport: JSON = ["width": 600, "height": 360]
        let body: JSON = ["gallery": "pictures", "viewport": viewport, "network": ["latency": 5]]
        #expect(try api.call("POST", "sessions", body).json["field"] == "/network")
        let demo = try await LookaheadProcess(["demo", "--items", "9"])
        defer { demo.stop() }
        let client = try TestClient(demo.port)
        let wrong: JSON = ["gallery": "demo", "viewport": viewport, "network": ["bandwidth": 0]]
        #expect(try client.call("POST", "sessions", wrong).json["field"] == "/network/bandwidth")
        let shared = try Self.open(demo.port)
        let answer = try client.call("PATCH", "sessions/\(shared["id"]?.string ?? "")", ["network": ["latency": 5]])
        #expect(answer.status == 422 && answer.json["field"] == "/network")
    }

    @Test("the number of parallel downloads can be changed while the demo runs")
    func concurrency() async throws {
        let demo = try await LookaheadProcess([
            "demo", "--items", "100", "--latency", "60000", "--jitter", "0",
        ])
        defer { demo.stop() }
        let client = try TestClient(demo.port, seconds: 30)
        let changed = try client.call("PATCH", "demo/origin", ["concurrency": 2]).json
        #expect(changed["conditions"]?["concurrency"] == 2)
        let session = try Self.open(demo.port)
        func open() throws -> Int? { try client.call("GET", "demo/origin").json["counts"]?["open"]?.integer }
        try await eventually("two downloads", of: open, satisfies: { $0 == 2 })
        let counts = try client.call("GET", "sessions/\(session["id"]?.string ?? "")").json["counts"]
        #expect(counts?["loading"] == 2)
        #expect(counts?["queued"] == 4)
        _ = try client.call("PATCH", "demo/origin", ["concurrency": 5])
        try await eventually("five downloads", of: open, satisfies: { $0 == 5 })
        #expect(try client.call("PATCH", "demo/origin", ["concurrency": 0]).status == 422)
    }
}
