import Glibc
import JSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ListChangeTests {
    /// A server of a list behind a link. The system reports no changes of the link's target.
    private struct Fixture: ServedGalleries {
        let folder: TemporaryFolder
        let server: LookaheadProcess
        let gallery = "list"
        var port: UInt16 { server.port }

        init(_ numbers: ClosedRange<Int>) async throws {
            folder = try TemporaryFolder()
            try Self.write(numbers, to: folder)
            try folder.link("list.txt", to: "far/list.txt")
            server = try await LookaheadProcess(["serve", "\(folder.path)/list.txt"])
        }

        static func write(_ numbers: ClosedRange<Int>, to folder: TemporaryFolder) throws {
            let lines = numbers.map { "http://127.0.0.1:9/\($0).jpg\n" }.joined()
            try folder.write("far/list.txt", Array(lines.utf8))
        }
    }

    @Test("pages are notified of a replaced list and locate their items in it")
    func replaced() async throws {
        let api = try await Fixture(5...10)
        defer { api.server.stop() }
        let session = try api.session()
        let events = try api.events(session)
        #expect(try events.next().name == "hello")
        let revision = try #require(try api.call("GET", "galleries/list").json["revision"]?.integer)
        let lines = (2...9).map { "http://127.0.0.1:9/\($0).jpg\n" }.joined()
        try api.folder.write("new.txt", Array(lines.utf8))
        try api.folder.remove("list.txt")
        try api.folder.move("new.txt", to: "list.txt")
        let change = try events.next("gallery") { $0["itemCount"] == 8 }
        #expect((change.data["revision"]?.integer ?? 0) > revision)
        // The session keeps its items and returns their new places.
        #expect(try api.call("GET", "sessions/\(APIFixture.id(session))").json["itemCount"] == 6)
        let places = try api.call("GET", "galleries/list/places?revision=\(revision)").json["places"]
        #expect(places == [3, 4, 5, 6, 7, .null])
        #expect(try api.session()["itemCount"] == 8)
    }

    @Test("SIGHUP reads a list again and does not end the server")
    func hangup() async throws {
        let api = try await Fixture(1...3)
        defer { api.server.stop() }
        for count in 4...6 {
            try Fixture.write(1...count, to: api.folder)
            api.server.child.signal(SIGHUP)
            try await eventually(within: .seconds(30), "\(count) items") {
                try api.call("GET", "galleries/list").json["itemCount"] == .number(Double(count))
            }
        }
        #expect(api.server.stop() == 0)
    }

    @Test("a demo ignores SIGHUP and ends on SIGTERM")
    func demo() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "10"])
        defer { demo.stop() }
        for _ in 1...3 { demo.child.signal(SIGHUP) }
        #expect(try TestClient(demo.port).call("GET", "galleries/demo").json["itemCount"] == 10)
        #expect(demo.stop() == 0)
    }
}
