/// Items whose picture was sent, with the number of the event that carried it, in the order of the events.
package struct SentItems: Sendable {
    private var ids: [Int: Int] = [:]
    /// Items in the order in which they were sent. Entries whose id is no longer current are skipped.
    private var order: [(item: Int, id: Int)] = []
    private var head = 0
    /// `order` is compacted beyond four entries an item, counting at least this number of items.
    private static let compactionFloor = 256

    package init() {}

    package var count: Int { ids.count }

    /// Returns the items sent after an event, in the order in which they were sent.
    package func items(after event: Int) -> [Int] {
        order[head...].lazy.filter { $0.id > event && ids[$0.item] == $0.id }.map(\.item)
    }

    func id(of item: Int) -> Int? { ids[item] }

    /// Records that an item was sent.
    ///
    /// - Parameter capacity: maximum number of items remembered.
    /// - Returns: the items forgotten to respect `capacity`, oldest first.
    package mutating func record(_ item: Int, id: Int, capacity: Int) -> [Int] {
        ids[item] = id
        order.append((item, id))
        var forgotten: [Int] = []
        while ids.count > capacity, head < order.count {
            let oldest = order[head]
            head += 1
            guard ids[oldest.item] == oldest.id else { continue }
            ids[oldest.item] = nil
            forgotten.append(oldest.item)
        }
        if head > 1024, head * 2 > order.count {
            order.removeFirst(head)
            head = 0
        }
        if order.count - head > 4 * max(ids.count, Self.compactionFloor) { compact() }
        return forgotten
    }

    mutating func remove(_ item: Int) { ids[item] = nil }

    private mutating func compact() {
        order = order[head...].filter { ids[$0.item] == $0.id }
        head = 0
    }
}

/// Items to send to one listener, in order.
struct Backlog: Sendable {
    /// The next item is last.
    private var order: [Int] = []
    private var items: Set<Int> = []

    init(_ items: [Int] = []) {
        order = items.reversed()
        self.items = Set(items)
    }

    var isEmpty: Bool { items.isEmpty }

    /// Remaining items, the next one first.
    var all: [Int] { order.reversed().filter(items.contains) }

    /// Removes an item that was sent separately, or was forgotten.
    mutating func remove(_ item: Int) {
        if items.remove(item) != nil, items.isEmpty { order = [] }
    }

    /// Removes and returns the next items, at most `count`.
    mutating func take(_ count: Int) -> [Int] {
        var taken: [Int] = []
        while taken.count < count, let item = order.popLast() {
            if items.remove(item) != nil { taken.append(item) }
        }
        return taken
    }
}
