import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct SessionAPITests {
    @Test("a session's stream sends hello, and then each visible picture once")
    func pictures() async throws {
        let api = try await APIFixture()
        let session = try api.session(["prefetching": false])
        #expect(session["visible"] == ["from": 0, "to": 6])
        #expect(session["contentHeight"] == 900)
        let events = try api.events(session)
        #expect(events.head.status == 200)
        #expect(events.head.header("content-type")?.hasPrefix("text/event-stream") == true)
        let hello = try events.next()
        #expect(hello.name == "hello")
        #expect(hello.data["id"] == session["id"])
        var seen: Set<Int> = []
        var lastID = hello.id ?? 0
        while seen.count < 9 {
            let event = try events.next()
            #expect((event.id ?? 0) > lastID)
            lastID = event.id ?? 0
            guard event.name == "thumbnail" else { continue }
            let item = try #require(event.data["item"]?.integer)
            #expect(seen.insert(item).inserted, "item \(item) came twice")
            #expect(event.data["mediaType"] == "image/jpeg")
            #expect(event.data["data"]?.string?.hasPrefix("/9j/") == true)
            #expect((event.data["width"]?.integer ?? 0) >= 192)
            if seen.count == 6 {
                #expect(seen == Set(0..<6))
                try api.post(session, seq: 1, scrollTop: 540)
            }
        }
        // Items 6 and 7 are never visible, and item 11 is broken.
        #expect(seen == Set(0..<6).union(8..<11))
    }

    @Test("a broken picture fails with its reason, and is tried again if the client reports it missing")
    func failed() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        let events = try api.events(session)
        try api.post(session, seq: 1, scrollTop: 540)
        let failed = try events.next("failed")
        #expect(failed.data["item"] == 11)
        #expect(failed.data["reason"]?.string?.contains("not a picture") == true)
        #expect(failed.data["retryable"] == false)
        try api.folder.write("pictures/b/12.jpg", Picture.jpeg(300, 200))
        try api.post(session, seq: 2, scrollTop: 540, missing: [11])
        let mended = try events.next("thumbnail") { $0["item"] == 11 }
        #expect(mended.data["width"]?.integer == 288)
    }

    @Test("a plan lists visible and prefetched items, and an outdated update changes nothing")
    func plans() async throws {
        let api = try await APIFixture()
        let session = try api.session(height: 180, ["policy": "collection-view"])
        let plan = try api.post(session, seq: 5, scrollTop: 180).json
        #expect(plan["seq"] == 5)
        #expect(plan["visible"] == ["from": 3, "to": 6])
        #expect(plan["prefetch"] == [6, 7])
        #expect(plan["contentHeight"] == 900)
        #expect(plan["landing"]?["confidence"]?.number != nil)
        let stale = try api.post(session, seq: 4, scrollTop: 0)
        #expect(stale.status == 200)
        #expect(stale.json["seq"] == 5)
        #expect(stale.json["visible"] == ["from": 3, "to": 6])
        let beyond = try api.post(session, seq: 6, scrollTop: 1e9)
        #expect(beyond.json["scrollTop"] == 720)
    }

    @Test("a viewport with too many items is refused with the wrong field")
    func tooManyAtOnce() async throws {
        let api = try await APIFixture()
        let tiny: JSON = ["kind": "grid", "itemWidth": 1, "itemHeight": 1]
        func opened(_ layout: JSON, _ width: Double, _ height: Double) throws -> TestClient.Answer {
            try api.call(
                "POST", "sessions",
                [
                    "gallery": .string(api.gallery), "layout": layout,
                    "viewport": ["width": .number(width), "height": .number(height)],
                ])
        }
        for kind: JSON in [tiny, ["kind": "justified", "rowHeight": 1], ["kind": "masonry", "columnWidth": 1]] {
            let answer = try opened(kind, 100_000, 100_000)
            #expect(answer.status == 422 && answer.json["field"] == "/viewport/height", "\(answer.text)")
        }
        #expect(try opened(tiny, 50, 50).status == 201)
        let session = try api.session()
        let path = "sessions/\(try APIFixture.id(session))"
        let update: JSON = ["seq": 1, "time": 0, "scrollTop": 0, "width": 100_000, "height": 100_000]
        let wide = try api.call("POST", "\(path)/viewport", update)
        #expect(wide.status == 422 && wide.json["field"] == "/height", "\(wide.text)")
        let small = try api.call("PATCH", path, ["layout": tiny])
        #expect(small.status == 422 && small.json["field"] == "/layout", "\(small.text)")
        let large = try api.call("PATCH", path, ["viewport": ["width": 100_000, "height": 100_000]])
        #expect(large.status == 422 && large.json["field"] == "/viewport", "\(large.text)")
        #expect(try api.call("GET", path).json["viewport"]?["width"] == 600)
    }

    @Test("a reconnected client gets only the events after its last one")
    func resume() async throws {
        let api = try await APIFixture()
        let session = try api.session(["prefetching": false])
        let first = try api.events(session)
        let events = try (0..<6).map { _ in try first.next("thumbnail") }
        first.leave()
        let second = try api.events(session, lastEventID: try #require(events[3].id))
        let items = try (0..<2).map { _ in try second.next("thumbnail").data["item"]?.integer }
        #expect(Set(items) == Set(events[4...].map { $0.data["item"]?.integer }))
        let third = try api.events(session)
        var all: Set<Int> = []
        while all.count < 6 { all.insert(try #require(try third.next("thumbnail").data["item"]?.integer)) }
        #expect(all == Set(0..<6))
    }

    @Test("followers get the presenter's plans and the API's scrolls")
    func followers() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        let id = try APIFixture.id(session)
        let presenter = try api.events(session)
        let follower = try api.events(session)
        #expect(try follower.next().name == "hello")
        try api.post(session, seq: 1, scrollTop: 180)
        #expect(try follower.next("plan") { $0["seq"] == 1 }.data["visible"] == ["from": 3, "to": 8])
        #expect(try api.call("POST", "sessions/\(id)/scroll", ["item": 9, "animated": true]).status == 202)
        for stream in [presenter, follower] {
            let scroll = try stream.next("scroll")
            #expect(scroll.data == ["scrollTop": 540, "item": 9, "animated": true])
        }
        #expect(try api.call("POST", "sessions/\(id)/scroll", [:]).status == 422)
    }

    @Test("layout, policy, prefetching and viewport can be changed, and the top item stays visible")
    func change() async throws {
        let api = try await APIFixture()
        let session = try api.session(height: 180)
        let id = try APIFixture.id(session)
        try api.post(session, seq: 1, scrollTop: 540)
        let answer = try api.call(
            "PATCH", "sessions/\(id)",
            [
                "layout": ["kind": "grid", "itemWidth": 100, "itemHeight": 90], "policy": "scroll-end",
                "prefetching": false, "viewport": ["height": 90],
            ])
        #expect(answer.status == 200)
        #expect(answer.json["policy"] == "scroll-end")
        #expect(answer.json["prefetching"] == false)
        #expect(answer.json["layout"]?["itemWidth"] == 100)
        #expect(answer.json["viewport"]?["height"] == 90)
        let visible = try #require(answer.json["visible"]?["from"]?.integer)
        #expect(visible...visible + 5 ~= 9)
        #expect(try api.call("GET", "sessions/\(id)").json["policy"] == "scroll-end")
    }

    @Test("frames are returned as numbers or as compact rows")
    func frames() async throws {
        let api = try await APIFixture()
        let id = try APIFixture.id(try api.session())
        let frames = try api.call("GET", "sessions/\(id)/layout?from=2&to=4").json
        #expect(frames == ["from": 2, "to": 4, "frames": [400, 0, 200, 180, 0, 180, 200, 180]])
        let rows = try TestClient(api.port).call(
            "GET", "sessions/\(id)/layout?from=0&to=4", headers: "Accept: application/octet-stream\r\n")
        #expect(rows.header("content-type") == "application/octet-stream")
        #expect(rows.body == [180, 0, 3, 200, 0, 200, 0, 200, 0, 180, 0, 1, 200, 0])
        let index = try api.call("GET", "sessions/\(id)/layout/index")
        #expect(index.body == [0, 0, 0, 0, 0x84, 0x03, 0, 0])
    }

    @Test("justified and masonry layouts give every item a frame")
    func layouts() async throws {
        let api = try await APIFixture()
        for layout: JSON in [
            ["kind": "justified", "rowHeight": 150], ["kind": "masonry", "columnWidth": 150],
        ] {
            let id = try APIFixture.id(try api.session(["layout": layout]))
            let frames = try api.call("GET", "sessions/\(id)/layout?from=0&to=12").json["frames"]?.array ?? []
            #expect(frames.count == 48)
            #expect(frames.allSatisfy { ($0.number ?? -1) >= 0 })
        }
    }

    @Test("closing a session with DELETE or a beacon ends its streams", arguments: ["DELETE", "POST"])
    func close(method: String) async throws {
        let api = try await APIFixture()
        let session = try api.session()
        let id = try APIFixture.id(session)
        let events = try api.events(session)
        let path = method == "POST" ? "sessions/\(id)/close" : "sessions/\(id)"
        #expect(try api.call(method, path).status == 204)
        #expect(try events.next("bye").data["reason"] != nil)
        #expect(events.seesEnd())
        #expect(try api.call("GET", "sessions/\(id)").status == 404)
    }

    @Test("stats arrive on the stream")
    func stats() async throws {
        let api = try await APIFixture()
        let events = try api.events(try api.session())
        let stats = try events.next("stats").data
        for name in ["time", "hitRatio", "blankTime", "visibleTime", "wastedBytes", "latency", "bandwidth"] {
            #expect(stats[name]?.number != nil, "\(name)")
        }
        #expect(stats["counts"]?["queued"] != nil)
        #expect(stats["server"]?["downloadsPerSecond"] != nil)
    }

    @Test("a session's trace has a header and its samples")
    func trace() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        for seq in 1...3 { try api.post(session, seq: seq, scrollTop: Double(seq) * 10) }
        let answer = try api.call("GET", "sessions/\(APIFixture.id(session))/trace")
        #expect(answer.header("content-type") == "application/x-ndjson")
        let lines = try answer.text.split(separator: "\n").map { try JSON.parse(String($0)) }
        #expect(lines.count == 4)
        #expect(lines[0]["version"] == 1)
        #expect(lines[0]["itemCount"] == 12)
        #expect(lines[3] == ["t": 200, "y": 30, "phase": "wheel"])
    }

    @Test("a session's record says when and why each picture was wanted, arrived and was seen")
    func record() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        let path = "sessions/\(try APIFixture.id(session))/record"
        let events = try api.events(session)
        let items = try (0..<3).map { _ in try events.next("thumbnail").data["item"] }
        try api.post(session, seq: 1, scrollTop: 200)
        try await eventually(
            "the outcome of each picture", of: { try api.call("GET", path).text },
            satisfies: { text in
                let pictures = try? JSON.parse(text)["pictures"]?.array
                return pictures?.allSatisfy { $0["arrived"] ?? $0["failed"] ?? $0["cancelled"] != nil } == true
            })
        let record = try api.call("GET", path).json
        #expect(record["version"] == 1 && record["policy"] == "lookahead" && record["itemCount"] == 12)
        #expect(
            record["samples"] == [
                ["t": .number(record["samples"]?.array?[0]["t"]?.number ?? -1), "y": 200, "phase": "wheel"]
            ])
        let pictures = record["pictures"]?.array ?? []
        for item in items {
            #expect(pictures.contains { $0["item"] == item && $0["reason"] == "visible" && $0["seen"] != nil })
        }
        for picture in pictures where picture["arrived"] != nil {
            #expect(picture["wanted"]?.number ?? .infinity <= picture["arrived"]?.number ?? -1, "\(picture)")
            #expect(picture["bytes"]?.integer ?? 0 > 0)
        }
        #expect(record["exposure"]?.array?.first?["visible"]?.integer == 6)
        // Positions of another layout have another meaning.
        let layout: JSON = ["kind": "grid", "itemWidth": 100, "itemHeight": 90]
        _ = try api.call("PATCH", "sessions/\(try APIFixture.id(session))", ["layout": layout])
        let restarted = try api.call("GET", path).json
        #expect(restarted["layout"]?["itemWidth"] == 100)
        #expect(restarted["samples"]?.array?.map { $0["t"] } == [0])
    }

    @Test("the last minute is simulated with any policy and network, and invalid ones are refused by name")
    func simulation() async throws {
        let api = try await APIFixture()
        let session = try api.session(["prefetching": false])
        let path = "sessions/\(try APIFixture.id(session))"
        #expect(try api.call("GET", "\(path)/simulation").status == 409)
        for step in 1...10 { _ = try api.post(session, seq: step, scrollTop: Double(step * 36)) }
        let record = try api.call("GET", "\(path)/record").json
        func simulated(_ query: String) throws -> JSON { try api.call("GET", "\(path)/simulation?\(query)").json }
        let near = try simulated("policy=lookahead&latency=1&bandwidth=1000")
        #expect(near["start"] == record["start"] && near["itemCount"] == 12)
        #expect(near["pictures"]?.array?.contains { $0["seen"] != nil } == true, "\(near)")
        let far = try simulated("policy=collection-view&latency=60000")
        #expect(far["policy"] == "collection-view")
        #expect(far["pictures"]?.array?.contains { $0["arrived"] != nil } == false)
        #expect(try simulated("policy=oracle")["policy"] == "oracle")
        for (query, field) in [
            ("policy=luck", "/policy"), ("latency=-1", "/latency"), ("latency=x", "/latency"),
            ("bandwidth=0", "/bandwidth"), ("bandwidth=nan", "/bandwidth"),
        ] {
            let refused = try api.call("GET", "\(path)/simulation?\(query)")
            #expect(refused.status == 422 && refused.json["field"] == .string(field), "\(refused.text)")
        }
    }

    @Test("a session over the limit is refused with Retry-After")
    func tooMany() async throws {
        let api = try await APIFixture(["--max-sessions", "1"])
        _ = try api.session()
        let refused = try api.call(
            "POST", "sessions", ["gallery": "pictures", "viewport": ["width": 600, "height": 400]])
        #expect(refused.status == 429)
        #expect(refused.header("retry-after") != nil)
    }

    @Test("a session without a listener ends")
    func lonely() async throws {
        let api = try await APIFixture(["--session-grace", "1"])
        let session = try api.session()
        let watched = try api.session()
        let watcher = try api.events(watched)
        try await eventually(
            "the end of the lonely session",
            of: { try api.call("GET", "sessions/\(APIFixture.id(session))").status }, satisfies: { $0 == 404 })
        #expect(try api.call("GET", "sessions/\(APIFixture.id(watched))").status == 200)
        withExtendedLifetime(watcher) {}
    }
}
