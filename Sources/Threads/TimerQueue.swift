import HeapModule

/// Timers ordered by their due times: a value, without a clock.
package struct TimerQueue<Body> {
    package typealias ID = UInt64

    private struct Entry: Comparable {
        var time: ContinuousClock.Instant
        var id: ID

        static func < (a: Entry, b: Entry) -> Bool { (a.time, a.id) < (b.time, b.id) }
    }

    /// Entries, the earliest first. Cancelled timers stay until they are due, or until they are more than half of the entries.
    private var heap = Heap<Entry>()
    private var bodies: [ID: Body] = [:]
    private var lastID: ID = 0

    package init() {}

    package var count: Int { bodies.count }
    /// Number of entries, including cancelled timers.
    package var heldCount: Int { heap.count }

    package mutating func add(at time: ContinuousClock.Instant, _ body: Body) -> ID {
        lastID += 1
        bodies[lastID] = body
        heap.insert(Entry(time: time, id: lastID))
        return lastID
    }

    /// - Returns: whether the timer was waiting.
    @discardableResult
    package mutating func cancel(_ id: ID) -> Bool {
        guard bodies.removeValue(forKey: id) != nil else { return false }
        if heap.count > 2 * bodies.count + 64 {
            heap.removeAll { bodies[$0.id] == nil }
        }
        return true
    }

    /// Returns when the first timer is due, or `nil` if there is none.
    package mutating func next() -> ContinuousClock.Instant? {
        while let first = heap.min, bodies[first.id] == nil { heap.removeMin() }
        return heap.min?.time
    }

    /// Removes and returns the first timer if it is due at `time`.
    package mutating func popFirst(until time: ContinuousClock.Instant) -> Body? {
        guard let due = next(), due <= time, let first = heap.min else { return nil }
        heap.removeMin()
        return bodies.removeValue(forKey: first.id)
    }

    mutating func removeAll() {
        heap = Heap()
        bodies = [:]
    }
}
