import Foundation
import JSON
import TestSupport
import Testing

/// `lookahead serve s3://…`, against a service that checks every signature.
@Suite(.timeLimit(.minutes(2)))
struct BucketTests {
    private static let keys = [
        "2024/a b+c=d*e(f):g@h,i;j'k\"l%m&n<o>p?q#r.jpg", "2024/Zoë/été 東京.jpg", "2024/Zoë/second.jpg", "2024/.jpg",
        "2024/clip.mkv", "2024/notes.txt", "2024/a/../b.jpg", "2023/old.jpg",
    ]

    private struct Bucket {
        let folder: TemporaryFolder
        let child: Child
        let port: UInt16

        init() async throws {
            folder = try TemporaryFolder()
            let picture = try folder.write("picture.jpg", Picture.jpeg(300, 200))
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("bucket.py")
            child = try Child("/usr/bin/env", ["python3", script.path, picture] + BucketTests.keys)
            port = try await child.port(after: "Listening on")
        }
    }

    private static func environment(secret: String = "wJalrXUtnFEMI/K7MDENG:bPxRfiCYEXAMPLEKEY") -> [String: String] {
        ["AWS_ACCESS_KEY_ID": "AKIDEXAMPLE", "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": "eu-test-1"]
    }

    private static func arguments(_ bucket: Bucket) -> [String] {
        let host = "127.0.0.1:\(bucket.port)"
        return ["serve", "s3://pictures/2024/", "--s3-endpoint", "http://\(host)", "--allow-origin", host]
    }

    @Test("a bucket's pictures are listed and rendered under any key, with folders as sections")
    func shown() async throws {
        let bucket = try await Bucket()
        defer { bucket.child.stop() }
        let server = try await LookaheadProcess(Self.arguments(bucket), environment: Self.environment())
        defer { server.stop() }
        let client = try TestClient(server.port)
        let gallery = try await eventually("3 items", of: { try client.call("GET", "galleries/2024").json }) {
            $0["itemCount"]?.integer == 3
        }
        #expect(gallery["sections"]?.array?.compactMap { $0["title"]?.string } == ["Zoë", "2024"])
        let items = try client.call("GET", "galleries/2024/items?from=0&count=10").json["items"]?.array ?? []
        #expect(
            items.compactMap { $0["title"]?.string }
                == ["second", "été 東京", "a b+c=d*e(f):g@h,i;j'k\"l%m&n<o>p?q#r"])
        for item in items.indices {
            let thumbnail = try client.call("GET", "galleries/2024/items/\(item)/thumbnail?width=100&height=100")
            #expect(thumbnail.status == 200, "\(items[item])")
            let original = try client.call("GET", "galleries/2024/items/\(item)/original")
            #expect(original.status == 200 && original.body == Picture.jpeg(300, 200))
        }
        #expect(gallery["notShown"]?.array?.first?["kind"]?.string == "mkv")
        server.stop()
        let said = server.child.standardError()
        #expect(said.contains("1 file is not shown: 1 MKV"), "\(said)")
        #expect(said.contains("1 picture is left out"), "\(said)")
        #expect(!said.contains("bPxRfiCY"))
    }

    @Test("credentials are read from the files of the AWS command line")
    func files() async throws {
        let bucket = try await Bucket()
        defer { bucket.child.stop() }
        try bucket.folder.write("home/.aws/config", Array("[default]\nregion = eu-test-1\n".utf8))
        try bucket.folder.write(
            "home/.aws/credentials",
            Array(
                "[default]\naws_access_key_id=AKIDEXAMPLE\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG:bPxRfiCYEXAMPLEKEY\n"
                    .utf8))
        let server = try await LookaheadProcess(
            Self.arguments(bucket), environment: ["HOME": "\(bucket.folder.path)/home"])
        defer { server.stop() }
        #expect(try TestClient(server.port).get("/api/v1/galleries/2024").status == 200)
    }

    @Test("a wrong secret key ends the start with 403 and the name of the variable to check")
    func refused() async throws {
        let bucket = try await Bucket()
        defer { bucket.child.stop() }
        let arguments = Self.arguments(bucket).joined(separator: " ")
        let run = try await Command(
            "lookahead \(arguments) --port 0", environment: Self.environment(secret: "another"))
        #expect(run.status == 1)
        #expect(run.errors.contains("403") && run.errors.contains("AWS_SECRET_ACCESS_KEY"), "\(run)")
    }

    @Test("a list cannot reach objects outside the bucket's prefix")
    func elsewhere() async throws {
        let bucket = try await Bucket()
        defer { bucket.child.stop() }
        let server = try await LookaheadProcess(Self.arguments(bucket), environment: Self.environment())
        defer { server.stop() }
        let client = try TestClient(server.port)
        let old = "http://127.0.0.1:\(bucket.port)/pictures/2023/old.jpg"
        let made = try client.call("POST", "galleries", ["title": "Mine", "items": [["url": .string(old)]]])
        let id = try #require(made.json["id"]?.string)
        let answer = try client.call("GET", "galleries/\(id)/items/0/thumbnail?width=100&height=100")
        #expect(answer.status != 200)
        #expect(answer.text.contains("403"), "\(answer.text)")
    }
}
