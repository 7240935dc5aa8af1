import ArgumentParser
import Gallery
import JSON
import Replay
import Terminal

/// Flags of a benchmark that may measure another server beside Lookahead, by the same clients and in turns.
struct ComparisonOptions: ParsableArguments {
    @Option(BoundedNumber("rounds", "Rounds; the median counts", unit: "rounds", default: 1, in: 1...20))
    var rounds: Int

    @Option(help: "Executable of another server to measure in turns in the same run.", completion: .file())
    var peer: String?

    @Option(help: BenchFormat.help) var format = BenchFormat.text
}

/// Figures of Lookahead and, where there is one, of its peer: medians over the rounds.
struct Comparison {
    private struct Row {
        var name: String
        var title: String
        var decimals: Int
        var own: Double
        var peer: Double?
    }

    private var rows: [Row] = []

    /// - Parameters:
    ///   - name: in JSON.
    ///   - title: in the table, with its unit.
    mutating func add(_ name: String, _ title: String, decimals: Int, own: [Double], peer: [Double] = []) {
        rows.append(
            Row(
                name: name, title: title, decimals: decimals, own: own.median, peer: peer.isEmpty ? nil : peer.median))
    }

    func text(_ format: BenchFormat) -> String { format == .json ? json : table }

    private var hasPeer: Bool { rows.contains { $0.peer != nil } }

    private var table: String {
        var table = TextTable(["", "Lookahead"] + (hasPeer ? ["peer", "ratio"] : []))
        for row in rows {
            let others = row.peer.map { [$0.text(row.decimals), (row.own / $0).text(2)] } ?? []
            table.add([row.title, row.own.text(row.decimals)] + others)
        }
        return table.text
    }

    private var json: String {
        JSONWriter.text { writer in
            writer.member("lookahead") { $0.object { for row in rows { $0.member(row.name, row.own) } } }
            guard hasPeer else { return }
            writer.member("peer") {
                $0.object { for row in rows { if let peer = row.peer { $0.member(row.name, peer) } } }
            }
        }
    }
}
