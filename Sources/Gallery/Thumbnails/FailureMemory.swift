import Synchronization

/// Pictures known to be missing or broken, so that nobody asks for them again and again.
///
/// A cache of facts about pictures, shared by all sessions. What became of an item in one session is in its `ItemLedger`.
final class FailureMemory: Sendable {
    private struct Entry {
        var failure: ItemFailure
        /// Milliseconds.
        var until: Double
        var serial: UInt64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// In the order in which they came; those whose serial is not current are skipped.
        var order: [(identity: String, serial: UInt64)] = []
        var head = 0
        var serial: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    /// - Parameter capacity: pictures remembered; the oldest are forgotten first. 0 remembers none.
    init(capacity: Int) { self.capacity = max(0, capacity) }

    var count: Int { state.withLock { $0.entries.count } }

    /// - Parameters:
    ///   - identity: what the picture's content is known by.
    ///   - lifetime: milliseconds to believe it.
    ///   - now: milliseconds, of any clock that does not run backwards.
    func note(_ identity: String, _ failure: ItemFailure, for lifetime: Double, now: Double) {
        guard lifetime > 0 else { return }
        state.withLock { state in
            state.serial += 1
            state.entries[identity] = Entry(failure: failure, until: now + lifetime, serial: state.serial)
            state.order.append((identity, state.serial))
            while state.entries.count > capacity, state.head < state.order.count {
                let oldest = state.order[state.head]
                if state.entries[oldest.identity]?.serial == oldest.serial { state.entries[oldest.identity] = nil }
                state.head += 1
            }
            if state.order.count > 2 * state.entries.count + 1_024 {
                state.order = state.order[state.head...].filter { state.entries[$0.identity]?.serial == $0.serial }
                state.head = 0
            }
        }
    }

    /// Lets a picture be tried again, because a person asks for it.
    func forget(_ identity: String) { state.withLock { $0.entries[identity] = nil } }

    /// Why there is no picture, where that is still believed.
    func failure(of identity: String, now: Double) -> ItemFailure? {
        state.withLock { state in
            guard let entry = state.entries[identity] else { return nil }
            if now < entry.until { return entry.failure }
            state.entries[identity] = nil
            return nil
        }
    }
}
