import DequeModule

/// The slots of an origin. Further requests wait, first come, first served.
struct OriginSlots {
    private let count: Int
    private var served: Set<Int> = []
    private var queue = Deque<(item: Int, turn: Int)>()
    /// Waiting requests, by item. A cancelled request stays in the queue until its turn.
    private var turns: [Int: Int] = [:]
    private var lastTurn = 0

    init(count: Int) { self.count = count }

    /// - Returns: whether the request starts immediately.
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

    /// Ends a request, whole or not.
    ///
    /// - Returns: the request that starts next, if any.
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
