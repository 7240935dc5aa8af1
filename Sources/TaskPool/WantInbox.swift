/// Lists of wants that the core has not taken in yet: the latest of each session, in the order in which the sessions came.
package struct WantInbox<Key: Hashable & Sendable>: Sendable {
    package struct Word: Sendable {
        package var session: SessionID
        /// Whether the session ended, before it wanted anything of ``wants``.
        package var hasEnded = false
        /// The latest list; `nil` where there was none, or none since the end.
        package var wants: [PoolWant<Key>]?
    }

    private var words: [Word] = []
    private var places: [SessionID: Int] = [:]

    package init() {}

    /// Puts a list down in place of the session's last one.
    ///
    /// - Returns: whether it is the first, so that a thread has to be started for it.
    package mutating func put(_ wants: [PoolWant<Key>], of session: SessionID) -> Bool {
        change(session) { $0.wants = wants }
    }

    /// Notes that a session ended.
    ///
    /// - Returns: as ``put(_:of:)``.
    package mutating func end(_ session: SessionID) -> Bool {
        change(session) { word in
            word.hasEnded = true
            word.wants = nil
        }
    }

    private mutating func change(_ session: SessionID, _ body: (inout Word) -> Void) -> Bool {
        if let place = places[session] {
            body(&words[place])
            return false
        }
        places[session] = words.count
        words.append(Word(session: session))
        body(&words[words.count - 1])
        return words.count == 1
    }

    /// Takes everything out.
    package mutating func takeAll() -> [Word] {
        guard !words.isEmpty else { return [] }
        defer {
            words = []
            places.removeAll(keepingCapacity: true)
        }
        return words
    }
}
