/// What is to be done when: a value, without a clock. Times are in nanoseconds of any clock.
struct TimerQueue<Body> {
    typealias ID = UInt64

    private struct Entry {
        var time: Int64
        var id: ID

        static func < (a: Entry, b: Entry) -> Bool { (a.time, a.id) < (b.time, b.id) }
    }

    /// A binary heap, the earliest first. Timers that were cancelled stay in it until their turn comes, or until they are
    /// more than half of it.
    private var heap: [Entry] = []
    private var bodies: [ID: Body] = [:]
    private var lastID: ID = 0

    var count: Int { bodies.count }
    /// Those that were cancelled included.
    var heldCount: Int { heap.count }

    mutating func add(at time: Int64, _ body: Body) -> ID {
        lastID += 1
        bodies[lastID] = body
        heap.append(Entry(time: time, id: lastID))
        rise(from: heap.count - 1)
        return lastID
    }

    /// - Returns: whether it had been waiting.
    @discardableResult
    mutating func cancel(_ id: ID) -> Bool {
        guard bodies.removeValue(forKey: id) != nil else { return false }
        if heap.count > 2 * bodies.count + 64 {
            heap.removeAll { bodies[$0.id] == nil }
            // Sorted, it is a heap.
            heap.sort(by: <)
        }
        return true
    }

    /// When the first timer is due.
    mutating func next() -> Int64? {
        while let first = heap.first, bodies[first.id] == nil { removeFirst() }
        return heap.first?.time
    }

    /// Takes the first timer out, where it is due.
    mutating func popFirst(until time: Int64) -> Body? {
        guard let due = next(), due <= time, let first = heap.first else { return nil }
        removeFirst()
        return bodies.removeValue(forKey: first.id)
    }

    mutating func removeAll() {
        heap = []
        bodies = [:]
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child] < heap[least] {
                least = child
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private mutating func rise(from index: Int) {
        var child = index
        while child > 0, heap[child] < heap[(child - 1) / 2] {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }
}
