import Numbers

/// Rows of text in columns: names left-aligned, numbers right-aligned.
package struct TextTable {
    private var rows: [[String]]
    private let namesInFront: Int

    /// - Parameter namesInFront: Number of leading columns that hold names.
    package init(_ header: [String], namesInFront: Int = 1) {
        rows = [header]
        self.namesInFront = namesInFront
    }

    package mutating func add(_ row: [String]) { rows.append(row) }

    package var text: String {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column < namesInFront ? cell + padding : padding + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

extension Double {
    /// Returns the number with exactly `decimals` decimals, or a hyphen if it is not finite or its absolute value is 1e15 or more.
    package func text(_ decimals: Int) -> String {
        guard isFinite, abs(self) < 1e15 else { return "-" }
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let whole = Int(clamping: (abs(self) * Double(scale)).rounded())
        let sign = self < 0 && whole > 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let fraction = "\(whole % scale)"
        return "\(sign)\(whole / scale)." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
