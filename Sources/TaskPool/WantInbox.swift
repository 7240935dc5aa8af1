/// Wants that the core has not read yet: the latest list of each session, in the order in which they arrived first.
package struct WantInbox<Key: Hashable & Sendable>: Sendable {
    package struct PendingWants: Sendable {
        package var session: SessionID
        /// Whether the session ended before it sent ``wants``.
        package var hasEnded = false
        /// The latest list, or `nil` if the session sent none since it ended.
        package var wants: [PoolWant<Key>]?
    }

    private var pending: [PendingWants] = []
    private var places: [SessionID: Int] = [:]

    package init() {}

    /// Replaces the session's list.
    ///
    /// - Returns: whether the inbox was empty, so that the caller has to start a task that empties it.
    package mutating func put(_ wants: [PoolWant<Key>], of session: SessionID) -> Bool {
        change(session) { $0.wants = wants }
    }

    /// Records that a session ended.
    ///
    /// - Returns: the same as ``put(_:of:)``.
    package mutating func end(_ session: SessionID) -> Bool {
        change(session) { word in
            word.hasEnded = true
            word.wants = nil
        }
    }

    private mutating func change(_ session: SessionID, _ body: (inout PendingWants) -> Void) -> Bool {
        if let place = places[session] {
            body(&pending[place])
            return false
        }
        places[session] = pending.count
        pending.append(PendingWants(session: session))
        body(&pending[pending.count - 1])
        return pending.count == 1
    }

    package mutating func takeAll() -> [PendingWants] {
        guard !pending.isEmpty else { return [] }
        defer {
            pending = []
            places.removeAll(keepingCapacity: true)
        }
        return pending
    }
}
