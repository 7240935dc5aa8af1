import CEpoll
import Glibc

/// Waits for sockets and for other threads (epoll).
///
/// One thread waits. Any thread may call the other methods. Unwatch a descriptor before it is closed: a copy of it would keep it
/// watched.
package final class EventPoll: Sendable {
    package struct Interest: Sendable, Equatable {
        fileprivate let events: UInt32

        private init(_ events: EPOLL_EVENTS...) { self.events = events.reduce(0) { $0 | $1.rawValue } }

        /// Input, reported by each wait as long as there is any. Errors and a hang-up on both sides are always reported.
        package static let input = Interest(EPOLLIN)
        /// Space for output, reported by each wait as long as there is any.
        package static let output = Interest(EPOLLOUT)
        package static let inputAndOutput = Interest(EPOLLIN, EPOLLOUT)
        /// Input, output and hang-up, each reported when it begins (edge-triggered).
        package static let changes = Interest(EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLET)
        /// The end of the peer's side, reported once.
        package static let end = Interest(EPOLLRDHUP, EPOLLONESHOT)
    }

    /// A descriptor that is ready.
    package struct Ready: Sendable {
        package let id: UInt64
        fileprivate let events: UInt32

        package var isReadable: Bool { events & EPOLLIN.rawValue != 0 }
        package var isWritable: Bool { events & EPOLLOUT.rawValue != 0 }
        /// Whether the peer has closed its side, or the connection is broken.
        package var isHungUp: Bool { events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 }
    }

    private let descriptor: Int32
    private let wakeup: Wakeup
    /// Room for the events of one wait. Used only by the thread that waits.
    nonisolated(unsafe) private let events: UnsafeMutableBufferPointer<epoll_event>
    /// Maximum number of descriptors that one wait reports.
    private static let maximumEvents = 256
    private static let wakeupID = UInt64.max

    /// `nil`, with an error number in `errno`, if the process has no descriptor left.
    package init?() {
        guard let wakeup = Wakeup() else { return nil }
        let descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.wakeup = wakeup
        self.descriptor = descriptor
        events = .allocate(capacity: Self.maximumEvents)
        guard watch(wakeup.descriptor, Self.wakeupID, .input) else { return nil }
    }

    deinit {
        close(descriptor)
        events.deallocate()
    }

    /// - Parameter id: identifies the descriptor in ``Ready``. All values but the largest are allowed.
    /// - Returns: whether the descriptor is watched. `false` if it is closed, or watched already, or the system has no memory left.
    @discardableResult
    package func watch(_ descriptor: Int32, _ id: UInt64, _ interest: Interest) -> Bool {
        control(EPOLL_CTL_ADD, descriptor, id, interest.events)
    }

    /// Changes the interest in a watched descriptor.
    ///
    /// - Returns: whether the interest is changed.
    package func change(_ descriptor: Int32, _ id: UInt64, to interest: Interest) -> Bool {
        control(EPOLL_CTL_MOD, descriptor, id, interest.events)
    }

    /// Later waits do not report the descriptor. A wait that has returned may have reported it.
    package func unwatch(_ descriptor: Int32) { _ = control(EPOLL_CTL_DEL, descriptor, 0, 0) }

    private func control(_ operation: Int32, _ watched: Int32, _ id: UInt64, _ events: UInt32) -> Bool {
        var event = epoll_event(events: events, data: epoll_data_t(u64: id))
        return epoll_ctl(descriptor, operation, watched, &event) == 0
    }

    /// Ends the current or the next wait.
    package func wake() { wakeup.signal() }

    /// Waits until a watched descriptor is ready, ``wake()`` is called, or `limit` has passed. May return early, with nothing ready.
    ///
    /// - Parameters:
    ///   - limit: rounded up to whole milliseconds. `nil` for no limit.
    ///   - ready: receives the descriptors that are ready, in place of its contents.
    /// - Returns: whether ``wake()`` was called since the last wait.
    @discardableResult
    package func wait(_ limit: Duration?, _ ready: inout [Ready]) -> Bool {
        ready.removeAll(keepingCapacity: true)
        let timeout = limit.map { max(.zero, $0).pollMilliseconds } ?? -1
        let count = epoll_wait(descriptor, events.baseAddress, Int32(events.count), timeout)
        var isWoken = false
        for event in events.prefix(max(0, Int(count))) {
            if event.data.u64 == Self.wakeupID {
                wakeup.clear()
                isWoken = true
            } else {
                ready.append(Ready(id: event.data.u64, events: event.events))
            }
        }
        return isWoken
    }
}
