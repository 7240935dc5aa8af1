extension Scoreboard {
    /// For people: a table an origin, a line for each kind and a column for each player, slow blank shares; the means
    /// over the kinds, the mean waste, and then what went on within the traces that name their kinds.
    public var text: String {
        tables.map { table in
            var text = TextTable(["\(table.origin)"] + table.rows.map(\.player.description) + ["lookahead / best"])
            let ours = table.row(.policy(.lookahead))
            func add(_ names: [String], _ shares: (Row) -> [Double], _ best: [Double]) {
                for (index, name) in names.enumerated() {
                    let ratio = ours.map { best[index] > 0 ? (shares($0)[index] / best[index]).text(2) : "-" } ?? "-"
                    text.add([name] + table.rows.map { shares($0)[index].text(3) } + [ratio])
                }
            }
            add(kinds, \.slowBlankShares, table.bestShares)
            text.add(["mean"] + table.rows.map { $0.slowBlankShare.text(3) } + [""])
            text.add(["waste"] + table.rows.map { $0.waste.text(3) } + [""])
            add(parts, \.partShares, table.bestPartShares)
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
