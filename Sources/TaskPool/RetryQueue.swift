import HeapModule

/// Tasks that wait for a retry, by time.
struct RetryQueue: Sendable {
    private var heap = Heap<Entry>()

    struct Entry: Comparable, Sendable {
        /// Time of the retry, in milliseconds.
        var until: Double
        /// Distinguishes a task from a later one in the same slot.
        var serial: UInt64
        var slot: Int32

        static func < (a: Entry, b: Entry) -> Bool { (a.until, a.serial) < (b.until, b.serial) }
    }

    /// Earliest time in the queue, in milliseconds. Its entry may be obsolete.
    var until: Double? { heap.min?.until }

    mutating func push(_ entry: Entry) { heap.insert(entry) }

    /// Returns the earliest valid entry. Removes the invalid entries before it.
    mutating func first(where holds: (Entry) -> Bool) -> Entry? {
        while let entry = heap.min {
            if holds(entry) { return entry }
            heap.removeMin()
        }
        return nil
    }

    mutating func removeFirst() { heap.removeMin() }
}
