/// Positions of the items of a gallery. Immutable: another width or other options need a new layout.
///
/// Items are named by their flat index, 0 ..< `itemCount`. Every query is O(log n + size of the result).
public protocol Layout: Sendable {
    /// Number of items.
    var itemCount: Int { get }
    /// Width of the content, in CSS pixels.
    var width: Double { get }
    /// Height of the content, in CSS pixels.
    var contentHeight: Double { get }
    /// Number of sections, including empty ones.
    var sectionCount: Int { get }
    /// Whether any sections share a row.
    var sharesRows: Bool { get }
    /// Memory of the layout itself, in bytes, without data that it shares with others.
    var byteCount: Int { get }
    /// Returns the frame of `item`, or `.zero` if there is no such item.
    func frame(of item: Int) -> Frame
    /// Returns the frames of `items`, in order, without items that do not exist. Equal to many `frame(of:)` calls, for callers
    /// that need hundreds of frames.
    func frames(of items: Range<Int>) -> [Frame]
    /// Returns the smallest range that holds every item that overlaps the band `y`. Empty if no item does.
    func items(in y: Range<Double>) -> Range<Int>
    /// Returns the same range as `items(in:)` and the frames of its items, in one pass.
    func placedItems(in y: Range<Double>) -> (items: Range<Int>, frames: [Frame])
    /// Returns the frame of the header of `section`, or `nil` if there is no such section or headers have no height.
    func header(of section: Int) -> Frame?
}

extension Layout {
    public var byteCount: Int { 0 }

    public var sharesRows: Bool { false }

    public func frames(of items: Range<Int>) -> [Frame] {
        items.clamped(to: 0..<max(0, itemCount)).map(frame(of:))
    }

    public func placedItems(in y: Range<Double>) -> (items: Range<Int>, frames: [Frame]) {
        let items = items(in: y)
        return (items, frames(of: items))
    }
}

/// Creates the layout for `options`, `width` CSS pixels wide, over consecutive `sections` of items.
///
/// - Parameters:
///   - options: Options of the layout. Values out of range are moved to the nearest bound (see `LayoutOptions.validate()`).
///   - width: Width of the content, 0 to 1,000,000. Other values are moved to the nearest bound.
///   - sections: Items of each section, ascending. Empty sections are allowed.
///   - aspectRatios: Width divided by height of each item, for justified and masonry. `nil` means 1.5 for every item.
public func makeLayout(
    _ options: LayoutOptions, width: Double, sections: [Range<Int>], aspectRatios: AspectRatios? = nil
) -> any Layout {
    let options = options.clamped()
    let width = width.clamped(to: LayoutOptions.widthBounds, or: 0)
    let sections = SectionTable(sections)
    switch options.kind {
    case .grid(let itemWidth, let itemHeight):
        return GridLayout(
            options, itemSize: Size(width: itemWidth, height: itemHeight), width: width, sections: sections)
    case .justified(let rowHeight):
        return JustifiedLayout(
            options, rowHeight: rowHeight, width: width, sections: sections,
            aspectRatios: aspectRatios ?? AspectRatios(count: 0))
    case .masonry(let columnWidth):
        return MasonryLayout(
            options, columnWidth: columnWidth, width: width, sections: sections,
            aspectRatios: aspectRatios ?? AspectRatios(count: 0))
    }
}
