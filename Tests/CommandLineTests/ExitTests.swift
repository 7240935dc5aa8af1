import Foundation
import TestSupport
import Testing

/// Exit statuses, and the split between standard output and standard error.
@Suite(.timeLimit(.minutes(2)))
struct ExitTests {
    static let endings: [(arguments: [String], status: Int32, says: String)] = [
        (["--help"], 0, ""), (["--version"], 0, ""),
        (["fly"], 1, "fly"), (["demo", "--colour"], 64, "--colour"), (["demo", "--items", "many"], 64, "--items"),
        (["serve", ".", "--max-sesions", "3"], 64, "Did you mean '--max-sessions'?"),
        (["serve", ".", "--max-sessions", "many"], 64, "--max-sessions must be a number of sessions, not \"many\""),
        (["demo", "--latency=-1"], 64, "--latency must be from 0 to 60000 ms"),
        (["demo", "--jitter=4"], 64, "--jitter must be from 0 to 3"),
        (["demo", "--bandwidth", "0"], 64, "--bandwidth must be from 0.01 to 100000 Mbit/s"),
        (["demo", "--failure-rate", "2"], 64, "--failure-rate must be from 0 to 1"),
        (["replay"], 64, "trace"), (["replay", "none.ndjson"], 1, "none.ndjson"),
        (["replay", "none.ndjson", "--policy", "luck"], 64, "--policy must be one of lookahead, "),
        (["replay", "none.ndjson", "--concurrency", "0"], 64, "--concurrency must be from 1 to 1024"),
        (["replay", "none.ndjson", "--format", "xml"], 64, "--format"),
        (["replay", "-"], 1, "-: "),
    ]

    @Test("the exit status is 0 for success, 64 for wrong usage and 1 for a failure", arguments: endings)
    func ending(arguments: [String], status: Int32, says: String) async throws {
        let child = try Child(LookaheadProcess.executable, arguments)
        let output = await child.output()
        #expect(child.wait() == status)
        let errors = child.standardError()
        #expect(says.isEmpty || errors.contains(says), "\(errors)")
        #expect(output.isEmpty == (status != 0))
        if status == 0 { #expect(errors.isEmpty) }
    }

    @Test(
        "too few file descriptors end the start with one line that names the limit and the minimum",
        arguments: [8, 14, 16, 20, 24, 32, 48], ["demo --items 9", "serve ."])
    func descriptors(count: Int, command: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("1.jpg", Picture.jpeg(30, 20))
        let child = try Child("/bin/sh", ["-c", Self.limited("ulimit -n \(count)", command, folder)])
        _ = await child.output()
        #expect(child.wait() == 1)
        let lines = child.standardError().split(separator: "\n")
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.contains("a server needs at least 64") == true, "\(lines)")
        #expect(lines.first?.contains("too few file descriptors: the limit is \(count)") == true, "\(lines)")
    }

    @Test("a low soft limit of file descriptors is raised at the start")
    func softLimit() async throws {
        let folder = try TemporaryFolder()
        try folder.write("1.jpg", Picture.jpeg(30, 20))
        let child = try Child("/bin/sh", ["-c", Self.limited("ulimit -S -n 16", "serve .", folder)])
        _ = try await child.port(after: "Listening on")
        #expect(child.stop() == 0)
        #expect(child.standardError().isEmpty, "\(child.standardError())")
    }

    private static func limited(_ limit: String, _ command: String, _ folder: TemporaryFolder) -> String {
        "cd '\(folder.path)' && \(limit) && exec '\(LookaheadProcess.executable)' \(command) --port 0 --cache-directory none"
    }

    @Test("SIGINT and SIGTERM end a server with status 0", arguments: [SIGINT, SIGTERM])
    func signals(signal: Int32) async throws {
        let demo = try await LookaheadProcess(["demo", "--items", "9"])
        demo.child.signal(signal)
        #expect(demo.child.wait() == 0)
        #expect(demo.child.standardError().isEmpty)
    }

    @Test("eight servers that start at once all handle a SIGTERM sent as soon as they listen")
    func starting() async throws {
        for _ in 0..<(Weekly.isOn ? 6 : 2) {
            let servers = try (0..<8).map { _ in
                try Child(
                    LookaheadProcess.executable,
                    ["demo", "--items", "1", "--port", "0", "--cache-directory", "none"])
            }
            for server in servers {
                _ = try await server.port(after: "Listening on")
                server.signal(SIGTERM)
            }
            for server in servers { #expect(server.wait() == 0) }
        }
    }

    @Test("a replay prints its result on standard output and nothing on standard error")
    func replay() async throws {
        let header =
            #"{"version":1,"itemCount":900,"viewport":{"width":600,"height":400},"layout":{"kind":"grid","itemWidth":200,"itemHeight":180,"lineSpacing":0,"interitemSpacing":0}}"#
        let samples = (0..<60).map { #"{"t":\#($0 * 16),"y":\#($0 * 30),"phase":"wheel"}"# }
        let trace = Array((header + "\n" + samples.joined(separator: "\n") + "\n").utf8)
        for format in ["text", "json", "html"] {
            let child = try Child(
                LookaheadProcess.executable, ["replay", "-", "--policy", "oracle", "--format", format], input: trace)
            #expect(await child.output().contains("oracle"))
            #expect(child.wait() == 0)
            #expect(child.standardError().isEmpty)
        }
    }
}
