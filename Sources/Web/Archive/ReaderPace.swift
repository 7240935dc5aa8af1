/// How quickly a reader takes what is sent to it, while it is waited for: a slow disk or origin does not count against it.
/// Times are nanoseconds of any clock that never goes back.
package struct ReaderPace: Sendable {
    /// Bytes a second that a reader takes at least.
    static let least = 64 << 10
    /// Time that a reader is waited for until it is judged, and again after as long.
    package static let window: Int64 = 60_000_000_000

    /// Since it was last judged.
    private var bytes = 0
    private var waited: Int64 = 0
    private var waitingSince: Int64?

    package init() {}

    /// Something was handed to the reader.
    package mutating func waits(at now: Int64) { waitingSince = waitingSince ?? now }

    /// The reader has taken so many bytes, and nothing is left. Those of which something is left do not count yet: a reader
    /// may seem slower than it is by a part of what it is handed at once.
    package mutating func took(_ count: Int, at now: Int64) {
        settle(at: now)
        waitingSince = nil
        bytes += count
    }

    /// Judges the reader once it was waited for long enough.
    ///
    /// - Returns: whether it took less than ``least``.
    package mutating func isTooSlow(at now: Int64) -> Bool {
        settle(at: now)
        guard waited >= Self.window else { return false }
        defer { (bytes, waited) = (0, 0) }
        return Double(bytes) < Double(Self.least) * Double(waited) / 1e9
    }

    private mutating func settle(at now: Int64) {
        guard let since = waitingSince else { return }
        waited += max(0, now - since)
        waitingSince = max(now, since)
    }
}
