import ArgumentParser
import Foundation
import Replay
import Scoring
import Terminal
import Viewport

struct ScoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score",
        abstract: "Score the policies on generated or recorded scrolls.",
        discussion: """
            Prints slow blank share by kind of scrolling, and waste, on three reference origins, with the server and the page \
            at work. The bound beside each score is the best result possible with perfect knowledge of the scroll; the bound \
            without jumps is the best result if nobody knows where a jump leads before it begins.

            Examples:
              lookahead-lab score --seeds 3101-3108
              lookahead-lab score trace.ndjson --policy lookahead --policy collection-view
              lookahead-lab score --seeds 3101-3104 --ablation
              lookahead-lab score --measured kept
            """)

    @Argument(help: "Traces to replay.", completion: .file(extensions: ["ndjson"]))
    var traces: [String] = []

    @Option(
        help: ArgumentHelp("Also replay generated traces of all kinds, one for each seed.", valueName: "first-last"))
    var seeds: String?

    @Option(
        name: .customLong("policy"),
        help: "A policy, or oracle. May be repeated; the default is all of them.",
        completion: .list(Replay.Player.all.map(\.description)))
    var policies: [String] = []

    @Flag(help: "Simulate camera files of 4 MB; a cell that shows only a preview counts as half blank.")
    var photographs = false

    @Flag(help: "Print slow blank share and waste of the lookahead policy without each of its rules.")
    var ablation = false

    @Option(
        help: ArgumentHelp(
            "Replay the tours that Tests/Benchmarks/live.sh --keep recorded, and print the measured results beside.",
            valueName: "folder"),
        completion: .directory)
    var measured: String?

    func validate() throws {
        if measured != nil {
            guard traces.isEmpty, seeds == nil, policies.isEmpty, !ablation, !photographs else {
                throw ValidationError(
                    "--measured takes its traces, origins and policies from its folder: leave out the other options")
            }
            return
        }
        if try generated.isEmpty, traces.isEmpty { throw ValidationError("give a trace, or --seeds FIRST-LAST") }
        guard !ablation || policies.isEmpty else {
            throw ValidationError("--ablation plays the lookahead policy: leave out --policy")
        }
        _ = try Replay.Player.named(policies)
    }

    /// Generated traces of every kind.
    private var generated: [Scoreboard.Kind] {
        get throws {
            guard let seeds else { return [] }
            let ends = seeds.split(separator: "-").map { UInt64($0) }
            guard let first = ends.first ?? nil, let last = ends.last ?? nil, ends.count <= 2, first <= last,
                last - first < 1000
            else { throw ValidationError("--seeds must be a number or FIRST-LAST, at most 1000 of them, not \(seeds)") }
            return Scoreboard.Kind.generated(first...last)
        }
    }

    func run() async throws {
        if let measured { return try compare(URL(fileURLWithPath: measured, isDirectory: true)) }
        let traces = try traces.map { try Trace(file: $0) }
        let origins = Origin.reference.map { origin in
            var origin = origin
            if photographs { origin.pictures = .photographs }
            return origin
        }
        let progress = ProgressReport("Replaying", unit: "runs")
        let played: @Sendable (Int, Int) -> Void = { progress.update($0, of: $1) }
        let text: String
        if ablation {
            text = Replay.ablation(traces + (try generated.flatMap(\.traces)), origins, progress: played)
        } else {
            text = await Scoreboard(
                Scoreboard.Kind.sorting(traces) + (try generated), origins,
                players: try Replay.Player.named(policies), progress: played
            ).text
        }
        progress.end()
        print(text, terminator: "")
    }

    private func compare(_ folder: URL) throws {
        let list = folder.appendingPathComponent("measured.json")
        guard let bytes = try? Data(contentsOf: list) else { throw CommandFailure("cannot read \(list.path)") }
        var comparison = MeasuredComparison()
        do {
            for measurement in try Measurement.read(Array(bytes)) {
                comparison.add(
                    measurement, try Trace(file: folder.appendingPathComponent(measurement.trace).path))
            }
        } catch let error as TraceError {
            throw CommandFailure("\(list.path): row \(error.line): \(error.reason)")
        }
        print(comparison.text, terminator: "")
    }
}
