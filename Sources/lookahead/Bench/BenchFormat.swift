import ArgumentParser

/// How a benchmark prints what it measured.
enum BenchFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}

/// Rows of text in columns, the first to the left, numbers to the right.
struct TextTable {
    private var rows: [[String]]

    init(_ header: [String]) { rows = [header] }

    mutating func add(_ row: [String]) { rows.append(row) }

    var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column == 0 ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension Double {
    /// With so many decimals.
    func text(_ decimals: Int) -> String {
        guard isFinite, abs(self) < 1e15 else { return "-" }
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let scaled = Int64((abs(self) * scale).rounded())
        let whole = scaled / Int64(scale)
        let sign = self < 0 && scaled > 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let fraction = String(scaled % Int64(scale))
        return "\(sign)\(whole)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
