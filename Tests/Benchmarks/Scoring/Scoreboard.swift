import Replay
import Viewport

/// The policies side by side over kinds of traces, each kind counting the same however many traces it has.
public struct Scoreboard: Sendable {
    /// Traces of one manner of scrolling.
    public struct Kind: Sendable {
        public var name: String
        public var traces: [Trace]

        public init(name: String, traces: [Trace]) {
            self.name = name
            self.traces = traces
        }

        /// Traces whose names begin alike up to a hyphen are of one kind: `fling-1` and `fling-2`.
        public static func sorting(_ traces: [Trace]) -> [Kind] {
            var kinds: [Kind] = []
            for trace in traces {
                let name = trace.name.lastIndex(of: "-").map { String(trace.name[..<$0]) } ?? trace.name
                if let index = kinds.firstIndex(where: { $0.name == name }) {
                    kinds[index].traces.append(trace)
                } else {
                    kinds.append(Kind(name: name, traces: [trace]))
                }
            }
            return kinds
        }

        /// Generated traces of every kind, one for each seed.
        public static func generated(_ seeds: ClosedRange<UInt64>) -> [Kind] {
            TraceKind.allCases.map { kind in
                Kind(name: kind.rawValue, traces: seeds.map { kind.trace(seed: $0) })
            }
        }
    }

    /// How a player did, kind by kind; means over the traces of each.
    public struct Row: Sendable {
        public var player: Replay.Player
        public var slowBlankShares: [Double]
        public var wastes: [Double]
        /// Within traces that say which kind of scrolling goes on when, in the order of `Scoreboard.parts`.
        public var partShares: [Double]

        public var slowBlankShare: Double { Scoreboard.mean(slowBlankShares) }
        public var waste: Double { Scoreboard.mean(wastes) }
    }

    /// The slow blank share that nobody can go below, and that nobody can who does not know where jumps and the thumb of the
    /// scrollbar lead before they begin (`LowerBound.Foresight`).
    public struct Bound: Sendable, Hashable {
        public var complete = 0.0
        public var withoutJumps = 0.0

        init(complete: Double = 0, withoutJumps: Double = 0) {
            self.complete = complete
            self.withoutJumps = withoutJumps
        }

        init(_ playable: PlayableTrace, _ origin: Origin, kind: Int? = nil) {
            complete = LowerBound.slowBlankShare(playable, origin, kind: kind)
            withoutJumps = LowerBound.slowBlankShare(playable, origin, kind: kind, foreseeing: .withoutJumps)
        }

        mutating func add(_ other: Bound, over count: Double) {
            complete += other.complete / count
            withoutJumps += other.withoutJumps / count
        }
    }

    /// Those of a trace, and of each kind of scrolling within it as if all else did not matter.
    struct Bounds {
        var whole: Bound
        var byKind: [String: Bound]

        init(_ playable: PlayableTrace, _ origin: Origin) {
            whole = Bound(playable, origin)
            byKind = [:]
            for (index, kind) in playable.kinds.enumerated() {
                byKind[kind] = Bound(playable, origin, kind: index)
            }
        }
    }

    /// One origin's rows: every policy, and the oracle last.
    public struct Table: Sendable {
        public var origin: Origin
        public var rows: [Row]
        /// The lower bounds by kind: means over the traces of each.
        public var bounds: [Bound]
        /// The same within traces that name their kinds, each kind bound as if all else did not matter.
        public var partBounds: [Bound]

        /// The mean over the kinds.
        public var bound: Bound {
            Bound(
                complete: Scoreboard.mean(bounds.map(\.complete)),
                withoutJumps: Scoreboard.mean(bounds.map(\.withoutJumps)))
        }

        public func row(_ player: Replay.Player) -> Row? { rows.first { $0.player == player } }

        /// Every policy but ours.
        public var baselines: [Row] { rows.filter { $0.player != .oracle && $0.player != .policy(.lookahead) } }

        /// The baseline with the least slow blank share over the kinds.
        public var bestBaseline: Row? { baselines.min { $0.slowBlankShare < $1.slowBlankShare } }

        /// How much of the way from the best baseline to the bound without jumps a player goes over the kinds: 1 is all of
        /// it.
        public func reached(_ row: Row) -> Double? {
            bestBaseline.flatMap { Self.reached(row.slowBlankShare, from: $0.slowBlankShare, to: bound.withoutJumps) }
        }

        /// The share of the way from a baseline to the bound; nil where there is no way to go.
        static func reached(_ share: Double, from baseline: Double, to bound: Double) -> Double? {
            baseline - bound > 0.002 ? (baseline - share) / (baseline - bound) : nil
        }

