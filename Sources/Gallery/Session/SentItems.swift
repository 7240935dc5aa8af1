/// The items whose picture went out to the page, with the id of the event that carried it: what the page holds.
///
/// Bounded: the page keeps at least as many of the latest pictures, so an item forgotten here is sent again when it is
/// wanted again, and one remembered here is not.
struct SentItems: Sendable {
    /// Items remembered by default. The page holds 1,200.
    static let defaultCapacity = 1000

    private var ids: [Int: Int] = [:]
    /// Items in the order they were sent; entries whose id is no longer current are skipped.
    private var order: [(item: Int, id: Int)] = []
    private var head = 0
    private(set) var capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var count: Int { ids.count }

    /// The items in the order they were sent.
    var items: [Int] { order[head...].lazy.filter { ids[$0.item] == $0.id }.map(\.item) }

    func id(of item: Int) -> Int? { ids[item] }

    /// - Returns: the items forgotten to keep the bound, oldest first.
    mutating func record(_ item: Int, id: Int, capacity: Int) -> [Int] {
        self.capacity = capacity
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
        if order.count - head > 4 * max(capacity, 1) { compact() }
        return forgotten
    }

    mutating func remove(_ item: Int) { ids[item] = nil }

    private mutating func compact() {
        order = order[head...].filter { ids[$0.item] == $0.id }
        head = 0
    }
}
