/// Cells of one size in rows: the metrics of `UICollectionViewFlowLayout`, scrolling vertically.
///
/// - As many columns as fit with at least `interitemSpacing` between them, and at least one; an item wider than
///   what is available is made as narrow as that.
/// - The slack of a row is spread between its items, so that the first and the last touch the insets; an
///   incomplete last row keeps the same spacing. A single column touches the left inset.
/// - A section is its header, its top inset, its rows and its bottom inset. An empty one still has both insets
///   and its header.
///
/// Holds two numbers a section; every question is O(log sections).
public struct GridLayout: Layout {
    public let width: Double
    public let contentHeight: Double
    /// How many items a full row has.
    public let columns: Int
    /// The size of every cell.
    public let itemSize: Size
    /// The distance from one row's top to the next.
    public let rowPitch: Double

    private let columnPitch: Double
    private let originX: Double
    private let headerHeight: Double
    private let insetTop: Double
    private let sections: SectionTable
    // The top of each section, and the content height at the end.
    private let tops: [Double]

    init(_ options: LayoutOptions, itemSize: Size, width: Double, sections: SectionTable) {
        let inset = options.sectionInset
        let available = max(1, width - inset.left - inset.right)
        let itemWidth = min(itemSize.width, available)
        let spacing = options.interitemSpacing
        let columns = Int((available + spacing) / (itemWidth + spacing), clampedTo: 1...1_000_000)
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

        var tops: [Double] = []
        tops.reserveCapacity(sections.count + 1)
        var top = 0.0
        for section in 0..<sections.count {
            tops.append(top)
            let rows = Self.rows(of: sections.items(of: section).count, columns)
            let items = rows > 0 ? Double(rows) * rowPitch - options.lineSpacing : 0
            top += options.headerHeight + inset.top + items + inset.bottom
        }
        tops.append(top)
        self.tops = tops
        contentHeight = top
    }

    public var itemCount: Int { sections.itemCount }

    public var sectionCount: Int { sections.count }

    public func frame(of item: Int) -> Frame {
        guard item >= 0, item < itemCount else { return .zero }
        return frame(of: item, in: sections.section(of: item))
    }

    public func frames(of items: Range<Int>) -> [Frame] {
        let items = items.clamped(to: 0..<itemCount)
        guard let first = items.first else { return [] }
        var section = sections.section(of: first)
        return items.map { item in
            while item >= sections.starts[section + 1] { section += 1 }
            return frame(of: item, in: section)
        }
    }

    private func frame(of item: Int, in section: Int) -> Frame {
        let (row, column) = (item - sections.starts[section]).quotientAndRemainder(dividingBy: columns)
        return Frame(
            x: originX + Double(column) * columnPitch, y: rowTop(row, in: section), width: itemSize.width,
            height: itemSize.height)
    }

    public func items(in y: Range<Double>) -> Range<Int> {
        guard itemCount > 0, y.lowerBound < y.upperBound else { return 0..<0 }
        let first = itemsAbove(y.lowerBound) { $0 + itemSize.height <= $1 }
        let end = itemsAbove(y.upperBound) { $0 < $1 }
        return first..<max(first, end)
    }

    public func header(of section: Int) -> Frame? {
        guard section >= 0, section < sections.count, headerHeight > 0 else { return nil }
        return Frame(x: 0, y: tops[section], width: width, height: headerHeight)
    }

    private static func rows(of items: Int, _ columns: Int) -> Int { (items + columns - 1) / columns }

    private func rowTop(_ row: Int, in section: Int) -> Double {
        tops[section] + headerHeight + insetTop + Double(row) * rowPitch
    }

    /// How many items, from the first, lie in rows for whose top `isAbove(top, y)` holds. Rows are guessed by a
    /// division and then settled with the very sum that `frame(of:)` uses, so that the two never disagree.
    private func itemsAbove(_ y: Double, _ isAbove: (Double, Double) -> Bool) -> Int {
        let section = tops.lastIndex(notAbove: y, upTo: sections.count)
        let items = sections.items(of: section)
        let rows = Self.rows(of: items.count, columns)
        var row = Int((y - rowTop(0, in: section)) / rowPitch, clampedTo: 0...rows)
        while row > 0, !isAbove(rowTop(row - 1, in: section), y) { row -= 1 }
        while row < rows, isAbove(rowTop(row, in: section), y) { row += 1 }
        return items.lowerBound + min(row * columns, items.count)
    }
}
