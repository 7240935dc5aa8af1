import Foundation
import JSON
import TestSupport
import Testing

/// Ends of the process: signals and failed starts.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct EndingTests {
    static let mistakes: [(arguments: [String], status: Int32, says: String)] = [
        (["serve"], 64, "SOURCE"),
        (["serve", "PICTURES", "--colour", "red"], 64, "--colour"),
        (["serve", "PICTURES", "--max-sessions", "0"], 64, "--max-sessions must be from 1 to 100000"),
        (["serve", "PICTURES", "--port", "70000"], 64, "--port must be from 0 to 65535"),
        (["serve", "PICTURES", "--host", "0.0.0.0"], 64, "--token"),
        (["serve", "PICTURES", "--token", "short"], 64, "16"),
        (["serve", "PICTURES", "--token-file", "FOLDER/none"], 64, "FOLDER/none"),
        (["serve", "PICTURES", "--allow-address", "everything"], 64, "--allow-address"),
        (["serve", "PICTURES", "--trusted-proxy", "proxy"], 64, "--trusted-proxy"),
        (["serve", "PICTURES", "--log-level", "loud"], 64, "--log-level"),
        (["demo", "--items", "0"], 64, "--items"),
        (["serve", "FOLDER/none"], 1, "FOLDER/none"),
        (["serve", "FOLDER/list.txt"], 1, "list.txt"),
        (["serve", "PICTURES", "--cache-directory", "FOLDER/list.txt/cache"], 1, "--cache-directory"),
        (["serve", "PICTURES", "--public-directory", "FOLDER"], 1, "--public-directory"),
        (["serve", "PICTURES", "--host", "192.0.2.1", "--token", "kX7wQm29ZrTb41Lc"], 1, "192.0.2.1"),
    ]

    @Test("a failed start prints one line with the cause", arguments: mistakes)
    func mistake(arguments: [String], status: Int32, says: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("pictures/a.jpg", Picture.jpeg(30, 20))
        try folder.write("list.txt", Array("no url\n".utf8))
        func filled(_ text: String) -> String {
            text.replacingOccurrences(of: "PICTURES", with: "\(folder.path)/pictures")
                .replacingOccurrences(of: "FOLDER", with: folder.path)
        }
        var given = arguments.map(filled)
        if !given.contains("--cache-directory") { given += ["--cache-directory", "none"] }
        if !given.contains("--port") { given += ["--port", "0"] }
        let child = try Child(LookaheadProcess.executable, given)
        #expect(child.wait() == status, "\(arguments)")
        let lines = child.standardError().split(separator: "\n")
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.hasPrefix("lookahead: ") == true)
        #expect(lines.first?.contains(filled(says)) == true, "\(lines)")
    }

    @Test("a port in use is reported in one line")
    func portInUse() async throws {
        let api = try await APIFixture()
        let arguments = ["serve", "\(api.folder.path)/pictures", "--cache-directory", "none", "--port", "\(api.port)"]
        let child = try Child(LookaheadProcess.executable, arguments)
        #expect(child.wait() == 1)
        let text = child.standardError()
        #expect(text.split(separator: "\n").count == 1)
        #expect(text.contains("port \(api.port) of 127.0.0.1 is in use"))
    }

    @Test("a stopping server sends bye on 500 streams and exits with status 0")
    func manyStreams() async throws {
        let api = try await APIFixture()
        let session = try api.session()
        var streams: [EventReader] = []
        let sessions = try (0..<10).map { _ in try api.session() }
        for number in 0..<500 {
            let stream = try api.events(sessions[number % sessions.count])
            #expect(try stream.next().name == "hello")
            streams.append(stream)
        }
        _ = session
        let clock = ContinuousClock()
        let took = clock.measure { #expect(api.server.stop() == 0) }
        // `lookahead-lab stops` measures the time.
        #expect(took < .seconds(60))
        for stream in streams {
            #expect(try stream.next("bye").data["reason"]?.string?.contains("stopping") == true)
            #expect(stream.seesEnd())
        }
        #expect(api.server.child.standardError().isEmpty, "quiet by default")
    }

    @Test("a second signal ends the process at once during a request")
    func secondSignal() async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "10", "--latency", "60000", "--jitter", "0"])
        let slow = try TestClient(demo.port)
        slow.send("GET /api/v1/galleries/demo/items/3/thumbnail HTTP/1.1\r\nHost: localhost\r\n\r\n")
        let body: JSON = ["gallery": "demo", "viewport": ["width": 600, "height": 400]]
        let session = try TestClient(demo.port).call("POST", "sessions", body).json
        let events = try EventReader(demo.port, try #require(session["events"]?.string))
        #expect(try events.next().name == "hello")
        demo.child.signal(SIGTERM)
        _ = try events.next("bye")
        demo.child.signal(SIGTERM)
        #expect(demo.child.wait() == 128 + SIGTERM)
        slow.stay()
    }
}
