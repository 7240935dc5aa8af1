import Numbers

/// Rows that fill the width. Every item keeps its aspect ratio, and the height of a row is chosen so that it is full.
///
/// A row breaks before or after the item that overflows it, whichever makes its height nearer to the wanted one. The last row
/// of a section is not stretched: it has the wanted height, or less if it would be too wide. If `smallSectionLimit` allows it,
/// small sections share a row: see `SharedRows`.
///
/// Stores 16 bytes a row beside the 2 bytes an item of `AspectRatios`: about 45 MB for 10,000,000 items.
public struct JustifiedLayout: Layout {
    public let width: Double
    public private(set) var contentHeight = 0.0
    public private(set) var sharesRows = false

    private let headerHeight: Double
    private let originX: Double
    private let spacing: Double
    private let sharedRows: SharedRows
    private let sections: SectionTable
    private let aspectRatios: AspectRatios
    private var sectionTops: [Double] = []
    // First item, top and height of each row, in three arrays because each search uses only one of them.
    private var rowStarts: [UInt32] = []
    private var rowTops: [Double] = []
    private var rowHeights: [Float] = []

    init(
        _ options: LayoutOptions, rowHeight: Double, width: Double, sections: SectionTable, aspectRatios: AspectRatios
    ) {
        let inset = options.sectionInset
        let available = max(1, width - inset.left - inset.right)
        self.width = width
        headerHeight = options.headerHeight
        originX = inset.left
        spacing = options.interitemSpacing
        self.sections = sections
        self.aspectRatios = aspectRatios

        let guess = Double(sections.itemCount) * rowHeight * AspectRatios.unknown / available
        let rows = Int(clamping: guess, to: 0...sections.itemCount)
        rowStarts.reserveCapacity(rows)
        rowTops.reserveCapacity(rows)
        rowHeights.reserveCapacity(rows)
        sectionTops.reserveCapacity(sections.count + 1)
        let sharedRows = SharedRows(options, rowHeight: rowHeight, available: available)
        self.sharedRows = sharedRows
        var top = 0.0
        var section = 0
        while section < sections.count {
            sectionTops.append(top)
            top += headerHeight + inset.top
            if let shared = sharedRows.row(from: section, sections, aspectRatios) {
                for _ in 1..<shared.sectionCount { sectionTops.append(sectionTops[section]) }
                appendRow(from: sections.starts[section], at: &top, height: shared.height)
                section += shared.sectionCount
                sharesRows = true
            } else {
                let items = sections.items(of: section)
                var item = items.lowerBound
                while item < items.upperBound {
                    if item > items.lowerBound { top += options.lineSpacing }
                    let row = Self.row(
                        from: item, to: items.upperBound, rowHeight: rowHeight, available: available, spacing: spacing,
                        aspectRatios)
                    appendRow(from: item, at: &top, height: row.height)
                    item += row.count
                }
                section += 1
            }
            top += inset.bottom
        }
        sectionTops.append(top)
        contentHeight = top
    }

    private mutating func appendRow(from item: Int, at top: inout Double, height: Double) {
        rowStarts.append(UInt32(truncatingIfNeeded: item))
        rowTops.append(top)
        // Round before adding, so that the bottom of a row is exactly the top of the next one.
        let height = Float(height)
        rowHeights.append(height)
        top += Double(height)
    }

    /// Returns the number of items in the row that begins with `item`, and the height of the row.
    private static func row(
        from item: Int, to end: Int, rowHeight: Double, available: Double, spacing: Double, _ ratios: AspectRatios
    ) -> (count: Int, height: Double) {
        var sum = 0.0
        var next = item
        while next < end {
            let before = sum
            let count = next - item + 1
            let gaps = spacing * Double(count - 1)
            sum += ratios[next]
            next += 1
            guard sum * rowHeight + gaps >= available else { continue }
            let after = (available - gaps) / sum
            guard count > 1 else { return (1, after) }
            let without = (available - gaps + spacing) / before
            // Compare both heights with the wanted one as ratios: twice as tall is as bad as half as tall.
            return after > 0 && after * without >= rowHeight * rowHeight ? (count, after) : (count - 1, without)
        }
        return (next - item, rowHeight)
    }

    public var itemCount: Int { sections.itemCount }

    public var sectionCount: Int { sections.count }

    public var byteCount: Int { 4 * rowStarts.capacity + 8 * rowTops.capacity + 4 * rowHeights.capacity }

    /// Number of rows.
    public var rowCount: Int { rowStarts.count }

    /// Returns the index of the row that holds `item`. An item before the first counts as the first, an item after the last as
    /// the last.
    public func row(of item: Int) -> Int {
        let item = UInt32(truncatingIfNeeded: min(max(item, 0), max(0, itemCount - 1)))
        return rowStarts.lastIndex(notAbove: item, upTo: rowStarts.count)
    }

    public func frame(of item: Int) -> Frame {
        guard item >= 0, item < itemCount else { return .zero }
        var found = Frame.zero
        place(row(of: item), to: item + 1) { found = $1 }
        return found
    }

    public func frames(of items: Range<Int>) -> [Frame] {
        let items = items.clamped(to: 0..<itemCount)
        guard !items.isEmpty else { return [] }
        var frames: [Frame] = []
        frames.reserveCapacity(items.count)
        for row in row(of: items.lowerBound)...row(of: items.upperBound - 1) {
            place(row, to: min(start(of: row + 1), items.upperBound)) { item, frame in
                if item >= items.lowerBound { frames.append(frame) }
            }
        }
        return frames
    }

    /// Calls `body` with the frame of each item of a row, from the first item up to but not including `end`.
    private func place(_ row: Int, to end: Int, _ body: (_ item: Int, Frame) -> Void) {
        let height = Double(rowHeights[row])
        var item = Int(rowStarts[row])
        var section = sections.section(of: item)
        var (x, sectionX) = (originX, originX)
        while item < end {
            if item == sections.starts[section + 1] {
                x = sharedRows.nextX(after: sectionX, contentEnd: x - spacing)
                sectionX = x
                section += 1
            }
            let width = aspectRatios[item] * height
            body(item, Frame(x: x, y: rowTops[row], width: width, height: height))
            x += width + spacing
            item += 1
        }
    }

    public func items(in y: Range<Double>) -> Range<Int> {
        guard itemCount > 0, y.lowerBound < y.upperBound else { return 0..<0 }
        var first = rowTops.lastIndex(notAbove: y.lowerBound, upTo: rowTops.count)
        while first < rowTops.count, rowTops[first] + Double(rowHeights[first]) <= y.lowerBound { first += 1 }
        var end = rowTops.lastIndex(notAbove: y.upperBound, upTo: rowTops.count)
        if end < rowTops.count, rowTops[end] < y.upperBound { end += 1 }
        return start(of: first)..<start(of: max(first, end))
    }

    private func start(of row: Int) -> Int { row < rowStarts.count ? Int(rowStarts[row]) : itemCount }

    public func header(of section: Int) -> Frame? {
        guard section >= 0, section < sections.count, headerHeight > 0 else { return nil }
        let items = sections.items(of: section)
        var (x, end) = (0.0, width)
        if sharedRows.isSmall(items.count) {
            let row = row(of: items.lowerBound)
            if Int(rowStarts[row]) < items.lowerBound { x = frame(of: items.lowerBound).x - originX }
            if items.upperBound < start(of: row + 1) { end = frame(of: items.upperBound).x - originX }
        }
        return Frame(x: x, y: sectionTops[section], width: end - x, height: headerHeight)
    }
}
