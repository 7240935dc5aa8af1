import Demo
import JSON
import ServerFixtures
import TestSupport
import Testing

/// A list of URLs of camera files on a loopback origin.
@Suite(.timeLimit(.minutes(2)))
struct RemotePreviewTests {
    private static let count = 12

    /// A camera's file of at least `bytes` bytes, padded at its end.
    private static func photograph(bytes: Int, preview: [UInt8]? = nil) -> [UInt8] {
        var camera = CameraFile()
        camera.preview = preview ?? Picture.jpeg(160, 120)
        return camera.bytes(around: Picture.jpeg(800, 600)) + [UInt8](repeating: 0, count: bytes)
    }

    /// Tiers of each picture until all are full, and the origin's log.
    private func visit(
        _ file: [UInt8], sendsRanges: Bool = true, bandwidth: Double? = 400
    ) async throws -> (tiers: [[String]], log: DemoOrigin.Log) {
        var configuration = DemoOrigin.Configuration()
        configuration.files = [file]
        configuration.sendsRanges = sendsRanges
        let origin = DemoOrigin(
            configuration, conditions: DemoOrigin.Conditions(latency: 5, jitter: 0, bandwidth: bandwidth))
        let port = try origin.start()
        let folder = try TemporaryFolder()
        let lines = (0..<Self.count).map { "http://127.0.0.1:\(port)/files/\($0)" }
        try folder.write("list.txt", Array(lines.joined(separator: "\n").utf8))
        let server = try await LookaheadProcess(
            ["serve", "\(folder.path)/list.txt", "--allow-origin", "127.0.0.1:\(port)"])
        var tiers = [[String]](repeating: [], count: Self.count)
        do {
            let answer = try TestClient(server.port).call(
                "POST", "sessions",
                [
                    "gallery": "list", "viewport": ["width": 800, "height": 540],
                    "layout": ["kind": "grid", "itemWidth": 200, "itemHeight": 180],
                ])
            let reader = try EventReader(server.port, try #require(answer.json["events"]?.string))
            while !tiers.allSatisfy({ $0.last == "full" }) {
                let event = try reader.next("thumbnail").data
                let item = try #require(event["item"]?.integer)
                tiers[item].append(try #require(event["tier"]?.string))
            }
        }
        server.stop()
        let log = try await origin.waitForLog { $0.open == 0 }
        await origin.stop()
        return (tiers, log)
    }

    @Test("a large picture's preview is shown first, and no byte is downloaded twice")
    func previewFirst() async throws {
        let file = Self.photograph(bytes: 600_000)
        let (tiers, log) = try await visit(file)
        #expect(tiers == [[String]](repeating: ["preview", "full"], count: Self.count))
        #expect(log.requests == 2 * Self.count)
        // Downloads begun before the host was known may have sent more bytes than were read.
        let whole = log.entries.filter { $0.outcome == .completed }
        #expect(whole.reduce(0) { $0 + $1.bytes } < Self.count * (file.count + 1_000))
    }

    @Test("a small picture is downloaded whole with one request", arguments: [20_000, 200_000])
    func small(bytes: Int) async throws {
        let file = Self.photograph(bytes: bytes)
        let (tiers, log) = try await visit(file)
        #expect(tiers == [[String]](repeating: ["full"], count: Self.count))
        #expect(log.requests == Self.count && log.completed == Self.count)
        #expect(log.bytes < Self.count * (file.count + 1_000))
    }

    @Test("a large picture of an origin without ranges is downloaded whole with one request")
    func noRanges() async throws {
        let (tiers, log) = try await visit(Self.photograph(bytes: 600_000), sendsRanges: false)
        #expect(tiers == [[String]](repeating: ["full"], count: Self.count))
        // Once large files are known, a few requests ask for a range.
        #expect(log.requests == Self.count && log.completed == Self.count)
    }

    @Test("a large picture with a broken preview is shown whole")
    func broken() async throws {
        let file = Self.photograph(bytes: 600_000, preview: [UInt8](repeating: 7, count: 900))
        let (tiers, _) = try await visit(file)
        #expect(tiers == [[String]](repeating: ["full"], count: Self.count))
    }
}
