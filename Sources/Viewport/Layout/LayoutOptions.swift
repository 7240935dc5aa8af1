import Numbers

/// Options of the layout of a gallery. Every length is in CSS pixels.
public struct LayoutOptions: Sendable, Hashable {
    /// Shape of the cells.
    public enum Kind: Sendable, Hashable {
        /// Cells of one size, as many in a row as fit: the metrics of a flow layout.
        case grid(itemWidth: Double, itemHeight: Double)
        /// Rows that fill the width. Each item has its own aspect ratio, and each row is as near to `rowHeight` as possible.
        case justified(rowHeight: Double)
        /// Columns that fill the width, each at least `columnWidth` wide. Each item goes to the shortest column.
        case masonry(columnWidth: Double)
    }

    public var kind: Kind
    /// Distance between rows (grid, justified) or between items of a column (masonry). Default 0.
    public var lineSpacing: Double
    /// Minimum distance between items of a row (grid), or the exact distance (justified, masonry). Default 0.
    public var interitemSpacing: Double
    /// Margins around the items of each section, below its header. Default 0.
    public var sectionInset: EdgeInsets
    /// Height of the header above each section. Default 0, which means no headers.
    public var headerHeight: Double
    /// Maximum number of items of a section that may share a row with other small sections. Default 0: each section begins a
    /// row.
    ///
    /// A section that does not fit in one row never shares one. If sections have headers, each shared section is at least
    /// ``minimumHeaderWidth`` wide. In a grid, shared sections keep to the columns. In a justified layout, shared rows are
    /// stretched by up to a third and have the left inset between sections. In masonry, each item of a shared section has its
    /// own column.
    public var smallSectionLimit: Int

    public init(
        kind: Kind,
        lineSpacing: Double = 0,
        interitemSpacing: Double = 0,
        sectionInset: EdgeInsets = EdgeInsets(),
        headerHeight: Double = 0,
        smallSectionLimit: Int = 0
    ) {
        self.kind = kind
        self.lineSpacing = lineSpacing
        self.interitemSpacing = interitemSpacing
        self.sectionInset = sectionInset
        self.headerHeight = headerHeight
        self.smallSectionLimit = smallSectionLimit
    }

    /// Bounds of an item's width and height, row height and column width: 1 to 100,000.
    public static let itemBounds = 1.0...100_000.0

    /// Bounds of spacings, insets and header heights: 0 to 100,000.
    public static let spacingBounds = 0.0...100_000.0

    /// Bounds of `smallSectionLimit`: 0 to 100.
    public static let smallSectionBounds = 0...100

    /// Minimum width of the header of a section that shares a row: 72 px, a short word.
    public static let minimumHeaderWidth = 72.0

    var minimumSectionWidth: Double { headerHeight > 0 ? Self.minimumHeaderWidth : 0 }

    /// Bounds of the content's width: 0 to 1,000,000.
    public static let widthBounds = 0.0...1_000_000.0
}

/// A layout option that is out of range.
public struct LayoutError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Name of the option, with a slash before each nested name: `itemWidth`, `sectionInset/top`.
    public let field: String
    public let value: Double
    public let allowed: ClosedRange<Double>

    public var description: String {
        "\(field) must be a number from \(Int(clamping: allowed.lowerBound)) to \(Int(clamping: allowed.upperBound)), not \(value)"
    }
}

extension LayoutOptions {
    /// Checks that every option is finite and in range.
    ///
    /// - Throws: `LayoutError` for the first option that is not finite or out of range.
    public func validate() throws(LayoutError) {
        switch kind {
        case .grid(let width, let height):
            try Self.check(width, "itemWidth", in: Self.itemBounds)
            try Self.check(height, "itemHeight", in: Self.itemBounds)
        case .justified(let height):
            try Self.check(height, "rowHeight", in: Self.itemBounds)
        case .masonry(let width):
            try Self.check(width, "columnWidth", in: Self.itemBounds)
        }
        try Self.check(lineSpacing, "lineSpacing", in: Self.spacingBounds)
        try Self.check(interitemSpacing, "interitemSpacing", in: Self.spacingBounds)
        try Self.check(sectionInset.top, "sectionInset/top", in: Self.spacingBounds)
        try Self.check(sectionInset.left, "sectionInset/left", in: Self.spacingBounds)
        try Self.check(sectionInset.bottom, "sectionInset/bottom", in: Self.spacingBounds)
        try Self.check(sectionInset.right, "sectionInset/right", in: Self.spacingBounds)
        try Self.check(headerHeight, "headerHeight", in: Self.spacingBounds)
        let limits = Self.smallSectionBounds
        try Self.check(
            Double(smallSectionLimit), "smallSectionLimit", in: Double(limits.lowerBound)...Double(limits.upperBound))
    }

    private static func check(_ value: Double, _ field: String, in allowed: ClosedRange<Double>) throws(LayoutError) {
        guard allowed.contains(value) else { throw LayoutError(field: field, value: value, allowed: allowed) }
    }

    /// Returns these options with each value out of range moved to the nearest bound, and each NaN to the lower bound.
    public func clamped() -> LayoutOptions {
        func item(_ value: Double) -> Double { value.clamped(to: Self.itemBounds, or: Self.itemBounds.lowerBound) }
        func space(_ value: Double) -> Double { value.clamped(to: Self.spacingBounds, or: 0) }
        var options = self
        switch kind {
        case .grid(let width, let height): options.kind = .grid(itemWidth: item(width), itemHeight: item(height))
        case .justified(let height): options.kind = .justified(rowHeight: item(height))
        case .masonry(let width): options.kind = .masonry(columnWidth: item(width))
        }
        options.lineSpacing = space(lineSpacing)
        options.interitemSpacing = space(interitemSpacing)
        options.sectionInset = EdgeInsets(
            top: space(sectionInset.top), left: space(sectionInset.left), bottom: space(sectionInset.bottom),
            right: space(sectionInset.right))
        options.headerHeight = space(headerHeight)
        let limits = Self.smallSectionBounds
        options.smallSectionLimit = min(max(smallSectionLimit, limits.lowerBound), limits.upperBound)
        return options
    }
}
