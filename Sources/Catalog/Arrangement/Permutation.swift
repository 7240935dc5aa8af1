/// Some of a catalogue's items in another order: which item stands at a place, and at which place an item stands.
///
/// 8 bytes for each that is shown, and 4 more where not all are.
package struct Permutation: Sendable {
    /// The original item at each place.
    let items: [UInt32]
    /// The originals that are shown, ascending; `nil` where all are.
    private let shown: [UInt32]?
    /// Of each of those.
    private let places: [UInt32]

    /// - Parameters:
    ///   - items: each once.
    ///   - originalCount: all of them are below it.
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

    /// Where an original item stands; `nil` where it is not shown.
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
