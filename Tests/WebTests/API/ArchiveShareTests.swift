import Catalog
import ServerFixtures
import TestSupport
import Testing
import Threads
import Web

/// Slow readers, and many readers of one address, must leave archives for others.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ArchiveShareTests {
    struct Reader: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Bytes per read, and seconds that the server waits for each read.
        let bytes: Int, wait: Int64
        /// Seconds before the server sends more, as with a slow disk.
        var pause: Int64 = 0
        let isTooSlow: Bool
    }

    static let readers = [
        Reader(testDescription: "24 kB/s", bytes: 24 << 10, wait: 1, isTooSlow: true),
        Reader(testDescription: "63 kB/s", bytes: 63 << 10, wait: 1, isTooSlow: true),
        Reader(testDescription: "64 kB/s", bytes: 64 << 10, wait: 1, isTooSlow: false),
        Reader(testDescription: "1 MB/s in pieces of 20 s", bytes: 20 << 20, wait: 20, isTooSlow: false),
        Reader(testDescription: "1 kB/s sent, taken at once", bytes: 1 << 10, wait: 0, pause: 1, isTooSlow: false),
        Reader(testDescription: "100 kB/s, sent slowly", bytes: 100 << 10, wait: 1, pause: 9, isTooSlow: false),
        Reader(testDescription: "50 kB/s, sent slowly", bytes: 50 << 10, wait: 1, pause: 9, isTooSlow: true),
    ]

    @Test("a reader is too slow if it takes less than 64 kB/s of the time that the server waits", arguments: readers)
    func pace(reader: Reader) {
        var pace = ReaderPace()
        var now = ContinuousClock.now
        var verdicts: Set<Bool> = []
        let end = now + .seconds(1200)
        while now < end {
            pace.waits(at: now)
            now += .seconds(reader.wait)
            pace.took(reader.bytes, at: now)
            now += .seconds(reader.pause)
            verdicts.insert(pace.isTooSlow(at: now))
        }
        #expect(verdicts.contains(true) == reader.isTooSlow)
    }

    @Test("a silent reader is too slow after a minute, and one that was fast before after two")
    func silent() {
        var pace = ReaderPace()
        let start = ContinuousClock.now
        pace.waits(at: start)
        let early = pace.isTooSlow(at: start + ReaderPace.window - .nanoseconds(1))
        let late = pace.isTooSlow(at: start + ReaderPace.window)
        #expect(!early && late)

        var quick = ReaderPace()
        quick.waits(at: start)
        quick.took(100 << 20, at: start + .seconds(1))
        quick.waits(at: start + .seconds(1))
        let first = quick.isTooSlow(at: start + ReaderPace.window)
        let second = quick.isTooSlow(at: start + ReaderPace.window * 2)
        #expect(!first && second)
    }

    /// A folder whose archive is larger than the kernel's buffers for a reader.
    private func fixture() async throws -> (gated: GatedServer, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        for number in 0..<4 {
            try folder.write("\(number).jpg", Picture.jpeg(30, 30) + [UInt8](repeating: 7, count: 6 << 20))
        }
        let catalog = try FolderCatalog(path: folder.path)
        await catalog.waitUntil { $0.itemCount == 4 }
        let gated = try await GatedServer(trustedProxies: ["127.0.0.1"])
        try gated.server.galleries.add(catalog, id: "pictures")
        return (gated, folder)
    }

    private struct Reading {
        let client: TestClient
        let head: TestClient.Answer
    }

    private func begin(_ gated: GatedServer, from address: String) throws -> Reading {
        let client = try TestClient(gated.port, receiveBuffer: 4096)
        let body = #"{"ranges":[{"from":0,"to":4}]}"#
        client.send(
            "POST /api/v1/galleries/pictures/archive HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: \(address)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return Reading(client: client, head: try client.head())
    }

    @Test("one address gets two archives at once, and a third is refused with 429")
    func shares() async throws {
        let (gated, folder) = try await fixture()
        let first = try begin(gated, from: "192.0.2.1")
        let second = try begin(gated, from: "192.0.2.1")
        #expect(first.head.status == 200 && second.head.status == 200)
        let refused = try begin(gated, from: "192.0.2.1").head
        #expect(refused.status == 429 && refused.header("retry-after") != nil)
        let other = try begin(gated, from: "192.0.2.2")
        #expect(other.head.status == 200)
        first.client.leave()
        // The server notices the closed connection a moment later.
        let again = try await eventually(
            "a place for another", of: { try begin(gated, from: "192.0.2.1") }, satisfies: { $0.head.status == 200 })
        for client in [second.client, other.client, again.client] { client.leave() }
        await gated.stop()
        _ = folder
    }

    @Test("archives of readers that take nothing for a minute are ended, counted and replaced")
    func slow() async throws {
        let (gated, folder) = try await fixture()
        let readers = try (0..<gated.server.archives.maximum).map { try begin(gated, from: "192.0.2.\($0 / 2)") }
        #expect(readers.allSatisfy { $0.head.status == 200 })
        #expect(try begin(gated, from: "192.0.2.9").head.status == 429)
        let archives = gated.server.archives
        func metrics() async throws -> String {
            try await TestClient.exchange("GET", port: gated.port, path: "/metrics").text
        }
        // A reader counts as waiting once the kernel's buffers are full.
        try await eventually("eight ended archives") {
            archives.endSlow(at: .now + ReaderPace.window)
            return try await metrics().contains("lookahead_archives_total{result=\"slow\"} 8.0\n")
        }
        #expect(try await metrics().contains("lookahead_archives 0.0\n"))
        #expect(readers.allSatisfy { $0.client.seesEnd() })
        let next = try begin(gated, from: "192.0.2.9")
        #expect(next.head.status == 200)
        next.client.leave()
        await gated.stop()
        _ = folder
    }
}
