/// How quickly a reader takes what is sent to it, while it is waited for: a slow disk or origin does not count against it.
package struct ReaderPace: Sendable {
    /// Bytes a second that a reader takes at least.
    static let least = 64 << 10
    /// Time that a reader is waited for until it is judged, and again after as long.
    package static let window = Duration.seconds(60)

    /// Since it was last judged.
    private var bytes = 0
    private var waited = Duration.zero
    private var waitingSince: ContinuousClock.Instant?

    package init() {}

    /// Something was handed to the reader.
    package mutating func waits(at now: ContinuousClock.Instant) { waitingSince = waitingSince ?? now }

    /// The reader has taken so many bytes, and nothing is left. Those of which something is left do not count yet: a reader
    /// may seem slower than it is by a part of what it is handed at once.
    package mutating func took(_ count: Int, at now: ContinuousClock.Instant) {
        settle(at: now)
        waitingSince = nil
        bytes += count
    }

    /// Judges the reader once it was waited for long enough.
    ///
    /// - Returns: whether it took less than ``least``.
    package mutating func isTooSlow(at now: ContinuousClock.Instant) -> Bool {
        settle(at: now)
        guard waited >= Self.window else { return false }
        defer { (bytes, waited) = (0, .zero) }
        return Double(bytes) < Double(Self.least) * (waited / .seconds(1))
    }

    private mutating func settle(at now: ContinuousClock.Instant) {
        guard let since = waitingSince else { return }
        waited += max(.zero, now - since)
        waitingSince = max(now, since)
    }
}
