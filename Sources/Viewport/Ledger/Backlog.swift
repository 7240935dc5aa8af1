/// Items to send to one listener, in order.
struct Backlog: Sendable {
    /// The next one last.
    private var order: [Int] = []
    private var items: Set<Int> = []

    init(_ items: [Int] = []) {
        order = items.reversed()
        self.items = Set(items)
    }

    var isEmpty: Bool { items.isEmpty }

    /// Those left, the next one first.
    var all: [Int] { order.reversed().filter(items.contains) }

    /// Takes out an item that was sent by other means, or forgotten.
    mutating func remove(_ item: Int) {
        if items.remove(item) != nil, items.isEmpty { order = [] }
    }

    /// Takes the next ones, at most so many.
    mutating func take(_ count: Int) -> [Int] {
        var taken: [Int] = []
        while taken.count < count, let item = order.popLast() {
            if items.remove(item) != nil { taken.append(item) }
        }
        return taken
    }
}
