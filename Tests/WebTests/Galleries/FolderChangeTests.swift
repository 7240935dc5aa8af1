import JSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct FolderChangeTests {
    @Test("pages are notified of a picture added to the folder, and their next session includes it")
    func comes() async throws {
        let api = try await APIFixture()
        let before = try api.session()
        let events = try api.events(before)
        #expect(try events.next().name == "hello")
        let revision = try #require(try api.call("GET", "galleries/pictures").json["revision"]?.integer)
        try api.folder.write("pictures/a/0.jpg", Picture.jpeg(300, 200, red: 7))
        // The file may be noticed more than once while it is written.
        let change = try events.next("gallery") { $0["itemCount"] == 13 }
        #expect((change.data["revision"]?.integer ?? 0) > revision)
        // A session keeps its items.
        #expect(try api.call("GET", "sessions/\(APIFixture.id(before))").json["itemCount"] == 12)
        let after = try api.session()
        #expect(after["itemCount"] == 13)
        _ = try api.events(after).next("thumbnail") { $0["item"] == 0 }
        let first = try api.call("GET", "galleries/pictures/items?count=1").json["items"]?.array?.first
        #expect(first?["title"] == "0")
    }

    @Test("an edit that keeps a file's size and time is announced, and its thumbnail is made again")
    func sameSizeAndTime() async throws {
        func padded(_ picture: [UInt8]) -> [UInt8] { picture + [UInt8](repeating: 0, count: 20_000 - picture.count) }
        let api = try await APIFixture()
        try api.folder.write("pictures/a/0.jpg", padded(Picture.jpeg(300, 200, red: 7)))
        try await eventually("13 pictures") { try api.call("GET", "galleries/pictures").json["itemCount"] == 13 }
        let path = "galleries/pictures/items/0/thumbnail?width=256"
        let before = try api.call("GET", path)
        let revision = try #require(try api.call("GET", "galleries/pictures").json["revision"]?.integer)
        let events = try api.events(try api.session())
        try api.folder.overwriteKeepingTime("pictures/a/0.jpg", padded(Picture.jpeg(300, 200, red: 200)))
        _ = try events.next("gallery") { ($0["revision"]?.integer ?? 0) > revision }
        let after = try api.call("GET", path)
        #expect(before.status == 200 && after.status == 200 && before.body != after.body)
    }

    @Test("a page that connects after a change is notified")
    func missed() async throws {
        let api = try await APIFixture()
        let before = try api.session()
        try api.folder.write("pictures/a/0.jpg", Picture.jpeg(300, 200, red: 7))
        try await eventually("13 pictures") { try api.call("GET", "galleries/pictures").json["itemCount"] == 13 }
        let events = try api.events(before)
        #expect(try events.next().data["itemCount"] == 12)
        #expect(try events.next("gallery").data["itemCount"] == 13)
        // A session opened after the change gets no notification.
        let after = try #require(try api.session()["events"]?.string)
        let others = try EventReader(api.port, "\(after)?only=hello,gallery,stats")
        #expect(try others.next().name == "hello")
        #expect(try others.next().name == "stats")
    }
}
