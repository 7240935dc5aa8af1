import Numbers

/// Columns that fill the width. Each item keeps its aspect ratio and goes to the shortest column, or the leftmost of several. A
/// section begins below the longest column of the section above. If `smallSectionLimit` allows it, small sections are side by
/// side, and each of their items has its own column.
///
/// Placing items is cheap, so the layout does not store frames. It stores checkpoints: the heights of the columns after every
/// `stride` items. A query places only the few items after a checkpoint. Checkpoints need 1 byte an item, beside the 2 bytes of
/// `AspectRatios`. The tops of items never decrease within a section, so a search can be binary.
public struct MasonryLayout: Layout {
    public let width: Double
    public private(set) var contentHeight = 0.0
    /// Number of columns.
    public let columns: Int
    /// Width of each column.
    public let columnWidth: Double
    public private(set) var sharesRows = false

    /// Maximum number of columns.
    public static let columnLimit = 256

    private let headerHeight: Double
    private let insetTop: Double
    private let originX: Double
    private let lineSpacing: Double
    private let interitemSpacing: Double
    private let sections: SectionTable
    private let aspectRatios: AspectRatios
    private let stride: Int
    private var sectionTops: [Double] = []
    /// Leftmost column of each section. Above 0 if the section is beside another one.
    private var firstColumns: [UInt16] = []
    // `columns` heights for each checkpoint. Checkpoint k of a section, k >= 1, follows its first k * stride items.
    private var checkpoints: [Double] = []
    private var firstCheckpoint: [Int] = []

    init(
        _ options: LayoutOptions, columnWidth wanted: Double, width: Double, sections: SectionTable,
        aspectRatios: AspectRatios
    ) {
        let inset = options.sectionInset
        let available = max(1, width - inset.left - inset.right)
        let spacing = options.interitemSpacing
        let columns = Int(clamping: (available + spacing) / (wanted + spacing), to: 1...Self.columnLimit)
        self.width = width
        self.columns = columns
        columnWidth = (available - spacing * Double(columns - 1)) / Double(columns)
        headerHeight = options.headerHeight
        insetTop = inset.top
        originX = inset.left
        lineSpacing = options.lineSpacing
        interitemSpacing = spacing
        stride = max(64, 8 * columns)
        self.sections = sections
        self.aspectRatios = aspectRatios

        let headerColumns = Int(
            clamping: (options.minimumSectionWidth / (columnWidth + spacing)).rounded(.up), to: 1...columns)
        var top = 0.0
        var bottom = 0.0  // lower edge of the sections that begin at `top`
        var used = columns  // columns used by the sections that begin at `top`
        for section in 0..<sections.count {
            let items = sections.items(of: section)
            let isSmall = !items.isEmpty && items.count <= min(options.smallSectionLimit, columns)
            let wanted = isSmall ? max(items.count, headerColumns) : columns
            if used + wanted > columns { (top, used) = (bottom, 0) }
            sharesRows = sharesRows || used > 0
            sectionTops.append(top)
            firstColumns.append(UInt16(used))
            firstCheckpoint.append(checkpoints.count / columns)
            used += wanted
            var (_, bottoms) = state(at: 0, of: section)
            let start = top + headerHeight + insetTop
            var end = start
            for item in items {
                if item > items.lowerBound, (item - items.lowerBound).isMultiple(of: stride) {
                    checkpoints.append(contentsOf: bottoms)
                }
                end = max(end, place(item, &bottoms).maxY)
            }
            bottom = max(bottom, end + inset.bottom)
        }
        sectionTops.append(bottom)
        firstCheckpoint.append(checkpoints.count / columns)
        contentHeight = bottom
    }

    public var itemCount: Int { sections.itemCount }

    public var sectionCount: Int { sections.count }

    public var byteCount: Int { 8 * (checkpoints.capacity + firstCheckpoint.capacity) }

    public func frame(of item: Int) -> Frame {
        guard item >= 0, item < itemCount else { return .zero }
        let section = sections.section(of: item)
        var (next, bottoms) = state(at: (item - sections.starts[section]) / stride, of: section)
        while next < item {
            _ = place(next, &bottoms)
            next += 1
        }
        return place(item, &bottoms)
    }

