/// Items that could be fetched, in the order in which they are needed. Estimates when each would arrive in that order.
package struct Schedule {
    /// Items that are in view over the same time: a row, or a part of one.
    package struct Entry {
        package var items: [Int]
        /// When the items come into view and when they leave it, in milliseconds from now. `to` may be infinite.
        package var from: Double
        package var to: Double
        /// Time that the network needs for the items, in milliseconds.
        package var cost: Double
        /// Whether the items are being fetched.
        var isRunning: Bool

        package init(items: [Int], from: Double, to: Double, cost: Double, isRunning: Bool) {
            self.items = items
            self.from = from
            self.to = to
            self.cost = cost
            self.isRunning = isRunning
        }
    }

    private(set) var entries: [Entry] = []
    private(set) var dropped: [Entry] = []
    /// Last added frame and the time for which it is in view, cached because the cells of a row share both.
    private var latest: (y: Double, height: Double, seen: (from: Double, to: Double)?)?

    private let options: LookaheadOptions
    private let view: PolicyView
    private let course: Course
    private let habits: Habits
    private let interval: Double
    private let latency: Double
    private let transfer: Double
    /// When the content becomes slow enough to be looked at, and when that time ends, in milliseconds from now.
    private let slowFrom: Double
    private let end: Double

    init(_ options: LookaheadOptions, _ view: PolicyView, _ course: Course, _ habits: Habits) {
        self.options = options
        self.view = view
        self.course = course
        self.habits = habits
        interval = view.network.itemInterval
        // The wait before the first byte and the wait after the last byte both delay a picture.
        latency = view.network.latency + view.network.overhead
        transfer = view.network.itemBytes / view.network.bandwidth
        slowFrom = min(course.time(toSlowTo: options.legibleSpeed), course.duration)
        end = course.duration + habits.rest
    }

    /// Adds the items in `band`, in the order in which they come into view.
    mutating func add(in band: Range<Double>) {
        let (items, frames) = view.layout.placedItems(in: band)
        for place in frames.indices {
            let place = course.direction > 0 ? place : frames.count - 1 - place
            add(items.lowerBound + place, frames[place])
        }
    }

    private mutating func add(_ item: Int, _ frame: Frame) {
        guard !view.isSettled(item) else { return }
        if latest?.y != frame.y || latest?.height != frame.height {
            latest = (frame.y, frame.height, moments(of: frame))
        }
        guard let (from, to) = latest?.seen else { return }
        let task = view.task(item)
        let running = task?.started != nil
        let weight = task?.bytes.map { $0 / view.network.itemBytes } ?? 1
        let cost = interval * weight * (1 - (task?.fraction ?? 0))
        if let last = entries.indices.last, entries[last].from == from, entries[last].to == to,
            entries[last].isRunning == running
        {
            entries[last].items.append(item)
            entries[last].cost += cost
        } else {
            entries.append(Entry(items: [item], from: from, to: to, cost: cost, isRunning: running))
        }
    }

    /// Returns when a frame comes into view and when it leaves it, or `nil` if it has passed or probably will not be in view.
    private func moments(of frame: Frame) -> (from: Double, to: Double)? {
        let band = view.band
        let entering = course.direction > 0 ? frame.y - band.upperBound : band.lowerBound - frame.maxY
        let leaving = course.direction > 0 ? frame.maxY - band.lowerBound : band.upperBound - frame.y
        guard leaving > 0 else { return nil }
        let from = entering < 0 ? 0 : course.time(toTravel: entering)
        guard from < .infinity, course.chance(at: from) >= options.minimumPathChance else { return nil }
        return (from, course.time(toTravel: leaving))
    }

    /// Returns the total time for which the items of an entry are in view, if it arrives after `arrival` milliseconds.
    private func worth(_ entry: Entry, arrival: Double) -> Double {
        let from = max(entry.from, arrival)
        let rest = habits.rest
        // A rest lasts on average equally long however long it has lasted, so an entry that stays is worth one rest whenever it
        // arrives.
        let to = entry.to < .infinity ? min(entry.to, end) : max(from, slowFrom) + rest
        // The movement may end while the entry is in view. The entry then stays in view.
        let stopping = entry.to < .infinity ? course.chance(at: entry.from) - course.chance(at: entry.to) : 0
        let stayed = stopping * max(0, rest - max(0, arrival - (entry.from + entry.to) / 2))
        return (max(0, to - from) + stayed) * Double(entry.items.count)
    }

    /// Leaves out entries that arrive too late, and entries worth less than the delay that they inflict on later ones.
    mutating func drop() {
        // Running downloads end first, in any order.
        let order = entries.indices.filter { entries[$0].isRunning } + entries.indices.filter { !entries[$0].isRunning }
        // Transfers that run at the same time share the bandwidth: none ends before all of them are nearly done.
        let count = entries.reduce(0) { $0 + $1.items.count }
        let together = Double(min(count, view.network.concurrency)) * transfer
        var punctual = PunctualItems(order.map { entries[$0] }, together: together, latency: latency)
        var start = 0.0
        var saved = 0.0
        var isKept = [Bool](repeating: true, count: entries.count)
        for (place, number) in order.enumerated() {
            let entry = entries[number]
            punctual.begin(place, saved: saved)
            let arrival =
                max(start + entry.cost, entry.isRunning ? entry.cost : together)
                + (entry.isRunning ? latency - view.network.latency / 2 : latency)
            let worth = worth(entry, arrival: arrival)
            // Entries that stay in view are never dropped: they would only arrive later.
            let mayWait = worth > 0 && entry.to < .infinity
            if worth <= (mayWait ? Double(punctual.count) * entry.cost : 0) {
                isKept[number] = false
                saved += entry.cost
            } else {
                start += entry.cost
            }
        }
        dropped = entries.indices.lazy.filter { !isKept[$0] }.map { entries[$0] }
        entries = entries.indices.lazy.filter { isKept[$0] }.map { entries[$0] }
    }
}
