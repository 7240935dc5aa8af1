import Glibc
import JSON
import Media
import TestSupport
import Testing

/// Files that are read faster than they are rendered.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct CarriedMemoryTests {
    private static let files = 60
    private static let bytes = 20 << 20

    @Test("scrolling a folder of 20-MB files with one render worker stays within the memory limits")
    func folder() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<Self.files {
            // A hole follows the picture. It takes no room on the disk, but all of it in memory.
            let path = try folder.write("pictures/\(number).jpg", Picture.jpeg(1200, 900, red: UInt8(number)))
            #expect(truncate(path, off_t(Self.bytes)) == 0)
        }
        let carried = 128 << 20, reads = 2
        let server = try await LookaheadProcess(
            [
                "serve", "\(folder.path)/pictures", "--render-workers", "1", "--max-downloads", "\(reads)",
                "--max-downloads-per-host", "\(reads)",
            ])
        defer { server.stop() }
        let before = ProcessFigures(server.child.processIdentifier).peakMemory
        let client = try TestClient(server.port)
        let body: JSON = [
            "gallery": "pictures", "viewport": ["width": 600, "height": 360],
            "layout": ["kind": "grid", "itemWidth": 100, "itemHeight": 100],
        ]
        let session = try client.call("POST", "sessions", body).json
        let id = try #require(session["id"]?.string)
        let events = try EventReader(server.port, try #require(session["events"]?.string))
        // Scrolls down and up again, then to a view of all pictures.
        for seq in 1...60 {
            let top = Double(abs(30 - seq) * 70)
            _ = try client.call(
                "POST", "sessions/\(id)/viewport",
                ["seq": .number(Double(seq)), "time": .number(Double(seq * 16)), "scrollTop": .number(top)])
        }
        _ = try client.call(
            "POST", "sessions/\(id)/viewport", ["seq": 61, "time": 2000, "scrollTop": 0, "height": 3000])
        var seen: Set<Int> = []
        while seen.count < Self.files { seen.insert(try #require(try events.next("thumbnail").data["item"]?.integer)) }

        // Room for carried bytes, their reserve, bytes being read, thumbnails and requests.
        let allowed = before + carried + carried / 4 + reads * Self.bytes + (48 << 20)
        let peak = ProcessFigures(server.child.processIdentifier).peakMemory
        #expect(peak < allowed, "\(peak >> 20) MB, allowed are \(allowed >> 20) MB")
    }
}