    public func frames(of items: Range<Int>) -> [Frame] {
        let items = items.clamped(to: 0..<itemCount)
        guard let first = items.first else { return [] }
        var frames: [Frame] = []
        frames.reserveCapacity(items.count)
        var section = sections.section(of: first)
        var (next, bottoms) = state(at: (first - sections.starts[section]) / stride, of: section)
        while next < items.upperBound {
            while next >= sections.starts[section + 1] {
                section += 1
                bottoms = state(at: 0, of: section).bottoms
            }
            let frame = place(next, &bottoms)
            if next >= first { frames.append(frame) }
            next += 1
        }
        return frames
    }

    public func items(in y: Range<Double>) -> Range<Int> { placedItems(in: y).items }

    public func placedItems(in y: Range<Double>) -> (items: Range<Int>, frames: [Frame]) {
        guard itemCount > 0, y.lowerBound < y.upperBound else { return (0..<0, []) }
        var section = sectionTops.lastIndex(notAbove: y.lowerBound, upTo: sections.count)
        while section < sections.count, firstColumns[section] > 0 { section -= 1 }
        var first: Int?
        var end = 0
        var frames: [Frame] = []
        while section < sections.count, sectionTops[section] < y.upperBound {
            if let found = items(in: y, of: section, &frames) {
                first = first ?? found.lowerBound
                end = found.upperBound
            }
            section += 1
        }
        guard let first else { return (0..<0, []) }
        return (first..<end, Array(frames.prefix(end - first)))
    }

    public func header(of section: Int) -> Frame? {
        guard section >= 0, section < sections.count, headerHeight > 0 else { return nil }
        let pitch = columnWidth + interitemSpacing
        let x = Double(firstColumns[section]) * pitch
        let isLast = section + 1 == sections.count || firstColumns[section + 1] == 0
        let end = isLast ? width : Double(firstColumns[section + 1]) * pitch
        return Frame(x: x, y: sectionTops[section], width: end - x, height: headerHeight)
    }

    /// Returns the range of items of a section that overlap the band `y`, or `nil` if no item does.
    ///
    /// - Parameter frames: receives the frames of the placed items, beginning with the first item that overlaps the band in
    ///   this or an earlier section.
    private func items(in y: Range<Double>, of section: Int, _ frames: inout [Frame]) -> Range<Int>? {
        let items = sections.items(of: section)
        // Find the last checkpoint at which every column ends above the band. No item before that checkpoint overlaps the band.
        var low = 0
        var high = firstCheckpoint[section + 1] - firstCheckpoint[section]
        while low < high {
            let middle = (low + high + 1) / 2
            let heights = checkpoint(middle, of: section)
            if heights.allSatisfy({ $0 - lineSpacing <= y.lowerBound }) { low = middle } else { high = middle - 1 }
        }
        var (item, bottoms) = state(at: low, of: section)
        var first: Int?
        var last = item
        while item < items.upperBound {
            let frame = place(item, &bottoms)
            if frame.y >= y.upperBound { break }
            if frame.maxY > y.lowerBound {
                first = first ?? item
                last = item
            }
            if first != nil || !frames.isEmpty { frames.append(frame) }
            item += 1
        }
        return first.map { $0..<(last + 1) }
    }

    private func checkpoint(_ index: Int, of section: Int) -> ArraySlice<Double> {
        let start = (firstCheckpoint[section] + index - 1) * columns
        return checkpoints[start..<(start + columns)]
    }

    /// Returns the item that follows checkpoint `index` of `section`, and the top of the next item in each column.
    private func state(at index: Int, of section: Int) -> (item: Int, bottoms: [Double]) {
        let start = sectionTops[section] + headerHeight + insetTop
        var bottoms =
            index == 0 ? [Double](repeating: start, count: columns) : Array(checkpoint(index, of: section))
        // The columns further left belong to other sections.
        for column in 0..<Int(firstColumns[section]) { bottoms[column] = .infinity }
        return (sections.starts[section] + index * stride, bottoms)
    }

    /// Puts `item` into the shortest column and returns its frame.
    private func place(_ item: Int, _ bottoms: inout [Double]) -> Frame {
        var column = 0
        for other in 1..<max(1, columns) where bottoms[other] < bottoms[column] { column = other }
        let height = columnWidth / aspectRatios[item]
        let frame = Frame(
            x: originX + Double(column) * (columnWidth + interitemSpacing), y: bottoms[column], width: columnWidth,
            height: height)
        bottoms[column] += height + lineSpacing
        return frame
    }
}
