public import Pipeline
public import Viewport

/// Items of a catalogue as an ``Arrangement`` shows them: in its order, under its sections, those that its filter lets through.
///
/// Made by ``ArrangementSource``; like the snapshot it is of, it never changes.
public struct ArrangedCatalog: Catalog {
    public let arrangement: Arrangement
    /// What it is of, as it was when the arrangement was made.
    public let base: any Catalog
    public let sections: [Section]
    private let columns: FactColumns
    private let permutation: Permutation

    init(
        _ arrangement: Arrangement, of base: any Catalog, columns: FactColumns, permutation: Permutation,
        sections: [Section]
    ) {
        self.arrangement = arrangement
        self.base = base
        self.columns = columns
        self.permutation = permutation
        self.sections = sections
    }

    /// The number in ``base`` of the item at a place; `nil` outside `0 ..< itemCount`.
    public func original(_ place: Int) -> Int? {
        permutation.items.indices.contains(place) ? Int(permutation.items[place]) : nil
    }

    /// Where an item of ``base`` stands; `nil` where it is not shown.
    public func place(ofOriginal item: Int) -> Int? { permutation.place(of: item) }

    /// The same arrangement of the same pictures as another catalogue has them, item for item.
    public func over(_ other: any Catalog) -> ArrangedCatalog {
        ArrangedCatalog(arrangement, of: other, columns: columns, permutation: permutation, sections: sections)
    }

    public var kind: CatalogKind { base.kind }
    public var title: String { base.title }
    public var itemCount: Int { permutation.count }
    public var notShown: [KindNotShown] { base.notShown }
    public var revision: Int { base.revision }
    public func item(_ index: Int) -> Item? { original(index).flatMap(base.item) }
    public func thumbHash(_ index: Int) -> [UInt8]? { original(index).flatMap(base.thumbHash) }
    public func facts(_ index: Int) -> PictureFacts? { original(index).flatMap(base.facts) }
    public func companions(_ index: Int) -> [String] { original(index).map(base.companions) ?? [] }
    public func isFavorite(_ index: Int) -> Bool { original(index).map(base.isFavorite) ?? false }
    public func index(of locator: Locator) -> Int? { base.index(of: locator).flatMap(permutation.place) }

    public func preferFacts(of items: Range<Int>) {
        for place in items.clamped(to: 0..<itemCount) {
            let item = Int(permutation.items[place])
            base.preferFacts(of: item..<item + 1)
        }
    }

    /// A lower bound: the base does not say which items are known.
    public var factsKnown: Int { max(0, itemCount - (base.itemCount - base.factsKnown)) }

    public var aspectRatios: AspectRatios {
        let ratios = base.aspectRatios
        return AspectRatios(count: itemCount) { place in
            let item = Int(permutation.items[place])
            return ratios.isKnown(item) ? ratios[item] : .nan
        }
    }

    public var factColumns: FactColumns? {
        var arranged = FactColumns()
        arranged.taken = permuted(columns.taken)
        arranged.bytes = permuted(columns.bytes)
        arranged.added = permuted(columns.added)
        arranged.rating = permuted(columns.rating)
        (arranged.camera, arranged.cameras) = (permuted(columns.camera), columns.cameras)
        (arranged.lens, arranged.lenses) = (permuted(columns.lens), columns.lenses)
        return arranged
    }

    /// When the first and the last picture were taken, seconds on the wall since 1970; `nil` where that is known of none.
    public var takenRange: ClosedRange<Int64>? {
        let known = taken.lazy.filter { $0 != FactColumns.undated }
        guard let first = known.min(), let last = known.max() else { return nil }
        return first...last
    }

    /// ``FactColumns/taken`` of each item, without a copy of all.
    var taken: some RandomAccessCollection<Int64> {
        permutation.items.lazy.map { columns.taken.isEmpty ? FactColumns.undated : columns.taken[Int($0)] }
    }

    private func permuted<Value>(_ column: [Value]) -> [Value] {
        column.isEmpty ? [] : permutation.items.map { column[Int($0)] }
    }
}
