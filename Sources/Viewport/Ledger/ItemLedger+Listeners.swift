/// The sent pictures and failures that one listener lacks.
struct MissedItems: Sendable {
    let listener: Int
    /// Items whose whole picture it lacks: it was behind when they were sent.
    var owed: Set<Int> = []
    /// Pictures and failures that were sent before it came.
    var backlog = Backlog()
    /// Those of both that are being looked for.
    var resending: [Int] = []

    mutating func remove(_ item: Int) {
        owed.remove(item)
        backlog.remove(item)
    }

    mutating func removeAll() {
        owed = []
        backlog = Backlog()
    }
}

// Listeners. A picture that a listener is owed is ready: what is forgotten is made and sent to all of them again.
extension ItemLedger {
    /// - Returns: the number of the listener, which has got everything so far.
    package mutating func addListener() -> Int {
        lastListener += 1
        missed.append(MissedItems(listener: lastListener))
        return lastListener
    }

    /// - Returns: the items that were not sent to it, in order, and those whose whole picture it was owed.
    package mutating func removeListener(_ listener: Int) -> (unsent: [Int], owed: Set<Int>) {
        guard let index = index(of: listener) else { return ([], []) }
        let missed = missed.remove(at: index)
        return (missed.resending + missed.backlog.all, missed.owed)
    }

    /// The items sent before a listener came that it must be sent, too, in order.
    package mutating func setBacklog(_ items: [Int], of listener: Int) {
        if let index = index(of: listener) { missed[index].backlog = Backlog(items) }
    }

    /// Whether a listener is owed whole pictures.
    package func owesPictures(to listener: Int) -> Bool {
        missed.contains { $0.listener == listener && !$0.owed.isEmpty }
    }

    /// The first items of a range whose whole picture a listener is owed.
    package func owed(to listener: Int, in range: Range<Int>, most count: Int) -> [Int] {
        guard let index = index(of: listener), !missed[index].owed.isEmpty else { return [] }
        let owed = missed[index].owed
        return Array(range.lazy.filter(owed.contains).prefix(count))
    }

    /// A listener has not got the whole pictures of these items. Those that are not ready are left out.
    package mutating func owe(_ items: some Sequence<Int>, to listener: Int) {
        guard let index = index(of: listener) else { return }
        for item in items where self[item] == .ready { missed[index].owed.insert(item) }
    }

    /// A listener was sent an item's picture: the whole one, or the small tier and is owed the whole one.
    package mutating func delivered(_ item: Int, whole: Bool, to listener: Int) {
        guard let index = index(of: listener) else { return }
        missed[index].remove(item)
        if !whole { owe([item], to: listener) }
    }

    /// Takes the next items out of a listener's backlog; where it is empty, `owed` out of what it is owed.
    ///
    /// - Returns: the items to look for, and whether they were owed.
    package mutating func beginResending(
        to listener: Int, most count: Int, owed: [Int]
    ) -> (items: [Int], areOwed: Bool) {
        guard let index = index(of: listener) else { return ([], false) }
        var items = missed[index].backlog.take(count)
        let areOwed = items.isEmpty
        if areOwed {
            items = owed
            missed[index].owed.subtract(owed)
        }
        missed[index].resending = items
        return (items, areOwed)
    }

    /// Items that were being looked for are now sent to a listener.
    package mutating func endResending(to listener: Int) {
        if let index = index(of: listener) { missed[index].resending = [] }
    }

    private func index(of listener: Int) -> Int? { missed.firstIndex { $0.listener == listener } }
}
