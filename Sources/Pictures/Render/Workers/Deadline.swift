import Glibc

/// A moment on the monotonic clock.
struct Deadline {
    private let end: ContinuousClock.Instant

    init(_ left: Duration) { end = .now + left }
    init(seconds: Double) { self.init(.seconds(max(0, min(seconds, 86_400)))) }

    /// Waits until the descriptor is ready, or gone; false when the moment passes first.
    func wait(for events: Int32, on descriptor: Int32) -> Bool {
        while true {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { return false }
            let milliseconds = left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
            var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let ready = poll(&entry, 1, Int32(clamping: milliseconds))
            if ready > 0 { return true }
            if ready < 0, errno != EINTR { return true }
        }
    }
}
