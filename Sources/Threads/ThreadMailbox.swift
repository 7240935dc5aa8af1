import Synchronization

/// Carries letters to a thread that waits in a loop, and wakes it. Letters are taken in the order in which they were sent.
package final class ThreadMailbox<Letter: Sendable>: Sendable {
    private struct State: Sendable {
        var letters: [Letter] = []
        /// Whether the loop was woken for the letters that are there.
        var isWoken = false
        var isClosed = false
        var stopped: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    /// `nil` once the loop may be gone. Not under the lock of the letters: the thread that is woken takes that one at once.
    private let wake: Mutex<(@Sendable () -> Void)?>
    /// Letters that may wait unannounced.
    private static var mostUnannounced: Int { 64 }

    /// - Parameter wake: called under a lock, and not after ``close()``: must not wait, and must not call the mailbox.
    package init(wake: @escaping @Sendable () -> Void) { self.wake = Mutex(wake) }

    /// - Parameters:
    ///   - loop: of C; must live until ``close()``.
    ///   - wake: called with the loop, as in ``init(wake:)``.
    package convenience init(loop: OpaquePointer, wake: @escaping @Sendable (OpaquePointer) -> Void) {
        // As a number: a pointer is not `Sendable`.
        let address = UInt(bitPattern: loop)
        self.init { if let loop = OpaquePointer(bitPattern: address) { wake(loop) } }
    }

    /// - Parameter wakes: whether the thread is to be woken; otherwise the letter is taken with the next one that wakes it, or
    ///   when the thread looks by itself.
    /// - Returns: `false` where the mailbox is closed and nobody will read the letter.
    package func send(_ letter: Letter, wakes: Bool = true) -> Bool {
        let (isSent, isDue) = state.withLock { state in
            guard !state.isClosed else { return (false, false) }
            state.letters.append(letter)
            // One wake for as many letters as come before the loop looks.
            let isDue = !state.isWoken && (wakes || state.letters.count > Self.mostUnannounced)
            if isDue { state.isWoken = true }
            return (true, isDue)
        }
        if isDue { wake.withLock { $0?() } }
        return isSent
    }

    /// Returns the letters that have come since it was last called.
    package func take() -> [Letter] {
        state.withLock { state in
            defer { (state.letters, state.isWoken) = ([], false) }
            return state.letters
        }
    }

    /// Sends `letter`, and resumes `continuation` once the loop is gone; at once if it is gone already.
    package func stop(by letter: Letter, _ continuation: CheckedContinuation<Void, Never>) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.stopped.append(continuation) }
            return state.isClosed
        }
        if isClosed { continuation.resume() } else { _ = send(letter) }
    }

    /// Accepts nothing from now on. Returns the letters that were never read, and the tasks that wait for the end.
    package func close() -> (unread: [Letter], waiting: [CheckedContinuation<Void, Never>]) {
        wake.withLock { $0 = nil }
        return state.withLock { state in
            defer { (state.letters, state.stopped, state.isClosed) = ([], [], true) }
            return (state.letters, state.stopped)
        }
    }
}
