public import Media
public import Viewport

/// Items of a catalogue as an ``Arrangement`` shows them: sorted, grouped into sections and filtered.
///
/// Created by ``ArrangementSource``. Like its catalogue, a value never changes.
public struct ArrangedItems: CatalogItems {
    public let arrangement: Arrangement
    public let base: Catalog
    public let sections: [Section]
    /// ``FactColumns/taken`` of the items of ``base``.
    private let baseTaken: [Int64]
    private let permutation: Permutation
    private let dates: TakenDates

    private init(
        _ arrangement: Arrangement, of base: Catalog, taken: [Int64], permutation: Permutation,
        sections: [Section], dates: TakenDates
    ) {
        self.arrangement = arrangement
        self.base = base
        baseTaken = taken
        self.permutation = permutation
        self.sections = sections
        self.dates = dates
    }

    /// Reads the date of every item.
    ///
    /// - Parameter taken: ``FactColumns/taken`` of the items of `base`.
    init(
        _ arrangement: Arrangement, of base: Catalog, taken: [Int64], permutation: Permutation, sections: [Section]
    ) {
        self.init(
            arrangement, of: base, taken: taken, permutation: permutation, sections: sections,
            dates: TakenDates(of: Self.taken(taken, permutation)))
    }

    /// Returns the index in ``base`` of the item at a place, or `nil` outside `0 ..< itemCount`.
    public func original(_ place: Int) -> Int? {
        permutation.items.indices.contains(place) ? Int(permutation.items[place]) : nil
    }

    /// Returns the place of an item of ``base``, or `nil` if the item is not shown.
    public func place(ofOriginal item: Int) -> Int? { permutation.place(of: item) }

    /// Returns the same arrangement over another catalogue. The other catalogue must have the same pictures in the same order.
    public func over(_ other: Catalog) -> ArrangedItems {
        ArrangedItems(
            arrangement, of: other, taken: baseTaken, permutation: permutation, sections: sections, dates: dates)
    }

    public var itemCount: Int { permutation.count }

    public var catalog: Catalog {
        Catalog(
            kind: base.kind, title: base.title, revision: base.revision, isComplete: base.isComplete,
            sections: sections,
            notShown: base.notShown, leftOut: base.leftOut,
            // A lower bound: the base does not say which items are known.
            factsKnown: max(0, itemCount - (base.itemCount - base.factsKnown)), dates: dates, items: self)
    }

    public func item(_ index: Int) -> Item? { original(index).flatMap(base.item) }
    public func id(_ index: Int) -> ItemID? { original(index).flatMap(base.id) }
    public func thumbHash(_ index: Int) -> [UInt8]? { original(index).flatMap(base.thumbHash) }
    public func facts(_ index: Int) -> PictureFacts? { original(index).flatMap(base.facts) }
    public func companions(_ index: Int) -> [String] { original(index).map(base.companions) ?? [] }
    public func duration(_ index: Int) -> Double? { original(index).flatMap(base.duration) }
    public func taken(_ index: Int) -> Int64? { original(index).flatMap(base.taken) }
    public func bytes(_ index: Int) -> Int64? { original(index).flatMap(base.bytes) }
    public func motion(_ index: Int) -> PictureFacts.Motion? { original(index).flatMap(base.motion) }
    public func index(of locator: Locator) -> Int? { base.index(of: locator).flatMap(permutation.place) }
    public func indices(of locators: [Locator]) -> [Int?] {
        base.indices(of: locators).map { $0.flatMap(permutation.place) }
    }

    /// Searches around `near` first, then in ``base``, where a search is faster. A list may contain a picture twice and show only its other
    /// entry here, so lists are searched only here.
    public func index(of id: ItemID, near: Int) -> Int? {
        if base.kind == .list { return search(for: id, near: near) }
        return search(for: id, near: near, limit: 1000) ?? base.index(of: id, near: near).flatMap(permutation.place)
    }

    public func preferFacts(of range: Range<Int>) {
        for place in range.clamped(to: 0..<itemCount) {
            let item = Int(permutation.items[place])
            base.preferFacts(of: item..<item + 1)
        }
    }

    public var aspectRatios: AspectRatios {
        let ratios = base.aspectRatios
        return AspectRatios(count: itemCount) { place in
            let item = Int(permutation.items[place])
            return ratios.isKnown(item) ? ratios[item] : .nan
        }
    }

    public var factColumns: FactColumns? {
        guard let columns = base.factColumns else { return nil }
        var arranged = FactColumns()
        arranged.taken = permuted(columns.taken)
        arranged.millisecond = permuted(columns.millisecond)
        arranged.bytes = permuted(columns.bytes)
        arranged.added = permuted(columns.added)
        arranged.rating = permuted(columns.rating)
        (arranged.camera, arranged.cameras) = (permuted(columns.camera), columns.cameras)
        (arranged.lens, arranged.lenses) = (permuted(columns.lens), columns.lenses)
        return arranged
    }

    /// ``FactColumns/taken`` of each item, computed without copying the column.
    var taken: some RandomAccessCollection<Int64> { Self.taken(baseTaken, permutation) }

    private static func taken(
        _ taken: [Int64], _ permutation: Permutation
    ) -> some RandomAccessCollection<Int64> {
        permutation.items.lazy.map { taken.isEmpty ? FactColumns.undated : taken[Int($0)] }
    }

    private func permuted<Value>(_ column: [Value]) -> [Value] {
        column.isEmpty ? [] : permutation.items.map { column[Int($0)] }
    }
}

/// A selection of a catalogue's items in another order: the item at each place, and the place of each item.
///
/// Needs 8 bytes for each shown item, and 4 more if some items are not shown.
package struct Permutation: Sendable {
    /// The original item at each place.
    let items: [UInt32]
    /// The original items that are shown, in ascending order, or `nil` if all are shown.
    private let shown: [UInt32]?
    /// The place of each shown item.
    private let places: [UInt32]

    /// - Parameter items: the original item at each place. No item occurs twice.
    package init(_ items: [UInt32], of originalCount: Int) {
        self.items = items
        var places = [UInt32](repeating: .max, count: originalCount)
        for (place, item) in items.enumerated() { places[Int(item)] = UInt32(place) }
        if items.count == originalCount {
            shown = nil
            self.places = places
        } else {
            var shown: [UInt32] = []
            shown.reserveCapacity(items.count)
            for (item, place) in places.enumerated() where place != .max { shown.append(UInt32(item)) }
            self.shown = shown
            self.places = shown.map { places[Int($0)] }
        }
    }

    package var count: Int { items.count }

    /// Returns the place of an original item, or `nil` if it is not shown.
    package func place(of original: Int) -> Int? {
        guard let shown else { return places.indices.contains(original) ? Int(places[original]) : nil }
        var (low, high) = (0, shown.count)
        while low < high {
            let middle = (low + high) / 2
            if shown[middle] < original { low = middle + 1 } else { high = middle }
        }
        return low < shown.count && shown[low] == original ? Int(places[low]) : nil
    }
}
