import JSON
import TestSupport
import Testing

@Suite("Following a session", .serialized, .timeLimit(.minutes(2)))
struct FollowTests {
    private static func followPath(_ session: JSON) throws -> String { try #require(session["follow"]?.string) }

    @discardableResult
    private static func scroll(_ api: APIFixture, _ session: JSON, _ seq: Int, to top: Int) throws -> Int {
        let body: JSON = [
            "seq": .number(Double(seq)), "time": .number(Double(seq) * 16), "scrollTop": .number(Double(top)),
        ]
        return try api.call("POST", "sessions/\(APIFixture.id(session))/viewport", body).status
    }

    @Test("a follower gets the presenter's name and scrolls, and cannot scroll the session")
    func readOnly() async throws {
        let api = try await APIFixture()
        let session = try api.session(["name": "Ada"])
        let path = try Self.followPath(session)
        #expect(!path.contains(try APIFixture.id(session)))
        let follower = try EventReader(api.port, path + "/events")
        let hello = try follower.next("hello").data
        #expect(hello["name"] == "Ada")
        #expect(
            !String(decoding: hello.bytes, as: UTF8.self).contains(try APIFixture.id(session)),
            "the session's id allows scrolling")
        #expect(try follower.next("plan").data["scrollTop"] == 0)
        try Self.scroll(api, session, 1, to: 180)
        #expect(try follower.next("plan").data["scrollTop"] == 180)
        let id = path.split(separator: "/").last.map(String.init) ?? ""
        for (method, action) in [("POST", "/scroll"), ("POST", "/viewport"), ("PATCH", ""), ("DELETE", "")] {
            #expect(try api.call(method, "sessions/\(id)\(action)", ["item": 3]).status == 404)
        }
        _ = try api.call("PATCH", "sessions/\(APIFixture.id(session))", ["name": "Grace"])
        #expect(try follower.next("hello").data["name"] == "Grace")
        _ = try api.call("DELETE", "sessions/\(APIFixture.id(session))")
        #expect(try follower.next("bye").data["reason"] == "the session was closed")
        #expect(try api.call("GET", "follow/\(id)").status == 404)
    }

