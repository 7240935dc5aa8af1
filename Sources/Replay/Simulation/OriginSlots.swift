import DequeModule

/// The slots of an origin: requests beyond them wait their turn, first come, first served.
struct OriginSlots {
    private let count: Int
    private var served: Set<Int> = []
    private var queue = Deque<(item: Int, turn: Int)>()
    /// Those that wait, by item. Who has left stays in the queue until their turn.
    private var turns: [Int: Int] = [:]
    private var lastTurn = 0

    init(count: Int) { self.count = count }

    /// - Returns: whether the request is served at once.
    mutating func take(_ item: Int) -> Bool {
        guard served.count >= count else {
            served.insert(item)
            return true
        }
        lastTurn += 1
        turns[item] = lastTurn
        queue.append((item, lastTurn))
        return false
    }

    /// A request has ended, whole or not.
    ///
    /// - Returns: the request whose turn it is.
    mutating func leave(_ item: Int) -> Int? {
        guard served.remove(item) != nil else {
            turns[item] = nil
            return nil
        }
        while let next = queue.popFirst() {
            guard turns[next.item] == next.turn else { continue }
            turns[next.item] = nil
            served.insert(next.item)
            return next.item
        }
        return nil
    }
}
