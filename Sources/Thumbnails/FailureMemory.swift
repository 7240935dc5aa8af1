import BoundedCache
import Synchronization

/// Pictures known to be missing or broken, or to take too long, so that nobody asks for them again and again.
///
/// Faults of the picture itself are remembered for all sizes, others for sizes of one class. A time-out
/// is believed for a minute, and twice as long each time that another follows, up to an hour.
///
/// A cache of facts about pictures, shared by all sessions. What became of an item in one session is in its `ItemLedger`.
package final class FailureMemory: Sendable {
    private struct Subject: Hashable {
        var content: String
        var sizeClass: Int?
    }

    private struct Entry {
        var failure: ItemFailure
        /// Milliseconds.
        var since: Double
        var until: Double
        /// Time-outs in a row.
        var timeouts = 0
    }

    /// Milliseconds for which a first time-out is believed, and the longest for which any is.
    static let shortest = 60_000.0
    static let longest = 3_600_000.0

    private let entries: Mutex<BoundedCache<Subject, Entry>>

    /// - Parameter capacity: pictures remembered; the oldest are forgotten first. 0 remembers none.
    package init(capacity: Int) { entries = Mutex(BoundedCache(limit: capacity)) }

    package var count: Int { entries.withLock { $0.count } }

    /// - Parameters:
    ///   - content: what the picture's content is known by.
    ///   - sizeClass: of the sizes that it is about; `nil` for all.
    ///   - lifetime: milliseconds to believe it.
    ///   - now: milliseconds, of any clock that does not run backwards.
    package func note(
        _ content: String, at sizeClass: Int? = nil, _ failure: ItemFailure, for lifetime: Double, now: Double
    ) {
        guard lifetime > 0 else { return }
        let subject = Subject(content: content, sizeClass: sizeClass)
        entries.withLock { entries in
            let timeouts = entries[subject]?.timeouts ?? 0
            entries.insert(Entry(failure: failure, since: now, until: now + lifetime, timeouts: timeouts), for: subject)
        }
    }

    /// Notes that a picture took too long.
    ///
    /// - Returns: milliseconds to believe it.
    package func noteTimeout(_ content: String, at sizeClass: Int, _ failure: ItemFailure, now: Double) -> Double {
        let subject = Subject(content: content, sizeClass: sizeClass)
        return entries.withLock { entries in
            let before = entries[subject].map { now < $0.until + Self.longest ? $0.timeouts : 0 } ?? 0
            let lifetime = min(Self.longest, Self.shortest * Double(1 << min(before, 10)))
            entries.insert(
                Entry(failure: failure, since: now, until: now + lifetime, timeouts: before + 1), for: subject)
            return lifetime
        }
    }

    /// Whether the latest try at sizes of a class took too long.
    package func hasTimedOut(_ content: String, at sizeClass: Int) -> Bool {
        entries.withLock { $0[Subject(content: content, sizeClass: sizeClass)]?.timeouts ?? 0 > 0 }
    }

    /// The picture was made at a size of this class.
    package func succeeded(_ content: String, at sizeClass: Int) {
        entries.withLock { _ = $0.remove(Subject(content: content, sizeClass: sizeClass)) }
    }

    /// Lets a picture be tried again, because a person asks for it; one that may go better by itself no sooner than a minute
    /// after it failed.
    package func forget(_ content: String, at sizeClass: Int, now: Double) {
        entries.withLock { entries in
            entries.remove(Subject(content: content))
            let subject = Subject(content: content, sizeClass: sizeClass)
            guard var entry = entries[subject], !entry.failure.retryable || now >= entry.since + Self.shortest else {
                return
            }
            entry.until = min(entry.until, now)
            entries.replace(entry, for: subject)
        }
    }

    /// Why there is no picture, where that is still believed.
    package func failure(of content: String, at sizeClass: Int? = nil, now: Double) -> ItemFailure? {
        entries.withLock { entries in
            for sizeClass in sizeClass == nil ? [nil] : [nil, sizeClass] {
                let subject = Subject(content: content, sizeClass: sizeClass)
                guard let entry = entries[subject] else { continue }
                if now < entry.until {
                    return entry.failure.retryable
                        ? entry.failure.retried(afterMilliseconds: entry.until - now) : entry.failure
                }
                // How often it took too long tells how long to believe the next time.
                if entry.timeouts == 0 { entries.remove(subject) }
            }
            return nil
        }
    }
}

/// Limits of the memory of pictures that are missing, broken, known, or arrived after they were no longer wanted.
public struct PictureMemorySettings: Sendable {
    public var maxFailures = 10_000
    /// Lifetimes are in seconds.
    public var missingLifetime = 600.0
    public var goneLifetime = 86_400.0
    public var brokenLifetime = 3_600.0
    /// Age in seconds after which a host is asked whether a thumbnail is current, if the host gave no lifetime. 0 means never,
    /// whatever lifetime the host gave.
    public var revalidateAfter = 86_400.0
    public var unrenderedMemory = 16 << 20
    public var knownItems = 200_000
    /// Least rest of a progressive JPEG, in bytes, whose download is ended once it is good enough.
    public var earlyStopSaving = 64 << 10

    public init() {}
}