    @Test("followers are notified of the open picture, also if they join later")
    func viewing() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        let path = try Self.followPath(session)
        let follower = try EventReader(api.port, path + "/events")
        #expect(try follower.next("hello").data["viewing"] == nil)
        func view(_ item: JSON) throws -> TestClient.Answer {
            try api.call("PATCH", "sessions/\(APIFixture.id(session))", ["viewing": item])
        }
        #expect(try view(3).json["viewing"] == 3)
        #expect(try follower.next("hello").data["viewing"] == 3)
        // Another change leaves the picture open.
        _ = try api.call("PATCH", "sessions/\(APIFixture.id(session))", ["prefetching": false])
        let late = try EventReader(api.port, path + "/events")
        #expect(try late.next("hello").data["viewing"] == 3)
        #expect(try view(.null).json["viewing"] == nil)
        #expect(try follower.next("hello").data["viewing"] == nil)
        #expect(try view(12).json["field"] == "/viewing")
    }

    /// Opens a stream of a session's audience.
    private static func audience(_ api: APIFixture, _ session: JSON) throws -> EventReader {
        try EventReader(api.port, try #require(session["events"]?.string) + "?only=audience")
    }

    @Test("the presenter sees the place of each follower's own session while it exists, and not its id")
    func places() async throws {
        let api = try await APIFixture()
        let presenter = try api.session()
        let path = try Self.followPath(presenter) + "/events"
        let audience = try Self.audience(api, presenter)
        let own = try (0..<2).map { _ in try api.session(["prefetching": false]) }
        let stranger = try EventReader(api.port, path)
        let followers = try own.map { try EventReader(api.port, "\(path)?session=\(APIFixture.id($0))") }
        let both = try audience.next("audience") { $0["followers"]?.array?.count == 2 }.data
        let top: JSON = ["item": 0, "prefetching": false]
        #expect(both == ["followers": [top, top]])
        try Self.scroll(api, own[1], 1, to: 180)
        let moved = try audience.next("audience").data
        #expect(moved == ["followers": [top, ["item": 3, "prefetching": false]]])
        let late = try Self.audience(api, presenter)
        #expect(try late.next("audience").data == moved)
        _ = try api.call("DELETE", "sessions/\(APIFixture.id(own[0]))")
        _ = try audience.next("audience") { $0 == ["followers": [["item": 3, "prefetching": false]]] }
        for follower in followers + [stranger] { follower.leave() }
        _ = try audience.next("audience") { $0 == ["followers": []] }
    }

    @Test("a session that follows twice is one follower, and other ids and galleries are ignored")
    func namedSessions() async throws {
        let api = try await APIFixture()
        let presenter = try api.session()
        let path = try Self.followPath(presenter) + "/events"
        let audience = try Self.audience(api, presenter)
        let other = try api.session(["gallery": .string(try api.arranged(["sort": "name", "order": "descending"]))])
        let own = try APIFixture.id(api.session())
        let ids = try [APIFixture.id(presenter), APIFixture.id(other), "none", "", own, own]
        let followers = try ids.map { try EventReader(api.port, "\(path)?session=\($0)") }
        for follower in followers { _ = try follower.next("plan") }
        try withExtendedLifetime(followers) {
            _ = try audience.next("audience") { $0["followers"]?.array?.count == 1 }
            // The first of the two streams leaves. The other one still names the session.
            followers[4].leave()
            _ = try api.call("POST", "sessions/\(own)/scroll", ["item": 3])
            #expect(try audience.next("audience").data == ["followers": [["item": 3, "prefetching": true]]])
        }
        let long = "\(path.dropFirst("/api/v1/".count))?session=\(String(repeating: "x", count: 81))"
        #expect(try api.call("GET", long).json["field"] == "/session")
    }

    /// Opens a follower's stream that names the follower's own session, and waits until the follower has joined.
    private static func follow(_ api: APIFixture, _ presenter: JSON, from own: JSON) throws -> EventReader {
        let follower = try EventReader(api.port, "\(followPath(presenter))/events?session=\(APIFixture.id(own))")
        _ = try follower.next("plan")
        return follower
    }

    private static func prefetching(_ audience: JSON) -> [Bool?] {
        (audience["followers"]?.array ?? []).map { $0["prefetching"]?.bool }
    }

    @Test("a presenter turns prefetching off for half of the followers, until the presenter or the follower leaves")
    func halves() async throws {
        let api = try await APIFixture()
        let presenter = try api.session()
        let id = try APIFixture.id(presenter)
        func set(_ audience: String) throws -> Int {
            try api.call("PATCH", "sessions/\(id)", ["audiencePrefetching": .string(audience)]).status
        }
        var own = try (0..<3).map { _ in try api.session() }
        var followers = try own.map { try Self.follow(api, presenter, from: $0) }
        let audience = try Self.audience(api, presenter)
        #expect(try set("none") == 422)
        #expect(try set("half") == 200)
        let split = try audience.next("audience") { Self.prefetching($0) == [true, false, true] }.data
        #expect(split["halves"]?.array?.map { $0["followers"]?.integer } == [2, 1])
        #expect(split["halves"]?.array?.map { $0["prefetching"]?.bool } == [true, false])
        own.append(try api.session())
        followers.append(try Self.follow(api, presenter, from: own[3]))
        _ = try audience.next("audience") { Self.prefetching($0) == [true, false, true, false] }
        // A page's own choice is remembered, and applies again when the presenter's ends.
        #expect(try api.call("GET", "sessions/\(APIFixture.id(own[3]))").json["prefetching"] == true)
        _ = try api.call("PATCH", "sessions/\(APIFixture.id(own[1]))", ["prefetching": false])
        #expect(try set("all") == 200)
        let together = try audience.next("audience") { Self.prefetching($0) == [true, false, true, true] }.data
        #expect(together["halves"] == nil)
        // Another presenter sees the same sessions.
        let other = try api.session()
        let others = try own.map { try Self.follow(api, other, from: $0) }
        let sight = try Self.audience(api, other)
        #expect(try set("half") == 200)
        _ = try sight.next("audience") { Self.prefetching($0) == [true, false, true, false] }
        followers[3].leave()
        _ = try sight.next("audience") { Self.prefetching($0) == [true, false, true, true] }
        followers[3] = try Self.follow(api, presenter, from: own[3])
        _ = try sight.next("audience") { Self.prefetching($0) == [true, false, true, false] }
        _ = try api.call("DELETE", "sessions/\(id)")
        _ = try sight.next("audience") { Self.prefetching($0) == [true, false, true, true] }
        withExtendedLifetime((followers, others)) {}
    }

    @Test("fifty followers get the presenter's last position, with at most one plan for each update")
    func fifty() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        let path = try Self.followPath(session) + "/events"
        let followers = try (0..<50).map { _ in try EventReader(api.port, path) }
        for follower in followers { _ = try follower.next("plan") }
        let updates = 100
        for seq in 1...updates { #expect(try Self.scroll(api, session, seq, to: seq) == 200) }
        for follower in followers {
            var heard = 0
            while true {
                heard += 1
                if try follower.next("plan").data["scrollTop"] == .number(Double(updates)) { break }
            }
            #expect(heard <= updates)
        }
        let followed = try api.call("GET", String(path.dropFirst("/api/v1/".count).dropLast("/events".count)))
        // Keeps the readers alive, because an unused reader would close its stream.
        withExtendedLifetime(followers) { #expect(followed.json["followers"] == 50) }
    }
}
