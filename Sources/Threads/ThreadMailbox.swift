import Synchronization

/// Queues messages for a thread's run loop and wakes the thread. The thread receives messages in the order in which they were
/// sent.
package final class ThreadMailbox<Message: Sendable>: Sendable {
    private struct State: Sendable {
        var messages: [Message] = []
        /// Whether the loop was woken for the queued messages.
        var isWoken = false
        var isClosed = false
        var stopped: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// `nil` once the loop may be gone. Has its own lock, because the woken thread immediately takes the lock of the messages.
    private let wake: Mutex<(@Sendable () -> Void)?>
    /// Maximum number of messages that may wait without waking the loop.
    private static var maximumUnannounced: Int { 64 }

    /// - Parameter wake: called under a lock, and never after ``close()``. Must not wait and must not call the mailbox.
    package init(wake: @escaping @Sendable () -> Void) { self.wake = Mutex(wake) }

    /// - Parameters:
    ///   - loop: a C loop, which must live until ``close()``.
    ///   - wake: called with the loop, under the same rules as in ``init(wake:)``.
    package convenience init(loop: OpaquePointer, wake: @escaping @Sendable (OpaquePointer) -> Void) {
        // Capture the address as a number, because a pointer is not `Sendable`.
        let address = UInt(bitPattern: loop)
        self.init { if let loop = OpaquePointer(bitPattern: address) { wake(loop) } }
    }

    /// - Parameter wakes: whether to wake the thread. Otherwise the thread receives the message with the next one that wakes
    ///   it, or when it checks on its own.
    /// - Returns: `false` if the mailbox is closed and nobody will read the message.
    package func send(_ message: Message, wakes: Bool = true) -> Bool {
        let (isSent, isDue) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.messages.append(message)
            // Wake once for all messages that arrive before the loop reads them.
            let isDue = !state.isWoken && (wakes || state.messages.count > Self.maximumUnannounced)
            if isDue { state.isWoken = true }
            return (true, isDue)
        }
        if isDue { wake.withLock { $0?() } }
        return isSent
    }

    /// Returns the messages that arrived since the last call.
    package func take() -> [Message] {
        state.withLock { state in
            defer { (state.messages, state.isWoken) = ([], false) }
            return state.messages
        }
    }

    /// Sends `message`. The caller of ``close()`` resumes `continuation` once the loop is gone. If the mailbox is closed,
    /// resumes it immediately.
    package func stop(by message: Message, _ continuation: CheckedContinuation<Void, Never>) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.stopped.append(continuation) }
            return state.isClosed
        }
        if isClosed { continuation.resume() } else { _ = send(message) }
    }

    /// Refuses all further messages. Returns the unread messages and the continuations of the callers that wait for the end.
    package func close() -> (unread: [Message], waiting: [CheckedContinuation<Void, Never>]) {
        wake.withLock { $0 = nil }
        return state.withLock { state in
            defer { (state.messages, state.stopped, state.isClosed) = ([], [], true) }
            return (state.messages, state.stopped)
        }
    }
}
