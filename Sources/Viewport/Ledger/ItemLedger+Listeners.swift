/// Sent pictures and failures that one listener has not received.
struct MissedItems: Sendable {
    let listener: Int
    /// Items whose whole picture is pending, because the listener was behind when the picture was sent.
    var pending: Set<Int> = []
    /// Pictures and failures that were sent before the listener connected.
    var backlog = Backlog()
    /// Items of `pending` and `backlog` that are being looked up.
    var resending: [Int] = []

    mutating func remove(_ item: Int) {
        pending.remove(item)
        backlog.remove(item)
    }

    mutating func removeAll() {
        pending = []
        backlog = Backlog()
    }
}

// Listeners. An item whose whole picture is pending for a listener is always ready. A forgotten item is rendered and sent to
// all listeners again.
extension ItemLedger {
    /// Adds a listener that has received everything so far.
    package mutating func addListener() -> Int {
        lastListener += 1
        missed.append(MissedItems(listener: lastListener))
        return lastListener
    }

    /// Removes a listener.
    ///
    /// - Returns: the items that were not sent to the listener, in order, and the items whose whole picture was pending.
    package mutating func removeListener(_ listener: Int) -> (unsent: [Int], pending: Set<Int>) {
        guard let index = index(of: listener) else { return ([], []) }
        let missed = missed.remove(at: index)
        return (missed.resending + missed.backlog.all, missed.pending)
    }

    /// Sets the items that were sent before a listener connected and must be sent to it, too, in order.
    package mutating func setBacklog(_ items: [Int], of listener: Int) {
        if let index = index(of: listener) { missed[index].backlog = Backlog(items) }
    }

    package func hasPendingPictures(to listener: Int) -> Bool {
        missed.contains { $0.listener == listener && !$0.pending.isEmpty }
    }

    /// Returns the first items of a range whose whole picture is pending for a listener.
    package func pending(to listener: Int, in range: Range<Int>, maximum count: Int) -> [Int] {
        guard let index = index(of: listener), !missed[index].pending.isEmpty else { return [] }
        let pending = missed[index].pending
        return Array(range.lazy.filter(pending.contains).prefix(count))
    }

    /// Marks the whole pictures of these items as pending for a listener. Items that are not ready are left out.
    package mutating func markPending(_ items: some Sequence<Int>, to listener: Int) {
        guard let index = index(of: listener) else { return }
        for item in items where self[item] == .ready { missed[index].pending.insert(item) }
    }

    /// Records that a listener was sent an item's picture. If only the small tier was sent, the whole picture becomes pending.
    package mutating func delivered(_ item: Int, whole: Bool, to listener: Int) {
        guard let index = index(of: listener) else { return }
        missed[index].remove(item)
        if !whole { markPending([item], to: listener) }
    }

    /// Removes the next items from a listener's backlog to look them up. If the backlog is empty, removes `pending` from the
    /// listener's pending items instead.
    ///
    /// - Returns: the items to look up, and whether they were pending.
    package mutating func beginResending(
        to listener: Int, maximum count: Int, pending: [Int]
    ) -> (items: [Int], arePending: Bool) {
        guard let index = index(of: listener) else { return ([], false) }
        var items = missed[index].backlog.take(count)
        let arePending = items.isEmpty
        if arePending {
            items = pending
            missed[index].pending.subtract(pending)
        }
        missed[index].resending = items
        return (items, arePending)
    }

    /// Records that the items being looked up were sent to a listener.
    package mutating func endResending(to listener: Int) {
        if let index = index(of: listener) { missed[index].resending = [] }
    }

    private func index(of listener: Int) -> Int? { missed.firstIndex { $0.listener == listener } }
}
