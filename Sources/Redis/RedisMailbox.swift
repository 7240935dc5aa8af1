import CHiredis
import Synchronization

/// What other threads hand to the client's thread.
final class RedisMailbox: Sendable {
    enum Letter: Sendable {
        case command(RedisCommand, server: Int, RedisCommand.Completion)
        case call(@Sendable () -> Void)
        /// Where a link's server is, as a number; `nil` where that is not known.
        case resolved(link: Int, (host: String, port: UInt16)?)
        case stop
    }

    private struct State: Sendable {
        var letters: [Letter] = []
        /// The loop to wake, as a number: a pointer is not `Sendable`. It is used only under the lock and only while
        /// open, and the loop is destroyed only after `close`. 0: closed.
        var loop: UInt
        var stopped: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(loop: UInt) { state = Mutex(State(loop: loop)) }

    /// False when the client is shut down and nobody will read the letter.
    func send(_ letter: Letter) -> Bool {
        state.withLock { state in
            guard let loop = OpaquePointer(bitPattern: state.loop) else { return false }
            // One wake for as many letters as come before the loop looks.
            if state.letters.isEmpty { chiredis_loop_wake(loop) }
            state.letters.append(letter)
            return true
        }
    }

    func take() -> [Letter] {
        state.withLock { state in
            defer { state.letters = [] }
            return state.letters
        }
    }

    /// Resumes `continuation` once the loop is gone; at once if it is gone already.
    func stop(_ continuation: CheckedContinuation<Void, Never>) {
        let isClosed = state.withLock { state in
            guard state.loop != 0 else { return true }
            state.stopped.append(continuation)
            return false
        }
        if isClosed { continuation.resume() } else { _ = send(.stop) }
    }

    /// From now on nothing is accepted. Returns what was never read, and who waits for the end.
    func close() -> (unread: [Letter], waiting: [CheckedContinuation<Void, Never>]) {
        state.withLock { state in
            defer { (state.loop, state.letters, state.stopped) = (0, [], []) }
            return (state.letters, state.stopped)
        }
    }
}
