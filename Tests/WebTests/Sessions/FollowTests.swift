import JSON
import TestSupport
import Testing

@Suite("Following a session", .serialized, .timeLimit(.minutes(3)))
struct FollowTests {
    private static func followPath(_ session: JSON) throws -> String { try #require(session["follow"]?.string) }

    @discardableResult
    private static func scroll(_ api: APIFixture, _ session: JSON, _ seq: Int, to top: Int) throws -> Int {
        let body: JSON = [
            "seq": .number(Double(seq)), "time": .number(Double(seq) * 16), "scrollTop": .number(Double(top)),
        ]
        return try api.call("POST", "sessions/\(APIFixture.id(session))/viewport", body).status
    }

    @Test("a follower hears whose viewport it is and where, and cannot move it")
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
            "with that one could scroll")
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

    @Test("a follower hears which picture is open, another, and none; one who comes late, too")
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
        // A change of something else leaves it open.
        _ = try api.call("PATCH", "sessions/\(APIFixture.id(session))", ["prefetching": false])
        let late = try EventReader(api.port, path + "/events")
        #expect(try late.next("hello").data["viewing"] == 3)
        #expect(try view(.null).json["viewing"] == nil)
        #expect(try follower.next("hello").data["viewing"] == nil)
        #expect(try view(12).json["field"] == "/viewing")
    }

    @Test("fifty followers all end where the presenter does, and hear no more than they can show")
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
        // They are still there: a reader that nothing uses any more would be gone, and its stream with it.
        withExtendedLifetime(followers) { #expect(followed.json["followers"] == 50) }
    }
}
