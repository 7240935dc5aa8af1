import BoundedCache
import Synchronization

/// Pictures known to be missing or broken, or to take too long, so that nobody requests them again and again.
///
/// Failures caused by the picture itself are remembered for all sizes, others for one class of sizes. A time-out
/// is valid for a minute, and for twice as long after each further time-out, up to an hour.
///
/// A cache of facts about pictures, shared by all sessions. A session's `ItemLedger` has the results of its items.
package final class FailureMemory: Sendable {
    private struct Subject: Hashable {
        var content: String
        var sizeClass: Int?
    }

    private struct Entry {
        var failure: ItemFailure
        /// When the failure was noted, in milliseconds. `until` is when it expires.
        var since: Double
        var until: Double
        /// Number of time-outs in a row.
        var timeouts = 0
    }

    /// How long a first time-out is valid, and the maximum for any time-out, in milliseconds.
    static let shortest = 60_000.0
    static let longest = 3_600_000.0

    private let entries: Mutex<BoundedCache<Subject, Entry>>

    /// - Parameter capacity: Number of pictures remembered. The oldest are forgotten first. 0 remembers none.
    package init(capacity: Int) { entries = Mutex(BoundedCache(limit: capacity)) }

    package var count: Int { entries.withLock { $0.count } }

    /// - Parameters:
    ///   - sizeClass: Class of the sizes that failed, or `nil` for all sizes.
    ///   - lifetime: How long the failure is valid, in milliseconds.
    ///   - now: The present, in milliseconds, from any clock that does not run backwards.
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

    /// - Returns: how long the failure is valid, in milliseconds.
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

    /// Forgets a failure, because the picture was rendered at a size of this class.
    package func succeeded(_ content: String, at sizeClass: Int) {
        entries.withLock { _ = $0.remove(Subject(content: content, sizeClass: sizeClass)) }
    }

    /// Allows a retry of a picture, because a person requested it. If a failure may go away on its own, the retry is allowed only a
    /// minute after the failure.
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

    /// Returns why there is no picture, if a remembered failure is still valid.
    package func failure(of content: String, at sizeClass: Int? = nil, now: Double) -> ItemFailure? {
        entries.withLock { entries in
            for sizeClass in sizeClass == nil ? [nil] : [nil, sizeClass] {
                let subject = Subject(content: content, sizeClass: sizeClass)
                guard let entry = entries[subject] else { continue }
                if now < entry.until {
                    return entry.failure.retryable
                        ? entry.failure.retried(afterMilliseconds: entry.until - now) : entry.failure
                }
                // Keep the number of time-outs. It determines how long the next time-out is valid.
                if entry.timeouts == 0 { entries.remove(subject) }
            }
            return nil
        }
    }
}

/// Limits of the memory about missing, broken and known pictures, and of downloads not rendered yet.
public struct PictureMemorySettings: Sendable {
    public var maxFailures = 10_000
    /// Lifetimes are in seconds.
    public var missingLifetime = 600.0
    public var goneLifetime = 86_400.0
    public var brokenLifetime = 3_600.0
    /// Age in seconds after which the host is asked whether a thumbnail is current, if the host gave no lifetime. 0 means never,
    /// whatever lifetime the host gave.
    public var revalidateAfter = 86_400.0
    public var unrenderedMemory = 16 << 20
    public var knownItems = 200_000
    /// Minimum number of remaining bytes for which the download of a progressive JPEG is ended early, once it is good enough.
    public var earlyStopSaving = 64 << 10

    public init() {}
}
