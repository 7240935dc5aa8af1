/// Where each item of a gallery lies. Immutable: another width or another set of options makes another layout.
///
/// Items are named by their flat index, 0 ..< `itemCount`. Every question is answered in O(log n + answer).
public protocol Layout: Sendable {
    /// How many items there are.
    var itemCount: Int { get }
    /// How wide the content is, in CSS pixels.
    var width: Double { get }
    /// How tall the content is, in CSS pixels.
    var contentHeight: Double { get }
    /// How many sections there are, the empty ones included.
    var sectionCount: Int { get }
    /// Whether several sections stand side by side in a row.
    var sharesRows: Bool { get }
    /// Memory that it takes of its own, in bytes; what it shares with others is not counted.
    var byteCount: Int { get }
    /// Where `item` lies; `.zero` when there is no such item.
    func frame(of item: Int) -> Frame
    /// Where each of `items` lies, in their order; those that do not exist are left out. As many `frame(of:)` give the
    /// same: this is for callers that need hundreds.
    func frames(of items: Range<Int>) -> [Frame]
    /// The smallest range that holds every item that overlaps the band `y`; empty when none does.
    func items(in y: Range<Double>) -> Range<Int>
    /// Those items and where each of them lies, in one pass.
    func placedItems(in y: Range<Double>) -> (items: Range<Int>, frames: [Frame])
    /// Where the header of `section` lies; nil when there is no such section or headers have no height.
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

/// The layout for `options`, `width` CSS pixels wide, over consecutive `sections` of items.
///
/// - Parameters:
///   - options: How to lay out; options out of range are moved to the nearest bound (see `LayoutOptions.validate()`).
///   - width: How wide the content is, 0 to 1,000,000; anything else is moved to the nearest bound.
///   - sections: The items of each section, ascending; empty ones are allowed.
///   - aspectRatios: Each item's width divided by its height, for justified and masonry; nil: all 1.5.
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
