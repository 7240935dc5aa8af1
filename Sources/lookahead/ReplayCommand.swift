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
            A TRACE is an NDJSON file, recorded by the page or by GET /api/v1/sessions/{id}/trace; - reads one from \
            standard input. Results are deterministic: the same trace gives the same output, byte for byte.

            Slow blank share: of the time cells are visible at readable speed, the fraction without a picture. The oracle \
            knows the whole scroll and fetches the picture that is needed next, which is not always the best order.

            Examples:
              lookahead replay trace.ndjson
              lookahead replay *.ndjson --policy lookahead --policy oracle --latency 150 --bandwidth 10
              lookahead replay trace.ndjson --format html > report.html
              curl -s $api/sessions/$session/trace | lookahead replay - --format json
            """)

    @Argument(help: "Traces to replay.", completion: .file(extensions: ["ndjson"]))
    var traces: [String]

    @Option(
        name: .customLong("policy"),
        help: "A policy, or oracle. May be repeated; the default is all of them.",
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

    func validate() throws { _ = try Replay.Player.named(policies) }

    func run() throws {
        let players = try Replay.Player.named(policies)
        let traces = try traces.map { try Trace(file: $0) }
        let origin = Origin(
            latency: network.latency, jitter: network.jitter, bandwidth: network.bandwidth, concurrency: concurrency,
            pictures: photographs ? .photographs : .small)
        let progress = ProgressReport("Replaying", unit: "runs")
        let played: Replay.Progress = { progress.update($0, of: $1) }
        let output: [UInt8]
        switch format {
        case .text: output = Array(Replay.run(traces, players, [origin], progress: played).text.utf8)
        case .json: output = Replay.run(traces, players, [origin], progress: played).json
        case .html: output = Replay.html(traces, players, [origin], progress: played)
        }
        progress.end()
        try FileHandle.standardOutput.write(contentsOf: Data(output))
    }
}