        /// The least slow blank share of a baseline, kind by kind.
        public var bestShares: [Double] { best(\.slowBlankShares) }

        /// The same within traces that name their kinds.
        public var bestPartShares: [Double] { best(\.partShares) }

        private func best(_ shares: KeyPath<Row, [Double]>) -> [Double] {
            guard let first = rows.first else { return [] }
            return first[keyPath: shares].indices.map { kind in
                baselines.map { $0[keyPath: shares][kind] }.min() ?? 0
            }
        }

        /// Slow blank share of `lookahead` over that of the baseline which is best on the kind, kind by kind.
        public var ratios: [Double] {
            guard let ours = row(.policy(.lookahead)) else { return [] }
            return zip(ours.slowBlankShares, bestShares).map { $1 > 0 ? $0 / $1 : 1 }
        }
    }

    public let kinds: [String]
    /// Kinds of movement within traces that name them: `mixed/scan`.
    public let parts: [String]
    public private(set) var tables: [Table]

    /// Plays every trace at every origin with every player, on all cores.
    ///
    /// - Parameters:
    ///   - players: all unless said otherwise; the best baseline is the best of those.
    ///   - progress: told how many runs are done.
    public init(
        _ kinds: [Kind], _ origins: [Origin] = Origin.reference, players: [Replay.Player] = Replay.Player.all,
        progress: Replay.Progress = { _, _ in }
    ) async {
        self.kinds = kinds.map(\.name)
        let parts = Self.parts(of: kinds)
        self.parts = parts.map(\.name)
        tables = origins.map { origin in
            Table(
                origin: origin,
                rows: players.map { player in
                    let none = [Double](repeating: 0, count: kinds.count)
                    return Row(
                        player: player, slowBlankShares: none, wastes: none,
                        partShares: [Double](repeating: 0, count: parts.count))
                },
                bounds: [Bound](repeating: Bound(), count: kinds.count),
                partBounds: [Bound](repeating: Bound(), count: parts.count))
        }
        typealias Played = (kind: Int, results: [Replay.Result], bounds: [Bounds])
        await withTaskGroup(of: Played.self) { group in
            for (index, kind) in kinds.enumerated() {
                for trace in kind.traces {
                    group.addTask {
                        let playable = PlayableTrace(trace)
                        return (
                            index, Replay.run([trace], players, origins), origins.map { Bounds(playable, $0) }
                        )
                    }
                }
            }
            // In whatever order they come: sums would differ in their last bits, so they are sorted first.
            var all: [Played] = []
            let runs = kinds.reduce(0) { $0 + $1.traces.count } * origins.count * players.count
            for await played in group {
                all.append(played)
                progress(all.count * origins.count * players.count, runs)
            }
            all.sort { ($0.kind, $0.results.first?.trace ?? "") < ($1.kind, $1.results.first?.trace ?? "") }
            for (kind, results, bounds) in all {
                let count = Double(kinds[kind].traces.count)
                for (index, result) in results.enumerated() {
                    let (table, row) = index.quotientAndRemainder(dividingBy: players.count)
                    tables[table].rows[row].slowBlankShares[kind] += result.score.slowBlankShare / count
                    tables[table].rows[row].wastes[kind] += result.score.waste / count
                    if row == 0 { tables[table].bounds[kind].add(bounds[table].whole, over: count) }
                    for score in result.score.byKind {
                        guard let part = parts.firstIndex(where: { $0.kind == kind && $0.part == score.kind }) else {
                            continue
                        }
                        tables[table].rows[row].partShares[part] += score.slowBlankShare / parts[part].count
                        if row == 0, let bound = bounds[table].byKind[score.kind] {
                            tables[table].partBounds[part].add(bound, over: parts[part].count)
                        }
                    }
                }
            }
        }
    }

    /// A kind of scrolling within the traces of a kind, and in how many of them it occurs.
    private struct Part {
        var kind: Int
        var part: String
        var name: String
        var count: Double
    }

    private static func parts(of kinds: [Kind]) -> [Part] {
        var parts: [Part] = []
        for (index, kind) in kinds.enumerated() {
            let names = kind.traces.map { Set(PlayableTrace.kinds(of: $0)) }
            for name in Set(names.joined()).sorted() {
                let count = names.count { $0.contains(name) }
                parts.append(Part(kind: index, part: name, name: "\(kind.name)/\(name)", count: Double(count)))
            }
        }
        return parts
    }

    static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
}
