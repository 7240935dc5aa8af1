import ArgumentParser
import Foundation
import Gallery
import Replay
import Terminal

struct ReplayCommand: ParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, html }

    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Simulate the policies on recorded scrolls.",
        discussion: """
            A TRACE is an NDJSON file, recorded by the page or by GET /api/v1/sessions/{id}/trace, or a record as JSON; - \
            reads one from standard input. Results are deterministic: the same trace gives the same output, byte for byte.

            Slow blank share: of the time cells are visible at readable speed, the fraction without a picture. The oracle \
            knows the whole scroll and fetches the picture that is needed next, which is not always the best order.

            Examples:
              lookahead replay trace.ndjson
              lookahead replay *.ndjson --policy lookahead --policy oracle --latency 150 --bandwidth 10
              lookahead replay trace.ndjson --format html > report.html
              lookahead replay record.json --max-blank 10% --max-waste 15%
              curl -s $api/sessions/$session/trace | lookahead replay - --format json
            """)

    @Argument(help: "Traces to replay.", completion: .file(extensions: ["ndjson", "json"]))
    var traces: [String]

    @Option(
        name: .customLong("policy"),
        help: "A policy, or oracle. May be repeated; the default is all of them, or lookahead if a share is limited.",
        completion: .list(Replay.Player.all.map(\.description)))
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

    @Option(
        help: "Maximum blank share, such as 10%. If a result is above it, the exit status is 1.",
        transform: Percentage.init(text:))
    var maxBlank: Percentage?

    @Option(
        help: "Maximum share of bytes that nobody saw, such as 15%. If a result is above it, the exit status is 1.",
        transform: Percentage.init(text:))
    var maxWaste: Percentage?

    func validate() throws { _ = try players }

    private var players: [Replay.Player] {
        get throws {
            let isLimited = maxBlank != nil || maxWaste != nil
            return policies.isEmpty && isLimited ? [.policy(.standard)] : try Replay.Player.named(policies)
        }
    }

    func run() throws {
        let players = try players
        let traces = try traces.map { try Trace(file: $0) }
        let origin = Origin(
            latency: network.latency, jitter: network.jitter, bandwidth: network.bandwidth, concurrency: concurrency,
            pictures: photographs ? .photographs : .small)
        let progress = ProgressReport("Replaying", unit: "runs")
        let played: Replay.Progress = { progress.update($0, of: $1) }
        let (output, results): ([UInt8], [Replay.Result])
        if format == .html {
            let parts = try Replay.ReportParts.installed
            (output, results) = Replay.html(traces, players, [origin], parts, progress: played)
        } else {
            results = Replay.run(traces, players, [origin], progress: played)
            output = format == .json ? results.json : Array(results.text.utf8)
        }
        progress.end()
        try FileHandle.standardOutput.write(contentsOf: Data(output))
        let faults = results.flatMap { result in
            [("blank", result.score.blankShare, maxBlank), ("waste", result.score.waste, maxWaste)]
                .compactMap { name, share, limit -> String? in
                    guard let limit, share > limit.share else { return nil }
                    return "\(result.trace), \(result.player): \(name) is \(Percentage(share: share)), over \(limit)"
                }
        }
        guard faults.isEmpty else { throw CommandFailure(faults.joined(separator: "; ")) }
    }
}

/// A share that is written as a number from 0 to 100 and a percent sign.
struct Percentage: CustomStringConvertible {
    /// From 0 to 1.
    let share: Double

    init(share: Double) { self.share = share }

    init(text: String) throws {
        guard text.hasSuffix("%"), let number = Double(text.dropLast()), (0...100).contains(number) else {
            throw ValidationError("give a percentage from 0% to 100%, such as 10%")
        }
        share = number / 100
    }

    var description: String {
        let number = FloatingPointFormatStyle<Double>(locale: Locale(identifier: "en"))
        return "\((share * 100).formatted(number.precision(.fractionLength(0...1))))%"
    }
}

extension Replay.ReportParts {
    /// The waterfall of the installed page.
    fileprivate static var installed: Self {
        get throws {
            let page = try Installation.publicDirectory(given: nil)
            let modules = ["axes", "gestures", "record", "why", "table", "paths", "waterfall", "report"]
            return Replay.ReportParts(
                styles: try ["theme", "report", "waterfall"].map { try text("\(page)/css/\($0).css") },
                modules: try modules.map { try text("\(page)/js/waterfall/\($0).js") })
        }
    }

    private static func text(_ path: String) throws -> String {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw CommandFailure("cannot read \(path), a part of the report")
        }
        return text
    }
}
