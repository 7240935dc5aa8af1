/// A dictionary with a limit of what its entries cost together: the oldest go first (LRU or FIFO).
///
/// An entry is as old as its insertion, or its last use where uses are told by ``use(_:)``. Every operation takes constant
/// time: a doubly linked list runs through the entries, from the oldest to the newest.
package struct BoundedCache<Key: Hashable, Value> {
    fileprivate struct Slot {
        /// Both `nil` where the slot is free.
        var key: Key?
        var value: Value?
        var cost = 0
        var newer = none
        var older = none
    }

    private static var none: Int { -1 }

    package let limit: Int
    /// Of all entries.
    package private(set) var cost = 0
    private var places: [Key: Int] = [:]
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var newest = none
    private var oldest = none

    package init(limit: Int) { self.limit = max(0, limit) }

    package var count: Int { places.count }

    package subscript(key: Key) -> Value? { places[key].flatMap { slots[$0].value } }

    /// The value, whose entry is now the newest.
    package mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            linkNewest(place)
        }
        return slots[place].value
    }

    /// Changes a value where it is there. Its entry stays as old as it is and costs what it did.
    package mutating func replace(_ value: Value, for key: Key) {
        if let place = places[key] { slots[place].value = value }
    }

    /// Adds an entry, the newest now, in place of an older one of the same key. One that costs more than the limit is not
    /// kept.
    package mutating func insert(_ value: Value, for key: Key, cost added: Int = 1) {
        remove(key)
        guard added <= limit else { return }
        while cost + added > limit, removeOldest() != nil {}
        let slot = Slot(key: key, value: value, cost: added)
        let place = free.popLast() ?? slots.count
        if place < slots.count { slots[place] = slot } else { slots.append(slot) }
        places[key] = place
        cost += added
        linkNewest(place)
    }

    @discardableResult
    package mutating func remove(_ key: Key) -> Value? {
        guard let place = places.removeValue(forKey: key) else { return nil }
        unlink(place)
        cost -= slots[place].cost
        defer { slots[place] = Slot() }
        free.append(place)
        return slots[place].value
    }

    /// - Returns: the key of the entry; `nil` where there was none.
    @discardableResult
    package mutating func removeOldest() -> Key? {
        guard oldest != Self.none, let key = slots[oldest].key else { return nil }
        remove(key)
        return key
    }

    private mutating func linkNewest(_ place: Int) {
        slots[place].newer = Self.none
        slots[place].older = newest
        if newest != Self.none { slots[newest].newer = place }
        newest = place
        if oldest == Self.none { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (slots[place].newer, slots[place].older)
        if newer != Self.none { slots[newer].older = older } else { newest = older }
        if older != Self.none { slots[older].newer = newer } else { oldest = newer }
    }
}

extension BoundedCache.Slot: Sendable where Key: Sendable, Value: Sendable {}
extension BoundedCache: Sendable where Key: Sendable, Value: Sendable {}
