import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct SmallTierTests {
    @Test(
        "a page behind a slow line gets small pictures first, then the whole ones, and is not cut off",
        arguments: [[], ["--memory-cache", "0"]])
    func behind(_ arguments: [String]) async throws {
        let items = 300
        // Nothing is read for as long as it takes to make them all, on however slow a machine.
        let demo = try await DemoFixture(items: items, arguments + ["--reader-timeout", "250"])
        let session = try demo.session([
            "viewport": ["width": 1200, "height": 9000, "pixelRatio": 2],
            "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
        ])
        let events = try EventReader(
            demo.server.port, try #require(session["events"]?.string), receiveBuffer: 4096)
        events.patience = 10 * items
        let path = "sessions/\(try APIFixture.id(session))"
        // Nothing is read until everything is made: megabytes, of which little waits.
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
