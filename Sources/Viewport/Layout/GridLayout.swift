import Numbers

/// Rows of cells of one size: the metrics of `UICollectionViewFlowLayout` with vertical scrolling.
///
/// - A row has as many columns as fit with at least `interitemSpacing` between them, and at least one. An item wider than the
///   available width is narrowed to that width.
/// - The slack of a row is spread between its items, so the first and the last item touch the insets. An incomplete last row
///   has the same spacing. A single column touches the left inset.
/// - A section consists of its header, top inset, rows and bottom inset. An empty section still has its header and both insets.
/// - If `smallSectionLimit` allows it, small sections share the columns of one row.
///
/// Stores four numbers a section. Every query is O(log sections).
public struct GridLayout: Layout {
    public let width: Double
    public let contentHeight: Double
    /// Number of items in a full row.
    public let columns: Int
    /// Size of every cell.
    public let itemSize: Size
    /// Distance from the top of one row to the top of the next.
    public let rowPitch: Double

    private let columnPitch: Double
    private let originX: Double
    private let headerHeight: Double
    private let insetTop: Double
    private let sections: SectionTable
    // Sections that share a row form a group. Every other section is a group by itself. Holds the first section of each group,
    // and the number of sections at the end.
    private let groups: [Int]
    // Top of each group, and the content height at the end.
    private let tops: [Double]
    // Column in which each section begins.
    private let firstColumns: [UInt32]

    init(_ options: LayoutOptions, itemSize: Size, width: Double, sections: SectionTable) {
        let inset = options.sectionInset
        let available = max(1, width - inset.left - inset.right)
        let itemWidth = min(itemSize.width, available)
        let spacing = options.interitemSpacing
        let columns = Int(clamping: (available + spacing) / (itemWidth + spacing), to: 1...1_000_000)
        let slack = available - itemWidth * Double(columns)
        self.width = width
        self.columns = columns
        self.itemSize = Size(width: itemWidth, height: itemSize.height)
        columnPitch = columns > 1 ? itemWidth + slack / Double(columns - 1) : itemWidth
        originX = inset.left
        rowPitch = itemSize.height + options.lineSpacing
        headerHeight = options.headerHeight
        insetTop = inset.top
        self.sections = sections

        var groups: [Int] = []
        var tops: [Double] = []
        var firstColumns: [UInt32] = []
        tops.reserveCapacity(sections.count + 1)
        groups.reserveCapacity(sections.count + 1)
        firstColumns.reserveCapacity(sections.count)
        let headerColumns = Int(clamping: (options.minimumSectionWidth / columnPitch).rounded(.up), to: 1...columns)
        var top = 0.0
        var used = columns  // columns in use in the row that the next section may share
        for section in 0..<sections.count {
            let count = sections.items(of: section).count
            let isSmall = count > 0 && count <= min(options.smallSectionLimit, columns)
            let wanted = isSmall ? max(count, headerColumns) : columns
            if isSmall, used + wanted <= columns {
                firstColumns.append(UInt32(truncatingIfNeeded: used))
                used += wanted
                continue
            }
            groups.append(section)
            tops.append(top)
            firstColumns.append(0)
            used = wanted
            let rows = Self.rows(of: count, columns)
            let items = rows > 0 ? Double(rows) * rowPitch - options.lineSpacing : 0
            top += options.headerHeight + inset.top + items + inset.bottom
        }
        groups.append(sections.count)
        tops.append(top)
        self.groups = groups
        self.tops = tops
        self.firstColumns = firstColumns
        contentHeight = top
    }

    public var itemCount: Int { sections.itemCount }

    public var sectionCount: Int { sections.count }

    public var sharesRows: Bool { groups.count <= sections.count }

    public func frame(of item: Int) -> Frame {
        guard item >= 0, item < itemCount else { return .zero }
        let section = sections.section(of: item)
        return frame(of: item, in: section, of: group(of: section))
    }

    public func frames(of items: Range<Int>) -> [Frame] {
        let items = items.clamped(to: 0..<itemCount)
        guard let first = items.first else { return [] }
        var section = sections.section(of: first)
        var group = group(of: section)
        return items.map { item in
            while item >= sections.starts[section + 1] { section += 1 }
            while section >= groups[group + 1] { group += 1 }
            return frame(of: item, in: section, of: group)
        }
    }

    private func group(of section: Int) -> Int { groups.lastIndex(notAbove: section, upTo: groups.count - 1) }

    private func frame(of item: Int, in section: Int, of group: Int) -> Frame {
        let (row, column) = (item - sections.starts[section]).quotientAndRemainder(dividingBy: columns)
        return Frame(
            x: originX + Double(Int(firstColumns[section]) + column) * columnPitch, y: rowTop(row, in: group),
            width: itemSize.width, height: itemSize.height)
    }

    public func items(in y: Range<Double>) -> Range<Int> {
        guard itemCount > 0, y.lowerBound < y.upperBound else { return 0..<0 }
        let first = itemsAbove(y.lowerBound) { $0 + itemSize.height <= $1 }
        let end = itemsAbove(y.upperBound) { $0 < $1 }
        return first..<max(first, end)
    }

    public func header(of section: Int) -> Frame? {
        guard section >= 0, section < sections.count, headerHeight > 0 else { return nil }
        let group = group(of: section)
        let x = Double(firstColumns[section]) * columnPitch
        let end = section + 1 < groups[group + 1] ? Double(firstColumns[section + 1]) * columnPitch : width
        return Frame(x: x, y: tops[group], width: end - x, height: headerHeight)
    }

    private static func rows(of items: Int, _ columns: Int) -> Int { (items + columns - 1) / columns }

    private func rowTop(_ row: Int, in group: Int) -> Double {
        tops[group] + headerHeight + insetTop + Double(row) * rowPitch
    }

    /// Returns the number of items, from the first one, in rows for whose top `isAbove(top, y)` is true. Estimates the row by a
    /// division and corrects it with the same sum as `frame(of:)`, so that both always agree.
    private func itemsAbove(_ y: Double, _ isAbove: (Double, Double) -> Bool) -> Int {
        let group = tops.lastIndex(notAbove: y, upTo: groups.count - 1)
        let items = sections.starts[groups[group]]..<sections.starts[groups[group + 1]]
        let rows = Self.rows(of: items.count, columns)
        var row = Int(clamping: (y - rowTop(0, in: group)) / rowPitch, to: 0...rows)
        while row > 0, !isAbove(rowTop(row - 1, in: group), y) { row -= 1 }
        while row < rows, isAbove(rowTop(row, in: group), y) { row += 1 }
        return items.lowerBound + min(row * columns, items.count)
    }
}
