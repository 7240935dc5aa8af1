import Foundation
import JSON
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(2)))
struct ArchiveTests {
    /// Contents of an archive as another unzip program reads it. Checks that all files are stored uncompressed.
    private func contents(_ archive: [UInt8]) async throws -> [String: [UInt8]] {
        let folder = try TemporaryFolder()
        let path = try folder.write("archive.zip", archive)
        let script = """
            import base64, sys, zipfile
            archive = zipfile.ZipFile(sys.argv[1])
            assert archive.testzip() is None
            for entry in archive.infolist():
                assert entry.compress_type == zipfile.ZIP_STORED and entry.date_time[0] >= 2020, entry
                print(entry.filename + "\\t" + base64.b64encode(archive.read(entry)).decode())
            """
        let child = try Child("/usr/bin/python3", ["-c", script, path], environment: ["PYTHONIOENCODING": "utf-8"])
        var files: [String: [UInt8]] = [:]
        for line in await child.output().split(separator: "\n") {
            let parts = line.split(separator: "\t")
            files[String(parts[0])] = Array(try #require(Data(base64Encoded: String(parts.last ?? ""))))
        }
        #expect(child.wait() == 0)
        return files
    }

    @Test("an archive holds the original files in their folders")
    func archive() async throws {
        let api = try await APIFixture()
        try api.folder.write("pictures/b/1.jpg", Picture.jpeg(80, 60, red: 1))
        try api.folder.write("pictures/b/Málaga.jpg", Picture.jpeg(70, 60, red: 2))
        try api.folder.write(
            "pictures/b/large.jpg", Picture.jpeg(900, 900, red: 3) + [UInt8](repeating: 7, count: 3 << 20))
        try await eventually("15 pictures") { try api.call("GET", "galleries/pictures").json["itemCount"] == 15 }
        let answer = try api.call(
            "POST", "galleries/pictures/archive", ["ranges": [["from": 0, "to": 1], ["from": 8, "to": 15]]])
        #expect(answer.status == 200 && answer.header("content-type") == "application/zip")
        #expect(answer.header("content-disposition") == "attachment; filename*=UTF-8''pictures.zip")
        let files = try await contents(answer.body)
        #expect(
            Set(files.keys) == [
                "a/1.jpg", "b/1.jpg", "b/9.jpg", "b/10.jpg", "b/11.jpg", "b/large.jpg", "b/Málaga.jpg",
                "not included.txt",
            ])
        for path in ["a/1.jpg", "b/1.jpg", "b/large.jpg"] {
            let file = try Data(contentsOf: URL(fileURLWithPath: "\(api.folder.path)/pictures/\(path)"))
            #expect(files[path] == Array(file), "\(path)")
        }
        // The folder's last file is broken.
        let missing = String(decoding: files["not included.txt"] ?? [], as: UTF8.self)
        #expect(missing.hasPrefix("b/12.jpg: ") && missing.contains("not a picture"))
    }

    @Test("an archive includes the video of a Live Photo, and the API reports the kind of each item")
    func moving() async throws {
        var camera = CameraFile(), movie = Movie()
        (camera.contentIdentifier, movie.contentIdentifier) = ("AAAA-1", "AAAA-1")
        let picture = camera.bytes(around: Picture.jpeg(40, 30))
        let motion = Picture.motionPhoto(picture, film: movie.bytes)
        let api = try await APIFixture(files: [
            "IMG_1.JPG": picture, "IMG_1.MOV": movie.bytes, "IMG_2.JPG": motion, "IMG_3.MOV": movie.bytes,
        ])
        func get(_ path: String) throws -> JSON { try api.call("GET", path).json }
        try await eventually("the kinds of both") {
            try get("galleries/pictures/items/0")["kind"] != nil && get("galleries/pictures/items/1")["kind"] != nil
        }
        #expect(try get("galleries/pictures/items/0")["kind"] == "live")
        #expect(try get("galleries/pictures/items/0")["pairedWith"] == ["IMG_1.MOV"])
        #expect(try get("galleries/pictures/items/1")["kind"] == "motion")
        #expect(try get("galleries/pictures/items/1")["pairedWith"] == nil)
        try await eventually("three indexed items") { try get("galleries/pictures")["index"]?["known"] == 3 }
        #expect(try get("galleries/pictures/items/2")["name"] == "IMG_3.MOV")
        let answer = try api.call("POST", "galleries/pictures/archive", ["ranges": [["from": 0, "to": 2]]])
        let files = try await contents(answer.body)
        #expect(files == ["IMG_1.JPG": picture, "IMG_1.MOV": movie.bytes, "IMG_2.JPG": motion])
    }

    @Test("an archive holds each requested item of an arrangement once")
    func items() async throws {
        let api = try await APIFixture()
        let id = try api.arranged(["sort": "name", "order": "descending"])
        let answer = try api.call("POST", "galleries/\(id)/archive", ["items": [1, 2, 1]])
        #expect(Set(try await contents(answer.body).keys) == ["11.jpg", "10.jpg"])
        // In this order, items 1 to 8 are in one folder and 9 to 12 in another.
        let both = try api.call("POST", "galleries/\(id)/archive", ["items": [2, 11]])
        #expect(Set(try await contents(both.body).keys) == ["b/10.jpg", "a/1.jpg"])
    }

    @Test("a client of HTTP/1.0 gets the archive until the connection closes")
    func old() async throws {
        let api = try await APIFixture()
        let client = try TestClient(api.port)
        let body = #"{"items":[0]}"#
        client.send(
            "POST /api/v1/galleries/pictures/archive HTTP/1.0\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let answer = try client.answer()
        #expect(answer.header("transfer-encoding") == nil)
        #expect(try await contents(answer.body).count == 1)
    }

    @Test("an archive ends when its client leaves, and its place is free again")
    func leaving() async throws {
        let api = try await APIFixture()
        for number in 0..<4 {
            try api.folder.write(
                "pictures/b/large\(number).jpg", Picture.jpeg(30, 30) + [UInt8](repeating: 7, count: 6 << 20))
        }
        try await eventually("16 pictures") { try api.call("GET", "galleries/pictures").json["itemCount"] == 16 }
        func begin() throws -> (client: TestClient, status: Int) {
            let client = try TestClient(api.port, receiveBuffer: 4096)
            let body = #"{"ranges":[{"from":0,"to":16}]}"#
            client.send(
                "POST /api/v1/galleries/pictures/archive HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return (client, try client.head().status)
        }
        var clients = try (0..<8).map { _ in try begin() }
        #expect(clients.map(\.status) == Array(repeating: 200, count: 8))
        #expect(try begin().status == 429)
        for (client, _) in clients { client.leave() }
        clients = []
        // The server notices the closed connections a moment later.
        try await eventually("room for an archive", of: { try begin().status }, satisfies: { $0 != 429 })
    }
}
