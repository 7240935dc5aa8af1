import CEpoll
import Glibc

/// Wakes a thread that waits for descriptors (eventfd).
package final class Wakeup: Sendable {
    /// Readable from ``signal()`` until ``clear()``.
    package let descriptor: Int32

    /// `nil`, with an error number in `errno`, if the process has no descriptor left.
    package init?() {
        let descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        if descriptor < 0 { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable. May be called from any thread, and never waits. The write fails only if the counter is full. The
    /// descriptor is readable then as well.
    package func signal() { eventfd_write(descriptor, 1) }

    /// Discards the signals received so far. A signal during the call may count as one of them, so clear the signals before
    /// reading the state that they announce.
    package func clear() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    package var isSignalled: Bool { wait(0) }

    /// - Parameter milliseconds: maximum wait. -1 means no limit.
    /// - Returns: whether there is a signal. It stays until ``clear()``.
    package func wait(_ milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
