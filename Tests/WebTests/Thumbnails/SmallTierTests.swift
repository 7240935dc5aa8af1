import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct SmallTierTests {
    @Test(
        "a page with a slow connection gets small pictures first, then full ones, and stays connected",
        arguments: [[], ["--memory-cache", "0"]])
    func behind(_ arguments: [String]) async throws {
        let items = 300
        // The timeout is longer than any machine needs to render all pictures.
        let demo = try await DemoFixture(items: items, arguments + ["--reader-timeout", "250"])
        let session = try demo.session([
            "viewport": ["width": 1200, "height": 9000, "pixelRatio": 2],
            "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
        ])
        let events = try EventReader(
            demo.server.port, try #require(session["events"]?.string), receiveBuffer: 4096)
        events.patience = 10 * items
        let path = "sessions/\(try APIFixture.id(session))"
        // Reads nothing until everything is rendered: megabytes, of which little is queued.
        try await eventually(
            within: .seconds(150), "\(items) pictures made",
            of: { try demo.call("GET", path).json["counts"]?["ready"]?.integer }, satisfies: { $0 == items })
        var small: Set<Int> = []
        var whole: Set<Int> = []
        var smallBytes = 0
        var wholeBytes = 0
        while whole.count < items {
            let event = try events.next()
            guard event.name == "thumbnail" else { continue }
            let data = event.data
            let item = try #require(data["item"]?.integer)
            let bytes = data["data"]?.string?.utf8.count ?? 0
            if data["tier"] == "small" {
                #expect(!whole.contains(item))
                small.insert(item)
                smallBytes += bytes
            } else {
                #expect(data["tier"] == "full" && !whole.contains(item))
                whole.insert(item)
                wholeBytes += bytes
            }
        }
        #expect(small.count > items / 2)
        #expect(smallBytes / max(1, small.count) < wholeBytes / items / 4)
    }
}
