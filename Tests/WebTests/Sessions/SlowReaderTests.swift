import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct SlowReaderTests {
    @Test(
        "a follower that stops reading is disconnected, and resumes with the visible pictures"
    )
    func stuck() async throws {
        let api = try await APIFixture(["--reader-timeout", "1"])
        let session = try api.session(["prefetching": false])
        let presenter = try api.events(session)
        let follower = try EventReader(api.port, try #require(session["events"]?.string), receiveBuffer: 4096)
        let heard = try #require(try follower.next().id)
        // More than the kernel's buffers hold. Each plan has half a kilobyte.
        presenter.patience = 5000
        for seq in 1...200 {
            try api.post(session, seq: seq, scrollTop: seq % 2 == 0 ? 0 : 180)
            _ = try presenter.next("plan") { $0["seq"]?.integer == seq }
        }
        try await eventually(
            "an ended stream",
            of: { try ServerFigures(port: api.port).sum("streams_ended_total", ["reason": "stuck"]) },
            satisfies: { $0 > 0 })
        #expect(follower.seesEnd())
        #expect(try ServerFigures(port: api.port).sum("streams") == 1)

        let resumed = try api.events(session, lastEventID: heard)
        var items: Set<Int> = []
        while items.count < 6 { items.insert(try #require(try resumed.next("thumbnail").data["item"]?.integer)) }
        #expect(items.isSuperset(of: 0..<6))
    }
}

@Suite(.serialized, .timeLimit(.minutes(2)))
struct ResumeTests {
    @Test("only a picture reported missing is sent again")
    func missing() async throws {
        let api = try await APIFixture()
        let session = try api.session(["prefetching": false])
        let events = try api.events(session)
        for _ in 0..<6 { _ = try events.next("thumbnail") }
        try api.post(session, seq: 1, scrollTop: 0, missing: [2])
        #expect(try events.next("thumbnail").data["item"] == 2)
        try api.post(session, seq: 2, scrollTop: 0)
        var (names, stats) = (Set<String>(), 0)
        while stats < 2 {
            let name = try events.next().name
            names.insert(name)
            if name == "stats" { stats += 1 }
        }
        #expect(!names.contains("thumbnail"))
    }

    @Test("a reconnected page that lacks nothing gets no picture")
    func lacksNothing() async throws {
        let api = try await APIFixture()
        let session = try api.session(["prefetching": false])
        let first = try api.events(session)
        var last = 0
        for _ in 0..<6 { last = try #require(try first.next("thumbnail").id) }
        first.leave()
        let second = try api.events(session, lastEventID: last)
        var (names, stats) = ([String](), 0)
        while stats < 2 {
            names.append(try second.next().name)
            if names.last == "stats" { stats += 1 }
        }
        #expect(names.prefix(2) == ["hello", "plan"])
        #expect(!names.contains("thumbnail"))
    }

    @Test("a session without a client ends and cancels its downloads")
    func letsGo() async throws {
        let demo = try await LookaheadProcess([
            "demo", "--items", "100", "--latency", "60000", "--jitter", "0", "--session-grace", "1",
        ])
        let client = try TestClient(demo.port)
        func sum(_ name: String) throws -> Double { try ServerFigures(port: demo.port).sum(name) }
        let body: JSON = ["gallery": "demo", "viewport": ["width": 600, "height": 400]]
        #expect(try client.call("POST", "sessions", body).status == 201)
        func reaches(_ what: String, _ name: String, _ isWanted: (Double) -> Bool) async throws {
            try await eventually(what, of: { try sum(name) }, satisfies: isWanted)
        }
        try await reaches("downloads in flight", "downloads_in_flight") { $0 > 0 }
        // The session's grace period is one second.
        try await reaches("no session", "sessions") { $0 == 0 }
        try await reaches("no download", "downloads_in_flight") { $0 == 0 }
        #expect(try sum("tasks_queued") == 0 && sum("tasks_running") == 0)
        #expect(try sum("tasks_created_total") == sum("tasks_total"))
        #expect(demo.stop() == 0)
    }
}
