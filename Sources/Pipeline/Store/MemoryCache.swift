/// The least recently used goes first: a cache bounded in bytes.
///
/// A dictionary of slots and a doubly linked list through them; every operation takes constant time.
struct MemoryCache {
    private struct Slot {
        var key: String
        var thumbnail: Thumbnail
        var cost: Int
        /// When its use was last noted, in seconds.
        var noted: Int64
        /// Toward the most recently used; `none` at the end.
        var newer: Int
        var older: Int
    }

    private static let none = -1
    /// What an entry costs besides its bytes: slot, dictionary entry and array headers, about.
    private static let overhead = 256

    let limit: Int
    private(set) var bytes = 0
    private var places: [String: Int] = [:]
    private var slots: [Slot] = []
    private var free: [Int] = []
    private var newest = none
    private var oldest = none

    init(limit: Int) { self.limit = max(limit, 0) }

    var count: Int { places.count }

    /// The thumbnail, now the most recently used.
    ///
    /// - Parameters:
    ///   - now: in seconds.
    ///   - granularity: for how many seconds one note of use is good.
    /// - Returns: and whether its use is to be noted.
    mutating func value(_ key: String, now: Int64, granularity: Int64) -> (thumbnail: Thumbnail, isNoteDue: Bool)? {
        guard let place = places[key] else { return nil }
        if place != newest {
            unlink(place)
            linkNewest(place)
        }
        let isNoteDue = now - slots[place].noted > granularity
        if isNoteDue { slots[place].noted = now }
        return (slots[place].thumbnail, isNoteDue)
    }

    mutating func insert(_ thumbnail: Thumbnail, for key: String, now: Int64) {
        remove(key)
        let cost = Self.cost(thumbnail, key)
        guard cost <= limit else { return }
        while bytes + cost > limit, oldest != Self.none { remove(slots[oldest].key) }
        let slot = Slot(key: key, thumbnail: thumbnail, cost: cost, noted: now, newer: Self.none, older: Self.none)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            slots[place] = slot
        } else {
            place = slots.count
            slots.append(slot)
        }
        places[key] = place
        bytes += cost
        linkNewest(place)
    }

    mutating func remove(_ key: String) {
        guard let place = places.removeValue(forKey: key) else { return }
        unlink(place)
        bytes -= slots[place].cost
        slots[place] = Slot(key: "", thumbnail: .empty, cost: 0, noted: 0, newer: Self.none, older: Self.none)
        free.append(place)
    }

    static func cost(_ thumbnail: Thumbnail, _ key: String) -> Int {
        thumbnail.bytes.count + thumbnail.small.count + thumbnail.thumbHash.count + key.utf8.count + overhead
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

extension Thumbnail {
    fileprivate static let empty = Thumbnail(
        width: 0, height: 0, mediaType: "", bytes: [], thumbHash: [], sourceWidth: 0, sourceHeight: 0)
}
