import JSON
import TestSupport
import Testing

@Suite("Progress of downloads", .serialized, .timeLimit(.minutes(2)))
struct ProgressTests {
    private static func open(_ port: UInt16) throws -> JSON {
        let body: JSON = [
            "gallery": "demo", "viewport": ["width": 600, "height": 360],
            "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
        ]
        return try TestClient(port).call("POST", "sessions", body).json
    }

    @Test("progress events are sent only to pages that request them")
    func progress() async throws {
        // Slow enough that the test sees a download half finished.
        let demo = try await LookaheadProcess([
            "demo", "--items", "100", "--latency", "0", "--jitter", "0", "--bandwidth", "0.5",
        ])
        defer { demo.stop() }
        let session = try Self.open(demo.port)
        let path = try #require(session["events"]?.string)
        let plain = try EventReader(demo.port, path)
        let reader = try EventReader(demo.port, path + "?only=progress")
        var shares: [Int: Double] = [:]
        while !shares.values.contains(where: { $0 > 0 && $0 < 1 }) {
            let event = try reader.next()
            #expect(event.name == "progress")
            for entry in event.data["loading"]?.array ?? [] {
                let item = try #require(entry["item"]?.integer)
                let share = try #require(entry["share"]?.number)
                #expect(share >= shares[item] ?? 0, "progress went backwards")
                shares[item] = share
            }
        }
        for _ in 0..<3 { #expect(try plain.next().name != "progress") }
    }

    @Test("pictures that a fling passes too fast are reported as skipped")
    func skipped() async throws {
        let demo = try await LookaheadProcess([
            "demo", "--items", "20000", "--latency", "400", "--jitter", "0", "--bandwidth", "2",
        ])
        defer { demo.stop() }
        let session = try Self.open(demo.port)
        let id = session["id"]?.string ?? ""
        let reader = try EventReader(demo.port, try #require(session["events"]?.string) + "?only=progress")
        let client = try TestClient(demo.port, seconds: 30)
        // The first fifth of a second of an iOS fling at 9,000 px/s, still far from its landing.
        var top = 0.0
        for seq in 1...12 {
            let time = Double(seq) * 16
            top += 9000 * 0.016 * exp(-0.002 * time)
            _ = try client.call(
                "POST", "sessions/\(id)/viewport",
                ["seq": .number(Double(seq)), "time": .number(time), "scrollTop": .number(top), "phase": "momentum"])
        }
        let skipped = try reader.next("progress") { $0["skipped"]?.array?.isEmpty == false }.data
        let wanted = Set((skipped["queued"]?.array ?? []).compactMap(\.integer))
        for item in skipped["skipped"]?.array ?? [] { #expect(!wanted.contains(item.integer ?? -1)) }
    }

    private func exp(_ x: Double) -> Double {
        // (1 + x/n)^n is accurate enough here.
        var power = 1.0
        for _ in 0..<64 { power *= 1 + x / 64 }
        return power
    }
}
