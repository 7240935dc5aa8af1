/// A dictionary with a limit on the total cost of its entries. Beyond the limit, the oldest entries are evicted (LRU or FIFO).
///
/// The age of an entry counts from its insertion, or from its last ``use(_:)``. Every operation takes constant time: a doubly
/// linked list connects the entries from the oldest to the newest.
package struct BoundedCache<Key: Hashable, Value> {
    fileprivate struct Slot {
        /// Both `nil` if the slot is free.
        var key: Key?
        var value: Value?
        var cost = 0
        var newer = none
        var older = none
    }

    private static var none: Int { -1 }

    package let limit: Int
    package private(set) var cost = 0
    private var places: [Key: Int] = [:]
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var newest = none
    private var oldest = none

    package init(limit: Int) { self.limit = max(0, limit) }

    package var count: Int { places.count }

    package var keys: some Collection<Key> { places.keys }

    package subscript(key: Key) -> Value? { places[key].flatMap { slots[$0].value } }

    /// Returns the value and makes its entry the newest.
    package mutating func use(_ key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            linkNewest(place)
        }
        return slots[place].value
    }

    /// Replaces the value of an existing entry. The age and cost of the entry do not change. Does nothing if there is no entry.
    package mutating func replace(_ value: Value, for key: Key) {
        if let place = places[key] { slots[place].value = value }
    }

    /// Adds an entry as the newest one and removes an older entry of the same key. An entry that costs more than the limit is
    /// not stored.
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

    /// - Returns: the removed entry, or `nil` if the cache is empty.
    @discardableResult
    package mutating func removeOldest() -> (key: Key, value: Value)? {
        guard oldest != Self.none, let key = slots[oldest].key, let value = remove(key) else { return nil }
        return (key, value)
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
