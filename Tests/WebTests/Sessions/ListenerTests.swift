import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct ListenerTests {
    @Test("a page opened in the middle fetches no pictures of the top")
    func openInTheMiddle() async throws {
        let api = try await APIFixture()
        let session = try api.session([
            "viewport": ["width": 600, "height": 180, "scrollTop": 540], "prefetching": false,
        ])
        #expect(session["visible"] == ["from": 8, "to": 11])
        let events = try api.events(session)
        var items: Set<Int> = []
        while items.count < 3 { items.insert(try #require(try events.next("thumbnail").data["item"]?.integer)) }
        #expect(items == [8, 9, 10])
    }

    @Test("each of 150 pages gets statistics repeatedly")
    func crowd() async throws {
        let api = try await APIFixture()
        let path = "/api/v1/sessions/"
        let readers = try (0..<150).map { _ in
            let id = try APIFixture.id(try api.session(["prefetching": false]))
            return try EventReader(api.port, path + id + "/events?only=stats")
        }
        for reader in readers {
            let times = try (0..<2).map { _ in try #require(try reader.next("stats").data["time"]?.number) }
            #expect(times[0] < times[1])
        }
    }

    @Test("a stream can be limited to some events and resumed by its URL")
    func only() async throws {
        let api = try await APIFixture()
        let session = try api.session(["prefetching": false])
        let path = try #require(session["events"]?.string)
        let all = try api.events(session)
        var ids: [Int] = []
        while ids.count < 6 { ids.append(try #require(try all.next("thumbnail").id)) }
        let follower = try EventReader(api.port, path + "?only=hello,plan")
        #expect(try (0..<2).map { _ in try follower.next().name } == ["hello", "plan"])
        try api.post(session, seq: 1, scrollTop: 180)
        #expect(try follower.next().data["seq"] == 1)
        let resumed = try EventReader(api.port, path + "?lastEventID=\(ids[5])&only=thumbnail")
        let next = try resumed.next().data["item"]?.integer
        #expect(try #require(next) >= 6)
    }

    @Test("a stream with except=plan leaves out the plans that responses contain, and sends the others")
    func exceptPlan() async throws {
        let api = try await APIFixture()
        let session = try api.session(["prefetching": false])
        let path = try #require(session["events"]?.string)
        let stream = try EventReader(api.port, path + "?except=plan&only=plan,scroll")
        #expect(try stream.next().name == "plan")
        try api.post(session, seq: 1, scrollTop: 180)
        _ = try TestClient(api.port).call("POST", "sessions/\(try APIFixture.id(session))/scroll", ["scrollTop": 360])
        #expect(try stream.next().name == "scroll")
        #expect(try stream.next().data["scrollTop"] == 360)
    }
}
