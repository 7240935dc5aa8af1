import Viewport

/// The JSON `layout` of the API: `{"kind":"grid","itemWidth",…}`, `{"kind":"justified","rowHeight",…}` or
/// `{"kind":"masonry","columnWidth",…}` with spacing, insets and header height.
extension LayoutOptions {
    enum KindName: String, CaseIterable { case grid, justified, masonry }

    /// Allowed lengths of cells, in CSS pixels.
    package static let cellLengths = 1.0...10_000.0
    /// Allowed spacing, insets and header heights, in CSS pixels.
    package static let spacings = 0.0...10_000.0

    /// A grid of 200 x 180 cells with gaps of 8 px.
    package static let standard = LayoutOptions(
        kind: .grid(itemWidth: 200, itemHeight: 180), lineSpacing: 8, interitemSpacing: 8)

    package init(_ reader: FieldReader) throws(Problem) {
        let kind = try reader.required("kind", try reader.choice("kind", KindName.self))
        func length(_ name: String) throws(Problem) -> Double {
            try reader.required(name, try reader.number(name, in: Self.cellLengths))
        }
        switch kind {
        case .grid: self.init(kind: .grid(itemWidth: try length("itemWidth"), itemHeight: try length("itemHeight")))
        case .justified: self.init(kind: .justified(rowHeight: try length("rowHeight")))
        case .masonry: self.init(kind: .masonry(columnWidth: try length("columnWidth")))
        }
        lineSpacing = try reader.number("lineSpacing", in: Self.spacings) ?? 0
        interitemSpacing = try reader.number("interitemSpacing", in: Self.spacings) ?? 0
        headerHeight = try reader.number("headerHeight", in: Self.spacings) ?? 0
        smallSectionLimit = try reader.integer("smallSectionLimit", in: Self.smallSectionBounds) ?? 0
        if let inset = try reader.object("sectionInset") {
            sectionInset = EdgeInsets(
                top: try inset.number("top", in: Self.spacings) ?? 0,
                left: try inset.number("left", in: Self.spacings) ?? 0,
                bottom: try inset.number("bottom", in: Self.spacings) ?? 0,
                right: try inset.number("right", in: Self.spacings) ?? 0)
        }
    }
}
