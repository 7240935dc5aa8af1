/// Justified rows that several small sections share.
///
/// A row holds as many sections as fit at the wanted height. Each section is at least as wide as its title needs, and the gap
/// between two sections is the left inset or the item spacing, whichever is larger. The row is then stretched to fill the
/// width, by at most `stretchLimit`. The last row before a section that is not small is not stretched.
struct SharedRows: Sendable {
    /// Maximum height of a row, relative to the wanted height.
    private static let stretchLimit = 4.0 / 3

    private let sectionLimit: Int
    private let rowHeight: Double
    private let available: Double
    private let spacing: Double
    /// Distance between two sections.
    private let gap: Double
    private let minimumWidth: Double

    init(_ options: LayoutOptions, rowHeight: Double, available: Double) {
        sectionLimit = options.smallSectionLimit
        self.rowHeight = rowHeight
        self.available = available
        spacing = options.interitemSpacing
        gap = max(options.interitemSpacing, options.sectionInset.left)
        minimumWidth = options.minimumSectionWidth
    }

    func isSmall(_ itemCount: Int) -> Bool { itemCount > 0 && itemCount <= sectionLimit }

    /// Returns the x of the next section, after a section that begins at `x` and whose last item ends at `contentEnd`.
    func nextX(after x: Double, contentEnd: Double) -> Double {
        max(contentEnd, x + minimumWidth) + gap
    }

    /// Returns the row that `section` shares with the sections after it, or `nil` if `section` does not share a row.
    func row(
        from section: Int, _ sections: SectionTable, _ ratios: AspectRatios
    ) -> (sectionCount: Int, height: Double)? {
        guard sectionLimit > 0 else { return nil }
        var row = Row(gap: gap, minimumWidth: minimumWidth)
        var isFull = false
        for next in section..<sections.count {
            let items = sections.items(of: next)
            guard isSmall(items.count) else { break }
            let gaps = spacing * Double(items.count - 1)
            let ratio = items.reduce(0) { $0 + ratios[$1] }
            guard ratio * rowHeight + gaps <= available else { break }
            row.append(ratio: ratio, gaps: gaps)
            if row.width(at: rowHeight) > available {
                row.removeLast()
                isFull = true
                break
            }
        }
        guard row.sectionCount > 1 else { return nil }
        return (
            row.sectionCount, isFull ? row.height(filling: available, upTo: rowHeight * Self.stretchLimit) : rowHeight
        )
    }

    /// Sections of a row: for each, the sum of its aspect ratios, and the total spacing between its items.
    private struct Row {
        let gap: Double
        let minimumWidth: Double
        private var sections: [(ratio: Double, gaps: Double)] = []

        init(gap: Double, minimumWidth: Double) {
            self.gap = gap
            self.minimumWidth = minimumWidth
        }

        var sectionCount: Int { sections.count }

        mutating func append(ratio: Double, gaps: Double) { sections.append((ratio, gaps)) }

        mutating func removeLast() { sections.removeLast() }

        func width(at height: Double) -> Double {
            sections.reduce(gap * Double(sections.count - 1)) {
                $0 + max($1.ratio * height + $1.gaps, minimumWidth)
            }
        }

        /// Returns the height at which the row is `width` wide, or `limit` if the row is narrower at that height.
        ///
        /// The width is a convex, piecewise linear function of the height, with one more piece than sections. Newton's method
        /// from above therefore ends within that number of steps.
        func height(filling width: Double, upTo limit: Double) -> Double {
            var height = limit
            for _ in 0...sections.count {
                let excess = self.width(at: height) - width
                guard excess > 0 else { break }
                let slope = sections.reduce(0) {
                    $0 + ($1.ratio * height + $1.gaps > minimumWidth ? $1.ratio : 0)
                }
                guard slope > 0 else { break }
                height -= excess / slope
            }
            return height
        }
    }
}
