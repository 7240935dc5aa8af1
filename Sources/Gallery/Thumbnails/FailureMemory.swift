import BoundedCache
import Synchronization

/// Pictures known to be missing or broken, so that nobody asks for them again and again.
///
/// A cache of facts about pictures, shared by all sessions. What became of an item in one session is in its `ItemLedger`.
final class FailureMemory: Sendable {
    private struct Entry {
        var failure: ItemFailure
        /// Milliseconds.
        var until: Double
    }

    private let entries: Mutex<BoundedCache<String, Entry>>

    /// - Parameter capacity: pictures remembered; the oldest are forgotten first. 0 remembers none.
    init(capacity: Int) { entries = Mutex(BoundedCache(limit: capacity)) }

    var count: Int { entries.withLock { $0.count } }

    /// - Parameters:
    ///   - identity: what the picture's content is known by.
    ///   - lifetime: milliseconds to believe it.
    ///   - now: milliseconds, of any clock that does not run backwards.
    func note(_ identity: String, _ failure: ItemFailure, for lifetime: Double, now: Double) {
        guard lifetime > 0 else { return }
        entries.withLock { $0.insert(Entry(failure: failure, until: now + lifetime), for: identity) }
    }

    /// Lets a picture be tried again, because a person asks for it.
    func forget(_ identity: String) { entries.withLock { _ = $0.remove(identity) } }

    /// Why there is no picture, where that is still believed.
    func failure(of identity: String, now: Double) -> ItemFailure? {
        entries.withLock { entries in
            guard let entry = entries[identity] else { return nil }
            if now < entry.until { return entry.failure }
            entries.remove(identity)
            return nil
        }
    }
}
