import Demo
import JSON
import ServerFixtures
import TestSupport
import Testing

/// A list of URLs of a camera's files, on an origin on the loopback.
@Suite(.timeLimit(.minutes(3)))
struct RemotePreviewTests {
    private static let count = 12

    /// A file of a camera, as large as `bytes` or a little more: what follows the picture's end is nothing.
    private static func photograph(bytes: Int, preview: [UInt8]? = nil) -> [UInt8] {
        var camera = CameraFile()
        camera.preview = preview ?? Picture.jpeg(160, 120)
        return camera.bytes(around: Picture.jpeg(800, 600)) + [UInt8](repeating: 0, count: bytes)
    }

    /// Events of each picture until all have come, and the origin's log then.
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

    @Test("a large picture shows its preview before any comes whole, and no byte of it is paid for twice")
    func previewFirst() async throws {
        let file = Self.photograph(bytes: 600_000)
        let (tiers, log) = try await visit(file)
        #expect(tiers == [[String]](repeating: ["preview", "full"], count: Self.count))
        #expect(log.requests == 2 * Self.count)
        // Those asked for before the host was known may have sent more than was read.
        let whole = log.entries.filter { $0.outcome == .completed }
        #expect(whole.reduce(0) { $0 + $1.bytes } < Self.count * (file.count + 1_000))
    }

    @Test("a small picture costs one request, and comes whole", arguments: [20_000, 200_000])
    func small(bytes: Int) async throws {
        let file = Self.photograph(bytes: bytes)
        let (tiers, log) = try await visit(file)
        #expect(tiers == [[String]](repeating: ["full"], count: Self.count))
        #expect(log.requests == Self.count && log.completed == Self.count)
        #expect(log.bytes < Self.count * (file.count + 1_000))
    }

    @Test("a large picture of an origin that sends no parts costs one request, and comes whole")
    func noRanges() async throws {
        let (tiers, log) = try await visit(Self.photograph(bytes: 600_000), sendsRanges: false)
        #expect(tiers == [[String]](repeating: ["full"], count: Self.count))
        // One is asked for a part when large files are known, and those beside it.
        #expect(log.requests == Self.count && log.completed == Self.count)
    }

    @Test("a large picture whose preview is broken comes whole all the same")
    func broken() async throws {
        let file = Self.photograph(bytes: 600_000, preview: [UInt8](repeating: 7, count: 900))
        let (tiers, _) = try await visit(file)
        #expect(tiers == [[String]](repeating: ["full"], count: Self.count))
    }
}
