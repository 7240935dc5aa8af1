import Numbers
import Replay
import Viewport

extension Scoreboard {
    /// For people: two tables an origin, a line for each kind and a column for each player. The first has slow blank
    /// shares, what nobody can go below, means over the kinds, waste, and what went on within the traces that name their
    /// kinds; the second how much of the way from the kind's best baseline to the bound without jumps each player goes.
    public var text: String {
        tables.map { shares(of: $0) + "\n" + reached(in: $0) + "\n" }.joined(separator: "\n")
            + (tables.contains { $0.origin.previewBytes != nil } ? Origin.onPreviews : "")
    }

    private func shares(of table: Table) -> String {
        let players = table.rows.map(\.player.description)
        var text = TextTable(["\(table.origin)"] + players + ["bound", "without jumps", "lookahead / best"])
        let ours = table.row(.policy(.lookahead))
        func add(_ names: [String], _ shares: (Row) -> [Double], _ bounds: [Bound], _ best: [Double]) {
            for (index, name) in names.enumerated() {
                let ratio = ours.map { best[index] > 0 ? (shares($0)[index] / best[index]).text(2) : "-" } ?? "-"
                text.add(
                    [name] + table.rows.map { shares($0)[index].text(3) } + [
                        bounds[index].complete.text(3), bounds[index].withoutJumps.text(3), ratio,
                    ])
            }
        }
        add(kinds, \.slowBlankShares, table.bounds, table.bestShares)
        text.add(
            ["mean"] + table.rows.map { $0.slowBlankShare.text(3) }
                + [table.bound.complete.text(3), table.bound.withoutJumps.text(3), ""])
        text.add(["waste"] + table.rows.map { $0.waste.text(3) } + ["", "", ""])
        add(parts, \.partShares, table.partBounds, table.bestPartShares)
        return text.text + "\n"
    }

    private func reached(in table: Table) -> String {
        var text = TextTable(
            ["% of the way from the best baseline to the bound without jumps"] + table.rows.map(\.player.description))
        func add(_ names: [String], _ shares: (Row) -> [Double], _ bounds: [Bound], _ best: [Double]) {
            for (index, name) in names.enumerated() {
                text.add(
                    [name]
                        + table.rows.map { row in
                            let reached = Table.reached(
                                shares(row)[index], from: best[index], to: bounds[index].withoutJumps)
                            return reached.map { ($0 * 100).text(0) } ?? "-"
                        })
            }
        }
        add(kinds, \.slowBlankShares, table.bounds, table.bestShares)
        text.add(["mean"] + table.rows.map { row in table.reached(row).map { ($0 * 100).text(0) } ?? "-" })
        add(parts, \.partShares, table.partBounds, table.bestPartShares)
        return text.text + "\n"
    }
}
