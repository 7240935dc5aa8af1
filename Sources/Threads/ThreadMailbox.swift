import Synchronization

/// Carries letters to a thread that waits in a C loop, and wakes it. Letters are taken in the order in which they were sent.
package final class ThreadMailbox<Letter: Sendable>: Sendable {
    private struct State: Sendable {
        var letters: [Letter] = []
        /// The loop to wake, as a number: a pointer is not `Sendable`. It is used only under the lock and only while
        /// open, and the loop is destroyed only after `close`. 0: closed.
        var loop: UInt
        var stopped: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let wake: @Sendable (OpaquePointer) -> Void

    /// - Parameters:
    ///   - loop: must live until ``close()``.
    ///   - wake: called under a lock, with the loop: must not wait, and must not call the mailbox.
    package init(loop: OpaquePointer, wake: @escaping @Sendable (OpaquePointer) -> Void) {
        state = Mutex(State(loop: UInt(bitPattern: loop)))
        self.wake = wake
    }

    /// Returns `false` where the mailbox is closed and nobody will read the letter.
    package func send(_ letter: Letter) -> Bool {
        state.withLock { state in
            guard let loop = OpaquePointer(bitPattern: state.loop) else { return false }
            // One wake for as many letters as come before the loop looks.
            if state.letters.isEmpty { wake(loop) }
            state.letters.append(letter)
            return true
        }
    }

    /// Returns the letters that have come since it was last called.
    package func take() -> [Letter] {
        state.withLock { state in
            defer { state.letters = [] }
            return state.letters
        }
    }

    /// Sends `letter`, and resumes `continuation` once the loop is gone; at once if it is gone already.
    package func stop(by letter: Letter, _ continuation: CheckedContinuation<Void, Never>) {
        let isClosed = state.withLock { state in
            guard state.loop != 0 else { return true }
            state.stopped.append(continuation)
            return false
        }
        if isClosed { continuation.resume() } else { _ = send(letter) }
    }

    /// Accepts nothing from now on. Returns what was never read, and who waits for the end.
    package func close() -> (unread: [Letter], waiting: [CheckedContinuation<Void, Never>]) {
        state.withLock { state in
            defer { (state.loop, state.letters, state.stopped) = (0, [], []) }
            return (state.letters, state.stopped)
        }
    }
}
