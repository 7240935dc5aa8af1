import Foundation
import TestSupport
import Testing

/// Short commands that show a folder.
@Suite(.timeLimit(.minutes(2)))
struct ServeTests {
    @Test(
        "--open opens the page in the desktop's browser, at 127.0.0.1 even if the host is 0.0.0.0",
        arguments: ["127.0.0.1", "0.0.0.0"])
    func browser(host: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("own/1.jpg", Picture.jpeg(30, 20))
        let pipe = "\(folder.path)/opened"
        #expect(mkfifo(pipe, 0o600) == 0)
        let opener = try folder.write("bin/xdg-open", Array("#!/bin/sh\necho \"$1\" > \(pipe)\n".utf8))
        #expect(chmod(opener, 0o700) == 0)
        let search = "\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
        let reader = try Child("/bin/cat", [pipe])
        let server = try await LookaheadProcess(
            [
                "serve", "\(folder.path)/own", "--open", "--host", host, "--token",
                "as-long-as-it-must-be-to-be-no-guess",
            ], environment: ["PATH": search])
        defer { server.stop() }
        #expect(await reader.output() == "http://127.0.0.1:\(server.port)\n")
        #expect(reader.wait() == 0)
    }

    @Test("a server on all addresses prints a URL for other devices and warns who can open it")
    func elsewhere() async throws {
        let folder = try TemporaryFolder()
        try folder.write("own/1.jpg", Picture.jpeg(30, 20))
        let server = try await LookaheadProcess(
            ["serve", "\(folder.path)/own", "--host", "0.0.0.0", "--token", "as-long-as-it-must-be-to-be-no-guess"])
        server.stop()
        let said = await server.child.output()
        let addresses = await (try Child("/bin/hostname", ["-I"])).output().split(whereSeparator: \.isWhitespace)
            .filter { $0.contains(".") && !$0.hasPrefix("169.254.") }
        #expect(addresses.isEmpty == !said.contains("open http://"), "\(said)")
        guard let found = said.firstMatch(of: #/open http://([0-9.]+):(\d+)/\?token=TOKEN; anyone with the token/#)
        else { return #expect(addresses.isEmpty, "\(said)") }
        #expect(addresses.contains(found.output.1) && found.output.2 == "\(server.port)", "\(said)")
    }

    static let warnings = [
        ("--open", "open http://127.0.0.1:PORT yourself", true),
        ("--token 1111111111111111", "The token of --token is easy to guess", true),
        ("--token 9f86d081884c7d65", "The token of --token is easy to guess", false),
        ("--log-level warning", "own: nothing to show: no JPEG, PNG, WebP, GIF, ", true),
    ]

    @Test("a missing desktop, a guessable token and a folder without pictures cause warnings", arguments: warnings)
    func warning(options: String, text: String, isShown: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write("own/notes.txt")
        let server = try await LookaheadProcess(
            ["serve", "\(folder.path)/own"] + options.split(separator: " ").map(String.init),
            environment: ["PATH": folder.path])
        server.stop()
        let errors = server.child.standardError()
        #expect(errors.contains(text.replacing("PORT", with: "\(server.port)")) == isShown, "\(errors)")
    }

    @Test("a folder as the only argument is served, and threads that fetch and read pictures run at a lower priority")
    func niceness() async throws {
        let folder = try TemporaryFolder()
        try folder.write("own/1.jpg", Picture.jpeg(30, 20))
        let server = try await LookaheadProcess(["\(folder.path)/own"])
        defer { server.stop() }
        #expect(try TestClient(server.port).get("/api/v1/galleries/own").text.contains("\"itemCount\":1"))
        #expect(try TestClient(server.port).get("/api/v1/galleries/own/items/0/thumbnail").status == 200)
        let niceness = try Self.niceness(ofThreadsOf: server.child.processIdentifier)
        let parser = try #require(niceness["parser"]?.first)
        #expect(niceness["file-1"] == [parser + 5])
        // Swift's threads carry Dispatch's name. Threads that have not worked for the pool yet keep their priority.
        #expect(niceness.contains { $0.key.contains("qos") && $0.value.contains(parser + 5) })
    }

    /// Niceness of each thread, by the thread's name.
    private static func niceness(ofThreadsOf process: Int32) throws -> [String: [Int]] {
        let threads = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: threads).reduce(into: [:]) { found, thread in
            // A thread may have ended meanwhile. Numbers follow the name in brackets; the 17th is the niceness.
            guard let line = try? String(contentsOfFile: "\(threads)/\(thread)/stat", encoding: .utf8),
                let start = line.firstIndex(of: "("), let end = line.lastIndex(of: ")")
            else { return }
            let fields = line[end...].split(separator: " ")
            found[String(line[start..<end].dropFirst()), default: []].append(Int(fields[17]) ?? 0)
        }
    }
}
