import CCurl
import Synchronization

/// What other threads hand to the fetcher's thread.
final class Mailbox: Sendable {
    enum Command: Sendable {
        case start(Job)
        case cancel(FetchCall)
        case allow(WebOrigin)
        case stop
    }

    private struct State: Sendable {
        var commands: [Command] = []
        /// The loop to wake, as a number: a pointer is not `Sendable`. It is used only under the lock and only while
        /// open, and the loop is destroyed only after `close`. 0: closed.
        var loop: UInt
        var stopped: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(loop: UInt) {
        state = Mutex(State(loop: loop))
    }

    /// False when the fetcher is shut down and nobody will read the command.
    func send(_ command: Command) -> Bool {
        state.withLock { state in
            guard let loop = OpaquePointer(bitPattern: state.loop) else { return false }
            // One wake for as many commands as come before the loop looks.
            if state.commands.isEmpty { ccurl_loop_wake(loop) }
            state.commands.append(command)
            return true
        }
    }

    func take() -> [Command] {
        state.withLock { state in
            let commands = state.commands
            state.commands.removeAll()
            return commands
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
    func close() -> (unread: [Command], waiting: [CheckedContinuation<Void, Never>]) {
        state.withLock { state in
            defer { (state.loop, state.commands, state.stopped) = (0, [], []) }
            return (state.commands, state.stopped)
        }
    }
}

/// One call of `fetch`, as its task and the fetcher's thread both know it.
final class FetchCall: Sendable {
    /// Set before `.cancel` is sent, so that a cancel that overtakes its start is not lost.
    let isCancelled = Atomic(false)
}

struct Job: Sendable {
    let call: FetchCall
    let request: FetchRequest
    let onBytes: (@Sendable (Int, Int?) -> Void)?
    let continuation: CheckedContinuation<Result<FetchResponse, FetchError>, Never>
}

/// The counts, written by the fetcher's thread and read by any.
final class SharedCounts: Sendable {
    let counts = Mutex(FetchCounts())
}
