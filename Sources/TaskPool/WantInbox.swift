/// Lists of wants that nobody has looked at yet: the latest of each session, in the order in which the sessions came.
struct WantInbox<Key: Hashable & Sendable>: Sendable {
    private var lists: [(session: SessionID, wants: [PoolWant<Key>])] = []
    private var places: [SessionID: Int] = [:]

    /// Puts a list down in place of the session's last one.
    ///
    /// - Returns: whether it is the first, so that somebody has to be sent for it.
    mutating func put(_ wants: [PoolWant<Key>], of session: SessionID) -> Bool {
        if let place = places[session] {
            lists[place].wants = wants
            return false
        }
        places[session] = lists.count
        lists.append((session, wants))
        return lists.count == 1
    }

    /// Takes everything out.
    mutating func takeAll() -> [(session: SessionID, wants: [PoolWant<Key>])] {
        guard !lists.isEmpty else { return [] }
        defer {
            lists = []
            places.removeAll(keepingCapacity: true)
        }
        return lists
    }
}
