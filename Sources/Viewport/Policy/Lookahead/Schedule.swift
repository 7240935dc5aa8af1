/// Items that could be fetched, in the order they are needed, with the time each would come in that order.
package struct Schedule {
    /// Items that are seen over the same time: a row, or a part of one.
    package struct Entry {
        package var items: [Int]
        /// When they come into view and when they leave it, in milliseconds from now; `to` may be infinite.
        package var from: Double
        package var to: Double
        /// How long the network needs for them, in milliseconds.
        package var cost: Double
        /// Whether they are being fetched already.
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
    /// The entries left out by ``drop()``.
    private(set) var dropped: [Entry] = []
    /// The latest frame that was looked at, and when it is seen: the cells of a row are seen together.
    private var latest: (y: Double, height: Double, seen: (from: Double, to: Double)?)?

    private let options: LookaheadOptions
    private let view: PolicyView
    private let course: Course
    private let habits: Habits
    private let interval: Double
    private let latency: Double
    private let transfer: Double
    /// When the content will be slow enough to be looked at, and when that will be over.
    private let slowFrom: Double
    private let end: Double

    init(_ options: LookaheadOptions, _ view: PolicyView, _ course: Course, _ habits: Habits) {
        self.options = options
        self.view = view
        self.course = course
        self.habits = habits
        interval = view.network.itemInterval
        // Waits before the first byte and after the last delay a picture alike.
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

    /// When a frame comes into view and when it leaves it; nil where it hardly will.
    private func moments(of frame: Frame) -> (from: Double, to: Double)? {
        let band = view.band
        let entering = course.direction > 0 ? frame.y - band.upperBound : band.lowerBound - frame.maxY
        let leaving = course.direction > 0 ? frame.maxY - band.lowerBound : band.upperBound - frame.y
        guard leaving > 0 else { return nil }
        let from = entering < 0 ? 0 : course.time(toTravel: entering)
        guard from < .infinity, course.chance(at: from) >= options.leastPathChance else { return nil }
        return (from, course.time(toTravel: leaving))
    }

    /// The value of an entry, item by item, when it comes after `arrival` milliseconds: the time it is in view.
    private func worth(_ entry: Entry, arrival: Double) -> Double {
        let from = max(entry.from, arrival)
        let rest = habits.rest
        // Rests last as long as they last, however long they have lasted: what stays is worth a rest whenever it comes.
        let to = entry.to < .infinity ? min(entry.to, end) : max(from, slowFrom) + rest
        // The movement may end while the entry is in view, which then stays.
        let stopping = entry.to < .infinity ? course.chance(at: entry.from) - course.chance(at: entry.to) : 0
        let stayed = stopping * max(0, rest - max(0, arrival - (entry.from + entry.to) / 2))
        return (max(0, to - from) + stayed) * Double(entry.items.count)
    }

    /// Leaves out what comes too late, and what is worth less than the delay it inflicts on what comes after.
    mutating func drop() {
        // Running downloads come first, in any order.
        let order = entries.indices.filter { entries[$0].isRunning } + entries.indices.filter { !entries[$0].isRunning }
        // Transfers that run at once share the bandwidth: none comes before all of them have nearly come.
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
            // Items that stay are never given up: they would only come later.
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
