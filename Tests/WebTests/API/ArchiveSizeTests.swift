import Foundation
import Glibc
import JSON
import TestSupport
import Testing

/// Archives that need ZIP's 64-bit records, read with another unzip program.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct ArchiveSizeTests {
    /// Gets an archive, stores it as a sparse file, and reads all of it.
    private static let script = """
        import http.client, json, sys, time, zipfile
        port, path, file = int(sys.argv[1]), sys.argv[2], sys.argv[3]
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        start = time.time()
        connection.request("GET", path)
        answer = connection.getresponse()
        assert answer.status == 200, answer.status
        zeros = bytes(1 << 20)
        with open(file, "wb") as out:
            while piece := answer.read(1 << 20):
                if piece == zeros[:len(piece)]: out.seek(len(piece), 1)
                else: out.write(piece)
            bytes_ = out.tell()
            out.truncate()
        seconds = time.time() - start
        with open(file, "rb") as ended:
            ended.seek(-98, 2)
            tail = ended.read()
        archive = zipfile.ZipFile(file)
        entries = archive.infolist()
        print(json.dumps({
            "isLarge": tail.startswith(b"PK\\x06\\x06") and tail[56:60] == b"PK\\x06\\x07", "bytes": bytes_,
            "count": len(entries), "names": len(set(e.filename.lower() for e in entries)),
            "sum": sum(e.file_size for e in entries), "bad": archive.testzip(), "seconds": seconds,
            "first": [[e.filename, e.file_size, e.header_offset] for e in entries[:3]],
        }))
        """

    /// - Returns: the script's findings on an archive of the whole gallery `pictures`.
    private func archive(_ server: LookaheadProcess, in folder: TemporaryFolder, of count: Int) async throws -> JSON {
        let client = try TestClient(server.port)
        let offer = try client.call(
            "POST", "galleries/pictures/downloads", ["ranges": [["from": 0, "to": .number(Double(count))]]])
        try #require(offer.status == 201 && offer.json["itemCount"]?.integer == count, "\(offer.text)")
        let path = try #require(offer.json["archive"]?.string)
        let child = try Child(
            "/usr/bin/env", ["python3", "-c", Self.script, String(server.port), path, "\(folder.path)/all.zip"])
        let found = try JSON.parse(Array(await child.output().utf8))
        print("archive of \(count): \(String(decoding: found.bytes, as: UTF8.self))")
        return found
    }

    @Test(
        "an archive of more than 4 GB with one file as large is whole",
        .enabled(if: Weekly.isOn, "runs weekly"))
    func bytes() async throws {
        let folder = try TemporaryFolder()
        let picture = Picture.jpeg(40, 30)
        try folder.write("pictures/a.jpg", picture)
        let film = try folder.write("pictures/b.MOV", Movie().bytes)
        let large = 4 << 30 + 12345
        try #require(truncate(film, large) == 0)
        try folder.write("pictures/c.jpg", picture)
        let server = try await LookaheadProcess(
            ["serve", "\(folder.path)/pictures", "--max-raw-bytes", "\(8 << 30)"])
        defer { server.stop() }
        try await eventually("three indexed items") {
            try TestClient(server.port).call("GET", "galleries/pictures").json["index"]?["known"] == 3
        }
        let found = try await archive(server, in: folder, of: 3)
        #expect(found["isLarge"] == true && found["bad"] == .null && found["count"] == 3)
        let first = found["first"]?.array ?? []
        #expect(first.map { $0.array?.first?.string } == ["a.jpg", "b.MOV", "c.jpg"])
        #expect(first.map { $0.array?[1].integer } == [picture.count, large, picture.count])
        #expect((first.last?.array?.last?.integer ?? 0) > large)
    }

    @Test(
        "an archive of 70,000 files has all of them under distinct names", .enabled(if: Weekly.isOn, "runs weekly"))
    func count() async throws {
        let folder = try TemporaryFolder()
        let picture = Picture.jpeg(16, 16)
        let count = 70_000
        for number in 0..<count {
            let name = "pictures/\(number / 1000)/\(number % 10_000).jpg"
            // A file can have at most 65,000 links.
            guard number % 1000 > 0 else {
                try folder.write(name, picture)
                continue
            }
            let first = "\(folder.path)/pictures/\(number / 1000)/\(number / 1000 * 1000 % 10_000).jpg"
            try #require(link(first, "\(folder.path)/\(name)") == 0)
        }
        let server = try await LookaheadProcess(["serve", "\(folder.path)/pictures"])
        defer { server.stop() }
        try await eventually("all of them") {
            try TestClient(server.port).call("GET", "galleries/pictures").json["itemCount"]?.integer == count
        }
        let found = try await archive(server, in: folder, of: count)
        #expect(found["isLarge"] == true && found["bad"] == .null)
        #expect(found["count"]?.integer == count && found["names"]?.integer == count)
        #expect(found["sum"]?.integer == count * picture.count)
    }
}
