import Foundation
import TestSupport
import Testing

/// Exit statuses, and the split between standard output and standard error.
@Suite(.timeLimit(.minutes(2)))
struct ExitTests {
    typealias Row = (command: String, status: Int32, texts: [String])

    private static let shared = ["--host <", "--max-sessions <", "--max-downloads <", "--memory-cache <"]

    private static let commands: [(name: String, flags: [String])] = [
        ("", []), ("demo", ["--items <"] + shared), ("serve", shared), ("settings", []), ("replay", []),
    ]

    static let help: [Row] = commands.map { name, flags in
        let texts = ["OVERVIEW: ", "Examples: lookahead ", "USAGE: lookahead \(name)"]
        return ("lookahead \(name) --help", 0, texts + flags)
    }

    static let runs: [Row] = [
        ("lookahead", 0, ["OVERVIEW: A gallery server"]), ("lookahead help replay", 0, ["USAGE: lookahead replay"]),
        ("lookahead-lab --help", 0, ["SUBCOMMANDS:"]),
        ("lookahead --generate-completion-script zsh", 0, ["demo", "serve", "replay"]),
        ("lookahead --generate-completion-script fish", 0, ["demo", "serve", "replay"]),
        ("lookahead replay - --policy oracle --format text", 0, ["oracle"]),
        ("lookahead replay - --policy oracle --format json", 0, ["oracle"]),
        ("lookahead replay - --policy oracle --format html", 0, ["oracle"]),
        ("lookahead replay - --max-blank 100% --max-waste 100%", 0, ["lookahead"]),
        ("lookahead replay - --max-blank 1", 64, ["--max-blank", "give a percentage from 0% to 100%, such as 10%"]),
        ("lookahead replay - --max-waste 101%", 64, ["--max-waste", "give a percentage from 0% to 100%, such as 10%"]),
        ("lookahead demo --items many", 64, ["--items"]),
        ("lookahead serve . --max-sesions 3", 64, ["Did you mean '--max-sessions'?"]),
        ("lookahead demo --latency=-1", 64, ["--latency must be from 0 to 60000 ms"]),
        ("lookahead demo --jitter=4", 64, ["--jitter must be from 0 to 3"]),
        ("lookahead demo --bandwidth 0", 64, ["--bandwidth must be from 0.01 to 100000 Mbit/s"]),
        ("lookahead demo --failure-rate 2", 64, ["--failure-rate must be from 0 to 1"]),
        ("lookahead replay", 64, ["trace"]), ("lookahead replay none.ndjson", 1, ["none.ndjson"]),
        ("lookahead replay none.ndjson --policy luck", 64, ["--policy must be one of lookahead, "]),
        ("lookahead replay none.ndjson --concurrency 0", 64, ["--concurrency must be from 1 to 1024"]),
        ("lookahead replay none.ndjson --format xml", 64, ["--format"]),
        ("lookahead replay - < /dev/null", 1, ["-: "]),
        ("LOOKAHEAD_PUBLIC_DIRECTORY=/nowhere lookahead-lab gallery-server", 1, ["no page in /nowhere"]),
    ]

    /// A recorded scroll, for commands that read their standard input.
    private static let trace: [UInt8] = {
        let header =
            #"{"version":1,"itemCount":900,"viewport":{"width":600,"height":400},"layout":{"kind":"grid","itemWidth":200,"itemHeight":180,"lineSpacing":0,"interitemSpacing":0}}"#
        let samples = (0..<60).map { #"{"t":\#($0 * 16),"y":\#($0 * 30),"phase":"wheel"}"# }
        return Array((header + "\n" + samples.joined(separator: "\n") + "\n").utf8)
    }()

    /// - Parameter texts: texts of the output, or of the error output if the command fails. White space is folded, and
    ///   the first occurrences are in this order.
    @Test(
        "success prints output only and exits with 0, wrong usage exits with 64, and a failure exits with 1",
        arguments: help + runs)
    func ending(command: String, status: Int32, texts: [String]) async throws {
        let run = try await Command(command, input: Self.trace)
        #expect(run.status == status)
        #expect(run.output.isEmpty == (status != 0) && run.errors.isEmpty == (status == 0), "\(run)")
        let printed = (run.output + run.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let places = try texts.map { try #require(printed.range(of: $0), "\($0): \(printed)").lowerBound }
        #expect(places == places.sorted(), "\(texts): \(printed)")
    }

    @Test("a replay above a limit prints its results and the reason, and exits with 1")
    func limits() async throws {
        let command = "lookahead replay - --latency 1000 --max-blank 1% --max-waste 100%"
        let run = try await Command(command, input: Self.trace)
        #expect(run.status == 1)
        #expect(run.output.contains("lookahead") && !run.output.contains("collection-view"), "\(run)")
        #expect(run.errors.contains(#/^lookahead: standard input, lookahead: blank is [\d.]+%, over 1%\n$/#), "\(run)")
    }

    /// Tests each number as a flag, and that the flag overrides its variable. The weekly run tests the variable, too.
    @Test("a number out of bounds is refused, and the error names the flag or variable")
    func bounds() async throws {
        for name in try await HelpTests.numbers() {
            let variable = "LOOKAHEAD_" + name.uppercased().replacing("-", with: "_")
            for place in Weekly.isOn ? ["--\(name)", variable] : ["--\(name)"] {
                let flag = place == variable ? "" : "\(place)=-1"
                let run = try await Command("lookahead serve . \(flag)", environment: [variable: "-1"])
                #expect(run.status == 64, "\(place)")
                #expect(run.errors.contains("\(place) must be from "), "\(run.errors)")
            }
        }
    }

    @Test(
        "too few file descriptors end the start with one line that names the limit and the minimum",
        arguments: [8, 14, 16, 20, 24, 32, 48], ["demo --items 9", "serve ."])
    func descriptors(count: Int, command: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("1.jpg", Picture.jpeg(30, 20))
        let run = try await Command(Self.limited("ulimit -n \(count)", command, folder))
        #expect(run.status == 1)
        let lines = run.errors.split(separator: "\n")
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
}
