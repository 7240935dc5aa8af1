import TestSupport
import Testing

/// Ranges of originals and videos, byte for byte.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct RangeTests {
    private static let noise = (0..<300_000).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 11) }

    private func expect(_ path: String, of file: [UInt8], type: String, on port: UInt16) throws {
        let client = try TestClient(port)
        let size = file.count
        func get(_ headers: String) throws -> TestClient.Answer {
            try client.call("GET", "galleries/pictures/items/\(path)", headers: headers)
        }
        for headers in [
            "", "Range: bytes=0-1,3-4\r\n", "Range: bytes=0-1\r\nIf-Range: \"a\"\r\n", "Range: lines=1-2\r\n",
        ] {
            let whole = try get(headers)
            #expect(whole.status == 200 && whole.body == file && whole.header("content-range") == nil, "\(headers)")
            #expect(whole.header("accept-ranges") == "bytes" && whole.header("content-type") == type)
        }
        for (range, part) in [
            ("0-0", 0..<1), ("100-2099", 100..<2100), ("\(size - 10)-", size - 10..<size), ("-7", size - 7..<size),
            ("5-\(size + 50)", 5..<size), ("-\(size + 9)", 0..<size),
        ] {
            let answer = try get("Range: bytes=\(range)\r\n")
            #expect(answer.status == 206 && answer.body == Array(file[part]), "\(path) \(range)")
            #expect(answer.header("content-range") == "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)")
            #expect(answer.header("content-type") == type && answer.header("x-content-type-options") == "nosniff")
            #expect(answer.header("content-security-policy") == "default-src 'none'; sandbox")
        }
        for range in ["\(size)-", "-0"] {
            let answer = try get("Range: bytes=\(range)\r\n")
            #expect(answer.status == 416 && answer.header("content-range") == "bytes */\(size)", "\(range)")
            #expect(answer.header("content-type") == "application/problem+json")
        }
        let head = try client.call("HEAD", "galleries/pictures/items/\(path)", headers: "Range: bytes=0-1\r\n")
        #expect(head.status == 200 && head.header("content-length") == String(size))
    }

    @Test("ranges of originals, Live Photo videos and motion photo videos return their bytes")
    func folder() async throws {
        var camera = CameraFile(), movie = Movie()
        (camera.contentIdentifier, movie.contentIdentifier) = ("AAAA-1", "AAAA-1")
        let live = movie.bytes + [0, 0, 0, 0] + Array("free".utf8) + Self.noise
        let film = Movie.quadrants(apart: 90_000)
        let motion = Picture.motionPhoto(Picture.jpeg(40, 30), film: film)
        let api = try await APIFixture(files: [
            "1.JPG": camera.bytes(around: Picture.jpeg(40, 30)), "1.MOV": live, "2.jpg": motion,
            "3.jpg": Picture.jpeg(300, 200) + Self.noise,
        ])
        try await eventually("a recognized Live Photo") {
            try api.call("GET", "galleries/pictures/items/0").json["kind"] == "live"
        }
        try expect("2/original", of: Picture.jpeg(300, 200) + Self.noise, type: "image/jpeg", on: api.port)
        try expect("0/video", of: live, type: "video/quicktime", on: api.port)
        try expect("1/video", of: film, type: "video/mp4", on: api.port)
        let none = try api.call("GET", "galleries/pictures/items/2/video")
        #expect(none.status == 404 && none.json["detail"]?.string == "The item has no video.")
        let name = try api.call("GET", "galleries/pictures/items/1/video").header("content-disposition")
        #expect(name == "attachment; filename*=UTF-8''2.jpg.mp4")
    }

    @Test("a range of an original from the network is returned")
    func network() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "9", "--latency", "0"])
        defer { demo.stop() }
        let client = try TestClient(demo.port)
        let whole = try client.call("GET", "galleries/demo/items/3/original")
        let part = try client.call("GET", "galleries/demo/items/3/original", headers: "Range: bytes=10-99\r\n")
        #expect(whole.status == 200 && part.status == 206 && part.body == Array(whole.body[10..<100]))
        #expect(try client.call("GET", "galleries/demo/items/3/video").status == 404)
    }
}
