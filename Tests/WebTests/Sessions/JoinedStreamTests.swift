import JSON
import TestSupport
import Testing

/// One stream for several sessions of a page.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct JoinedStreamTests {
    @Test("one stream carries several sessions and continues after one of them ends")
    func joined() async throws {
        let api = try await APIFixture()
        let sessions = try (0..<2).map {
            try api.session(["viewport": ["width": 600, "height": 360, "scrollTop": .number(Double($0) * 360)]])
        }
        let ids = try sessions.map(APIFixture.id)
        let stream = try EventReader(api.port, "/api/v1/sessions/\(ids[0])/events?with=\(ids[1])&only=hello,thumbnail")
        var items: [String: Set<Int>] = [:]
        var hellos: Set<String> = []
        // The first session shows six pictures, the other the five remaining valid ones.
        while items.values.filter({ $0.count >= 5 }).count < 2 {
            let event = try stream.next()
            if event.name == "hello" {
                #expect(event.data["id"]?.string == event.session)
                hellos.insert(event.session)
            } else {
                items[event.session, default: []].insert(try #require(event.data["item"]?.integer))
            }
        }
        #expect(hellos == Set(ids))
        try api.call("DELETE", "sessions/\(ids[0])")
        let bye = try stream.next("bye")
        #expect(bye.session == ids[0])
        try api.call("POST", "sessions/\(ids[1])/viewport", ["seq": 1, "time": 0, "scrollTop": 0])
        try api.call("DELETE", "sessions/\(ids[1])")
        #expect(try stream.next("bye").session == ids[1])
        #expect(stream.seesEnd())
    }

    @Test("a joined stream resumes each session and sends bye for missing ones")
    func resumed() async throws {
        let api = try await APIFixture()
        let id = try APIFixture.id(try api.session(["prefetching": false]))
        let first = try EventReader(api.port, "/api/v1/sessions/\(id)/events?with=&only=thumbnail")
        var last = 0
        for _ in 0..<6 { last = try #require(try first.next().id) }
        let path = "/api/v1/sessions/gone/events?with=\(id)&only=hello,thumbnail&lastEventID=\(id).\(last),gone.4"
        let again = try EventReader(api.port, path)
        let events = try (0..<2).map { _ in try again.next() }
        #expect(events.map(\.name).sorted() == ["bye", "hello"])
        #expect(events.first { $0.name == "bye" }?.session == "gone")
        // Sent pictures are not repeated. The next picture comes from the new scroll position.
        try api.call("POST", "sessions/\(id)/viewport", ["seq": 1, "time": 0, "scrollTop": 540])
        #expect(try #require(try again.next("thumbnail").data["item"]?.integer) >= 6)
    }
}
