import ArgumentParser
import Foundation
import Replay
import Viewport

struct ReplayCommand: AsyncParsableCommand {
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, html }

    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play scroll traces through the policies in virtual time, and score what was seen.",
        discussion: """
            A TRACE is an NDJSON file as the page records it and GET /api/v1/sessions/{id}/trace serves it; - reads one \
            from standard input. The same trace gives the same answer, byte for byte. The oracle, which knows the whole \
            trace ahead, stands beside the policies.
            """)

    @Argument(help: "Traces to play.")
    var traces: [String] = []

    @Option(
        name: .customLong("policy"),
        help: "A policy to play, or oracle; all of them where none is named. May be repeated.")
    var policies: [String] = []

    @Option(help: "Median time to the first byte, in ms (0 to 60000).")
    var latency = 80.0

    @Option(help: "Spread of the latency: sigma of a log-normal factor (0 to 3).")
    var jitter = 0.35

    @Option(help: "Bandwidth shared by all downloads, in Mbit/s (0.01 to 100000).")
    var bandwidth = 25.0

    @Option(help: "Downloads at once (1 to 256).")
    var concurrency = 8

    @Option(help: "How to print the results: text, json or html.")
    var format = Format.text

    @Flag(help: "Print what each rule of the lookahead policy is worth: slow blank share and waste without it.")
    var ablation = false

    @Flag(
        help: "Print every policy's slow blank share by kind of trace, and its waste, at the three reference origins.")
    var score = false

    @Option(
        help: ArgumentHelp(
            "Play generated traces of all kinds, one for each of these seeds, at the reference origins.",
            valueName: "first-last"))
    var seeds: String?

    func validate() throws {
        guard score || ablation || seeds == nil else { throw ValidationError("--seeds needs --score or --ablation") }
        if try generated == nil, traces.isEmpty {
            throw ValidationError("name a trace to play, or give --score and --seeds FIRST-LAST")
        }
        func check<Value: Comparable>(_ value: Value, _ flag: String, in range: ClosedRange<Value>) throws {
            guard range.contains(value) else {
                throw ValidationError("--\(flag) must be from \(range.lowerBound) to \(range.upperBound), not \(value)")
            }
        }
        try check(latency, "latency", in: 0...60_000)
        try check(jitter, "jitter", in: 0...3)
        try check(bandwidth, "bandwidth", in: 0.01...100_000)
        try check(concurrency, "concurrency", in: 1...256)
        _ = try players
    }

    private var players: [Replay.Player] {
        get throws {
            if policies.isEmpty { return PolicyName.allCases.map { .policy($0) } + [.oracle] }
            return try policies.map { name in
                if name == "oracle" { return .oracle }
                guard let policy = PolicyName(rawValue: name) else {
                    let known = (PolicyName.allCases.map(\.rawValue) + ["oracle"]).joined(separator: ", ")
                    throw ValidationError("--policy must be one of \(known), not \(name)")
                }
                return .policy(policy)
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
        if score {
            let kinds = Scoreboard.Kind.sorting(try traces.map(Self.trace)) + (try generated ?? [])
            print(await Scoreboard(kinds).text, terminator: "")
            return
        }
        let origin = Origin(latency: latency, jitter: jitter, bandwidth: bandwidth, concurrency: concurrency)
        let traces = try traces.map(Self.trace)
        if ablation {
            let generated = try generated?.flatMap(\.traces)
            print(
                Replay.ablation(traces + (generated ?? []), generated == nil ? [origin] : Origin.reference),
                terminator: "")
            return
        }
        let output: [UInt8]
        switch format {
        case .text: output = Array(Replay.run(traces, try players, [origin]).text.utf8)
        case .json: output = Replay.run(traces, try players, [origin]).json
        case .html: output = Replay.html(traces, try players, [origin])
        }
        try FileHandle.standardOutput.write(contentsOf: Data(output))
    }

    private static func trace(_ path: String) throws -> Trace {
        let name = path == "-" ? "standard input" : URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        guard let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path) else {
            throw Running.Failure("\(path): there is no such trace, or it cannot be read")
        }
        do {
            return try Trace(try file.readToEnd() ?? Data(), name: name)
        } catch {
            throw Running.Failure("\(path): \(error)")
        }
    }
}
