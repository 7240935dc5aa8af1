/// How many of the items that are still to be fetched come while they are seen: those that an entry before them delays.
///
/// Leaving an item out makes all later ones come sooner. The time saved only grows, so that each entry begins to be punctual
/// once at most, and ends to be so once.
package struct PunctualItems {
    /// An entry of the schedule in the order of fetching: it comes while it is seen where `begin < saved < end`.
    private struct Place {
        let items: Int
        let begin: Double
        let end: Double
        var isCounted: Bool
    }

    /// Items of the entries after the one that ``begin(_:saved:)`` was told of.
    package private(set) var count = 0
    private var places: [Place]
    private var saved = 0.0
    /// Places in the order in which they begin and end to be punctual; none before something is saved.
    private var beginning: ArraySlice<Int> = []
    private var ending: ArraySlice<Int> = []

    /// - Parameters:
    ///   - entries: in the order of fetching.
    ///   - together: milliseconds before which nothing comes, its latency left aside.
    ///   - latency: milliseconds from the end of a transfer to the picture on the screen.
    package init(_ entries: [Schedule.Entry], together: Double, latency: Double) {
        places = []
        places.reserveCapacity(entries.count)
        var comes = latency
        for entry in entries {
            comes += entry.cost
            let begin = together + latency < entry.to ? comes - entry.to : .infinity
            let end = together + latency > entry.from ? .infinity : comes - entry.from
            let isCounted = begin < 0 && end > 0
            places.append(Place(items: entry.items.count, begin: begin, end: end, isCounted: isCounted))
            if isCounted { count += entry.items.count }
        }
    }

    /// Leaves the place and all before it out of account.
    ///
    /// - Parameter saved: milliseconds that all after it come sooner, by what was left out before it.
    package mutating func begin(_ place: Int, saved: Double) {
        if saved > self.saved { save(saved, from: place) }
        if places[place].isCounted { count -= places[place].items }
    }

    private mutating func save(_ saved: Double, from place: Int) {
        if self.saved == 0 {
            let rest = places.indices[place...]
            beginning =
                rest.filter { places[$0].begin >= 0 && places[$0].begin < .infinity }
                .sorted { places[$0].begin < places[$1].begin }[...]
            ending =
                rest.filter { places[$0].end > 0 && places[$0].end < .infinity }
                .sorted { places[$0].end < places[$1].end }[...]
        }
        self.saved = saved
        while let next = beginning.first, places[next].begin < saved {
            beginning.removeFirst()
            set(next, counted: true, from: place)
        }
        while let next = ending.first, places[next].end <= saved {
            ending.removeFirst()
            set(next, counted: false, from: place)
        }
    }

    private mutating func set(_ next: Int, counted: Bool, from place: Int) {
        guard next >= place, places[next].isCounted != counted else { return }
        places[next].isCounted = counted
        count += counted ? places[next].items : -places[next].items
    }
}
