/// Counts the items still to be fetched that arrive while they are in view. Any entry fetched before them costs them time in
/// view.
///
/// Leaving out an entry makes all later entries arrive sooner. The saved time only grows, so each entry becomes punctual at
/// most once and stops being punctual at most once.
package struct PunctualItems {
    /// An entry of the schedule, in fetch order. It arrives while in view if `begin < saved < end`.
    private struct Place {
        let items: Int
        let begin: Double
        let end: Double
        var isCounted: Bool
    }

    /// Number of punctual items in the entries after the place last passed to ``begin(_:saved:)``.
    package private(set) var count = 0
    private var places: [Place]
    private var saved = 0.0
    /// Places in the order in which they become punctual and stop being punctual. Empty until some time is saved.
    private var beginning: ArraySlice<Int> = []
    private var ending: ArraySlice<Int> = []

    /// - Parameters:
    ///   - entries: the entries in fetch order.
    ///   - together: milliseconds before the first transfer can end, without `latency`.
    ///   - latency: milliseconds that a picture needs beside its transfer, before the first byte and after the last.
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

    /// Stops counting the entry at `place`. Call this for each place in order.
    ///
    /// - Parameter saved: milliseconds by which later entries arrive sooner, because earlier entries were left out.
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
