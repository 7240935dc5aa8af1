import JSON
import Numbers
import Replay
import Viewport

/// One run of a tour in a real browser: the trace that was recorded of it and what was measured, as a row of the
/// `measured.json` that `Tests/Benchmarks/live.sh --keep` writes beside its traces.
public struct Measurement: Sendable {
    /// The trace's file name.
    public var trace: String
    public var policy: PolicyName
    /// The name of the link: `near`, `far`.
    public var link: String
    /// As measured, the server and the page at work included; the page opens when it asked for its first picture.
    public var origin: Origin
    public var slowBlankShare: Double
    /// By kind of scrolling.
    public var byKind: [String: Double]

    /// Reads the rows; those of contenders that are no policies are left out.
    ///
    /// - Throws: `TraceError`, its line the number of the row, 1-based, where a member is missing or wrong.
    public static func read(_ bytes: [UInt8]) throws(TraceError) -> [Measurement] {
        let json: JSON
        do { json = try JSON.parse(bytes) } catch { throw TraceError(line: 1, reason: error.description) }
        guard let rows = json.array else { throw TraceError(line: 1, reason: "not an array of rows") }
        var found: [Measurement] = []
        for (index, row) in rows.enumerated() {
            func number(_ value: JSON?, _ name: String) throws(TraceError) -> Double {
                guard let number = value?.number, number.isFinite else {
                    throw TraceError(line: index + 1, reason: "\(name) must be a number")
                }
                return number
            }
            guard let contender = row["contender"]?.string, let trace = row["trace"]?.string else {
                throw TraceError(line: index + 1, reason: "trace and contender must be strings")
            }
            guard let policy = PolicyName(rawValue: contender) else { continue }
            let origin = row["origin"]
            var byKind: [String: Double] = [:]
            for kind in row["byKind"]?.object?.members ?? [] {
                byKind[kind.name] = try number(kind.value["slowBlank"], "byKind.\(kind.name).slowBlank")
            }
            var played = Origin(
                latency: try number(origin?["latency"], "origin.latency"), jitter: origin?["jitter"]?.number ?? 0.35,
                bandwidth: try number(origin?["bandwidth"], "origin.bandwidth"),
                concurrency: Int(
                    clamping:
                        try number(origin?["concurrency"], "origin.concurrency").clamped(to: 1...1024, or: 8)),
                roundTrip: origin?["roundTrip"]?.number ?? 0,
                serving: Serving(connecting: origin?["tls"]?.bool == true ? 2 : 0))
            if let asked = row["firstAsked"]?.number {
                let opening = asked - played.postDelay
                played.serving?.opening = opening.clamped(to: -60_000...60_000, or: 40)
            }
            found.append(
                Measurement(
                    trace: trace, policy: policy, link: row["link"]?.string ?? "", origin: played,
                    slowBlankShare: try number(row["slowBlankShare"], "slowBlankShare"), byKind: byKind))
        }
        return found
    }
}

/// Slow blank shares replayed beside those measured, by link and policy, means over the runs of each.
public struct MeasuredComparison: Sendable {
    public struct Row: Sendable {
        public var link: String
        public var policy: PolicyName
        public var runs = 0
        public var replayed = 0.0
        public var measured = 0.0
        public var bound = Scoreboard.Bound()
        /// By kind: how many runs had it, and the sums over them.
        public var byKind: [String: (runs: Int, replayed: Double, measured: Double, bound: Scoreboard.Bound)] = [:]
    }

    public private(set) var rows: [Row] = []

    public init() {}

    /// Plays the trace of a run and adds both.
    public mutating func add(_ measurement: Measurement, _ trace: Trace) {
        let playable = PlayableTrace(trace)
        let score = Replay.play(playable, .policy(measurement.policy), measurement.origin).score
        let index =
            rows.firstIndex { $0.link == measurement.link && $0.policy == measurement.policy } ?? rows.endIndex
        if index == rows.endIndex { rows.append(Row(link: measurement.link, policy: measurement.policy)) }
        rows[index].runs += 1
        rows[index].replayed += score.slowBlankShare
        rows[index].measured += measurement.slowBlankShare
        let bounds = Scoreboard.Bounds(playable, measurement.origin)
        rows[index].bound.add(bounds.whole, over: 1)
        for kind in score.byKind {
            guard let measured = measurement.byKind[kind.kind] else { continue }
            var sum = rows[index].byKind[kind.kind] ?? (0, 0, 0, Scoreboard.Bound())
            sum.runs += 1
            sum.replayed += kind.slowBlankShare
            sum.measured += measured
            sum.bound.add(bounds.byKind[kind.kind] ?? Scoreboard.Bound(), over: 1)
            rows[index].byKind[kind.kind] = sum
        }
    }

    /// For people: a line for each link, policy and kind. Nobody can go below the bound, nor below the one "without jumps" who
    /// does not know where those lead.
    public var text: String {
        var text = TextTable(
            [
                "link", "policy", "kind", "runs", "replayed", "measured", "difference", "ratio", "bound",
                "without jumps",
            ],
            namesInFront: 3)
        for row in rows {
            func add(
                _ kind: String, _ runs: Int, _ replayed: Double, _ measured: Double, _ bound: Scoreboard.Bound
            ) {
                let count = Double(runs)
                let (replayed, measured) = (replayed / count, measured / count)
                text.add([
                    row.link, row.policy.rawValue, kind, "\(runs)", replayed.text(3), measured.text(3),
                    (replayed - measured).text(3), measured > 0 ? (replayed / measured).text(2) : "-",
                    (bound.complete / count).text(3), (bound.withoutJumps / count).text(3),
                ])
            }
            add("all", row.runs, row.replayed, row.measured, row.bound)
            for (kind, sum) in row.byKind.sorted(by: { $0.key < $1.key }) {
                add(kind, sum.runs, sum.replayed, sum.measured, sum.bound)
            }
        }
        return text.text + "\n"
    }
}
