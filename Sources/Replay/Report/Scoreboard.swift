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

        public var slowBlankShare: Double { Scoreboard.mean(slowBlankShares) }
        public var waste: Double { Scoreboard.mean(wastes) }
    }

    /// One origin's rows: every policy, and the oracle last.
    public struct Table: Sendable {
        public var origin: Origin
        public var rows: [Row]

        public func row(_ player: Replay.Player) -> Row? { rows.first { $0.player == player } }

        /// Every policy but ours.
        public var baselines: [Row] { rows.filter { $0.player != .oracle && $0.player != .policy(.lookahead) } }

        /// The baseline with the least slow blank share over the kinds.
        public var bestBaseline: Row? { baselines.min { $0.slowBlankShare < $1.slowBlankShare } }

        /// How much of the way from the best baseline to the oracle `lookahead` goes: 1 is all of it.
        public var closed: Double {
            guard let best = bestBaseline, let ours = row(.policy(.lookahead)), let oracle = row(.oracle) else {
                return 0
            }
            let gap = best.slowBlankShare - oracle.slowBlankShare
            return gap > 0 ? (best.slowBlankShare - ours.slowBlankShare) / gap : 0
        }

        /// Slow blank share of `lookahead` over that of the baseline which is best on the kind, kind by kind.
        public var ratios: [Double] {
            guard let ours = row(.policy(.lookahead)) else { return [] }
            return ours.slowBlankShares.indices.map { kind in
                let best = baselines.map { $0.slowBlankShares[kind] }.min() ?? 0
                return best > 0 ? ours.slowBlankShares[kind] / best : 1
            }
        }
    }

    public let kinds: [String]
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
        tables = origins.map { origin in
            Table(
                origin: origin,
                rows: players.map { player in
                    let none = [Double](repeating: 0, count: kinds.count)
                    return Row(player: player, slowBlankShares: none, wastes: none)
                })
        }
        await withTaskGroup(of: (kind: Int, count: Double, results: [Replay.Result]).self) { group in
            for (index, kind) in kinds.enumerated() {
                for trace in kind.traces {
                    group.addTask {
                        (index, Double(kind.traces.count), Replay.run([trace], players, origins))
                    }
                }
            }
            // In whatever order they come: sums would differ in their last bits, so they are sorted first.
            var all: [(kind: Int, count: Double, results: [Replay.Result])] = []
            let runs = kinds.reduce(0) { $0 + $1.traces.count } * origins.count * players.count
            for await played in group {
                all.append(played)
                progress(all.count * origins.count * players.count, runs)
            }
            all.sort { ($0.kind, $0.results.first?.trace ?? "") < ($1.kind, $1.results.first?.trace ?? "") }
            for (kind, count, results) in all {
                for (index, result) in results.enumerated() {
                    let (table, row) = index.quotientAndRemainder(dividingBy: players.count)
                    tables[table].rows[row].slowBlankShares[kind] += result.score.slowBlankShare / count
                    tables[table].rows[row].wastes[kind] += result.score.waste / count
                }
            }
        }
    }

    static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
}

extension Scoreboard {
    /// For people: a table an origin, slow blank share by kind, its mean and the mean waste.
    public var text: String {
        tables.map { table in
            var text = TextTable(["\(table.origin)"] + kinds + ["mean", "waste"])
            for row in table.rows {
                text.add(
                    [row.player.description] + row.slowBlankShares.map { $0.text(3) }
                        + [row.slowBlankShare.text(3), row.waste.text(3)])
            }
            text.add(["lookahead / best baseline"] + table.ratios.map { $0.text(2) } + ["", ""])
            let best = table.bestBaseline?.player.description ?? "none"
            let closed = (table.closed * 100).text(0)
            return text.text
                + "\nlookahead closes \(closed) % of the distance between the best baseline (\(best)) and the oracle.\n"
        }.joined(separator: "\n")
    }
}

extension Origin: CustomStringConvertible {
    public var description: String {
        "\(latency.text(0)) ms, \(bandwidth.text(0)) Mbit/s, \(concurrency) at once"
    }
}
