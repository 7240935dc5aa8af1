import HeapModule

/// Tasks that wait to be tried again, by when.
struct RestQueue: Sendable {
    private var heap = Heap<Rest>()

    struct Rest: Comparable, Sendable {
        /// Milliseconds.
        var until: Double
        /// Tells a task from a later one in the same slot.
        var serial: UInt64
        var slot: Int32

        static func < (a: Rest, b: Rest) -> Bool { (a.until, a.serial) < (b.until, b.serial) }
    }

    /// When the first rest ends, holding or not.
    var until: Double? { heap.min?.until }

    mutating func push(_ rest: Rest) { heap.insert(rest) }

    /// The rest that ends first, of those that still hold.
    mutating func first(where holds: (Rest) -> Bool) -> Rest? {
        while let rest = heap.min {
            if holds(rest) { return rest }
            heap.removeMin()
        }
        return nil
    }

    mutating func removeFirst() { heap.removeMin() }
}
