import ArgumentParser
import Foundation
import Gallery
import Replay
import Terminal
import Trace
import Viewport

struct ReplayCommand: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, html }

    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Simulate the policies on recorded scrolls and score them.",
        discussion: """
            A TRACE is an NDJSON file, recorded by the page or by GET /api/v1/sessions/{id}/trace; - reads one from \
            standard input. Results are deterministic: the same trace gives the same output, byte for byte.

            Slow blank share: of the time cells are visible at readable speed, the fraction without a picture. The \
            lower bound beside each score is the best result possible with perfect knowledge of the scroll. The \
            oracle has that knowledge and fetches what is needed next, which is not always optimal.

            Examples:
              lookahead replay trace.ndjson
              lookahead replay *.ndjson --policy lookahead --policy oracle --latency 150 --bandwidth 10
              lookahead replay trace.ndjson --format html > report.html
              curl -s $api/sessions/$session/trace | lookahead replay - --format json
            """)

    @Argument(help: "Traces to replay.", completion: .file(extensions: ["ndjson"]))
    var traces: [String] = []

    @Option(
        name: .customLong("policy"),
        help: "A policy, or oracle. May be repeated; the default is all of them.",
        completion: .list(players))
    var policies: [String] = []

    @OptionGroup(title: "Simulated origin") var network: OriginOptions

    @Option(
        BoundedNumber("concurrency", "Downloads at once", unit: "downloads", default: 8, in: Origin.concurrencyBounds))
    var concurrency: Int

    @Flag(
        help: ArgumentHelp(
            "Simulate camera files of 4 MB with an embedded preview; a cell that shows only a preview counts as half "
                + "blank."))
    var photographs = false

    @Option(help: "Output format.")
    var format = Format.text

    @Flag(help: "Print slow blank share and waste of the lookahead policy without each of its rules.")
    var ablation = false

    @Flag(
        help: ArgumentHelp(
            "Print slow blank share by kind of scrolling, and waste, on the reference origins, the server and page at "
                + "work."))
    var score = false

    @Option(
        help: ArgumentHelp(
            "Replay generated traces of all kinds, one for each of these seeds, on the reference origins.",
            valueName: "first-last"))
    var seeds: String?

    @Option(
        help: ArgumentHelp(
            "Replay the tours recorded by Tests/Benchmarks/live.sh --keep, and print the measured results beside.",
            valueName: "folder"),
        completion: .directory)
    var measured: String?

    func validate() throws {
        if measured != nil {
            guard traces.isEmpty, !score, !ablation, seeds == nil, policies.isEmpty else {
                throw ValidationError(
                    "--measured takes its traces, origins and policies from its folder: leave out the other options")
            }
            return
        }
        guard score || ablation || seeds == nil else { throw ValidationError("--seeds needs --score or --ablation") }
        if try generated == nil, traces.isEmpty {
            throw ValidationError("give a trace, or --score and --seeds FIRST-LAST")
        }
        _ = try players
    }

    private static let players = Replay.Player.all.map(\.description)

    private var players: [Replay.Player] {
        get throws {
            if policies.isEmpty { return Replay.Player.all }
            return try policies.map { name in
                guard let player = Replay.Player(name) else {
                    throw ValidationError(
                        "--policy must be one of \(Self.players.joined(separator: ", ")), not \(name)")
                }
                return player
            }
        }
    }

    /// Generated traces, where seeds are given.
    private var generated: [Scoreboard.Kind]? {
        get throws {
            guard let seeds else { return nil }
            let ends = seeds.split(separator: "-").map { UInt64($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
                last - first < 1000
            else { throw ValidationError("--seeds must be a number or FIRST-LAST, at most 1000 of them, not \(seeds)") }
            return Scoreboard.Kind.generated(first...last)
        }
    }

    func run() async throws {
        if let measured { return try compare(URL(fileURLWithPath: measured, isDirectory: true)) }
        let traces = try traces.map(Self.trace)
        let progress = ProgressReport("Replaying", unit: "runs")
        let played: @Sendable (Int, Int) -> Void = { progress.update($0, of: $1) }
        if score {
            let board = await Scoreboard(
                Scoreboard.Kind.sorting(traces) + (try generated ?? []), Origin.reference.map(holding),
                players: try players, progress: played)
            progress.end()
            print(board.text, terminator: "")
            return
        }
        let origin = holding(
            Origin(
                latency: network.latency, jitter: network.jitter, bandwidth: network.bandwidth,
                concurrency: concurrency))
        let output: [UInt8]
        switch format {
        case _ where ablation:
            let generated = try generated?.flatMap(\.traces)
            let all = traces + (generated ?? [])
            output = Array(
                Replay.ablation(all, generated == nil ? [origin] : Origin.reference.map(holding), progress: played).utf8
            )
        case .text: output = Array(Replay.run(traces, try players, [origin], progress: played).text.utf8)
        case .json: output = Replay.run(traces, try players, [origin], progress: played).json
        case .html: output = Replay.html(traces, try players, [origin], progress: played)
        }
        progress.end()
        try FileHandle.standardOutput.write(contentsOf: Data(output))
    }

    /// An origin that holds what the items are to be.
    private func holding(_ origin: Origin) -> Origin {
        var origin = origin
        if photographs { origin.pictures = .photographs }
        return origin
    }

    private func compare(_ folder: URL) throws {
        let list = folder.appendingPathComponent("measured.json")
        guard let bytes = try? Data(contentsOf: list) else {
            throw CommandFailure("cannot read \(list.path)")
        }
        var comparison = MeasuredComparison()
        do {
            for measurement in try Measurement.read(Array(bytes)) {
                comparison.add(measurement, try Self.trace(folder.appendingPathComponent(measurement.trace).path))
            }
        } catch let error as TraceError {
            throw CommandFailure("\(list.path): row \(error.line): \(error.reason)")
        }
        print(comparison.text, terminator: "")
    }

    private static func trace(_ path: String) throws -> Trace {
        let name = path == "-" ? "standard input" : URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw CommandFailure("cannot read the trace \(path)")
        }
        do {
            return try Trace(try file.readToEnd() ?? Data(), name: name)
        } catch {
            throw CommandFailure("\(path): \(error)")
        }
    }
}
