import Catalog
import Glibc
import Media
import ServerFixtures
import TestSupport
import Testing
import Threads
import Web

/// Originals and videos of a folder are read on the folder's threads, never on the thread that answers requests.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct FileDownloadTests {
    /// Larger than the kernel's buffers for a reader.
    private static let film =
        Movie().bytes + [0, 0, 0, 0] + Array("mdat".utf8) + [UInt8](repeating: 7, count: 24 << 20)

    private func fixture() async throws -> (gated: GatedServer, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        try folder.write("a.mov", Self.film)
        let catalog = try FolderCatalog(path: folder.path)
        await catalog.waitUntil { $0.itemCount == 1 }
        let gated = try await GatedServer(trustedProxies: ["127.0.0.1"])
        try gated.server.galleries.add(catalog, id: "films")
        return (gated, folder)
    }

    /// Requests the film and reads the head of the response.
    private func begin(
        _ gated: GatedServer, kind: String = "video", from address: String = "192.0.2.1"
    ) throws -> (client: TestClient, head: TestClient.Answer) {
        let client = try TestClient(gated.port, receiveBuffer: 4096)
        client.send(
            "GET /api/v1/galleries/films/items/0/\(kind) HTTP/1.1\r\nHost: localhost\r\n"
                + "X-Forwarded-For: \(address)\r\n\r\n")
        return (client, try client.head())
    }

    /// Reads the available bytes, or all up to the end of the connection.
    ///
    /// - Returns: the number of bytes.
    private func take(_ client: TestClient, toEnd: Bool = false) -> Int {
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        var taken = 0
        while true {
            let count = recv(client.fd, &piece, piece.count, toEnd ? 0 : Int32(MSG_DONTWAIT))
            if count <= 0 { return taken }
            taken += count
        }
    }

    private func originals(_ gated: GatedServer) async throws -> [Substring] {
        try await TestClient.exchange("GET", port: gated.port, path: "/metrics").text
            .split(separator: "\n").filter { $0.hasPrefix("lookahead_originals") }
    }

    @Test(
        "a download from a hanging disk does not delay other requests",
        arguments: ["original", "video"])
    func hangs(kind: String) async throws {
        let (gated, folder) = try await fixture()
        let (client, head) = try begin(gated, kind: kind)
        #expect(head.status == 200 && head.header("content-length") == "\(Self.film.count)")
        let gate = TestGate()
        let threads = gated.server.thumbnails.queries.threads(for: FolderRoot(path: folder.path))
        for _ in 0..<2 { threads.start { gate.pass() } }
        for _ in 0..<2 { await gate.arrival() }
        var taken = 0
        try await eventually("a read that waits for the disk") {
            taken += take(client)
            return threads.waitingCount == 1
        }
        #expect(try await TestClient.exchange("GET", port: gated.port, path: "/healthz").status == 200)
        gate.open()
        #expect(try client.read(count: Self.film.count - taken).count == Self.film.count - taken)
        client.leave()
        await gated.stop()
    }

    @Test("a file shortened during its download ends the connection early")
    func shortened() async throws {
        let (gated, folder) = try await fixture()
        let (client, head) = try begin(gated)
        #expect(head.status == 200)
        truncate("\(folder.path)/a.mov", 1 << 20)
        #expect(take(client, toEnd: true) < Self.film.count)
        try await eventually("one broken download") {
            try await originals(gated).contains("lookahead_originals_total{result=\"broken\"} 1.0")
        }
        await gated.stop()
    }

    @Test("one address gets a quarter of the downloads, and slow or closed readers free theirs")
    func shares() async throws {
        let (gated, folder) = try await fixture()
        let downloads = gated.server.originals
        let share = downloads.maximum / 4
        let readings = try (0..<share).map { _ in try begin(gated) }
        #expect(readings.allSatisfy { $0.head.status == 200 })
        let refused = try begin(gated, kind: "original").head
        #expect(refused.status == 429 && refused.header("retry-after") != nil)
        #expect(try begin(gated, from: "192.0.2.2").head.status == 200)
        readings[0].client.leave()
        try await eventually("a place for another", of: { try begin(gated).head.status }, satisfies: { $0 == 200 })
        // A reader counts as waiting once the kernel's buffers are full.
        try await eventually("the end of all downloads") {
            downloads.endSlow(at: .now + ReaderPace.window)
            return try await originals(gated).contains("lookahead_originals 0.0")
        }
        #expect(readings.dropFirst().allSatisfy { $0.client.seesEnd() })
        await gated.stop()
        _ = folder
    }
}
