import Synchronization

/// A value that arrives once, for one task that waits for it. The first call of ``resolve(_:)`` counts.
package final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<Value, Never>)
        case resolved(Value)
        /// The task has the value. The promise does not keep it, because a value may occupy much memory.
        case taken
    }

    private let state = Mutex(State.empty)

    package init() {}

    package func resolve(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty:
                state = .resolved(value)
                return nil
            case .waiting(let continuation):
                state = .taken
                return continuation
            case .resolved, .taken: return nil
            }
        }
        waiting?.resume(returning: value)
    }

    /// Waits for the value. May be called once.
    ///
    /// - Parameter onCancel: called if the task is or was cancelled. Resolves the promise, or causes another call to do so.
    package func value(onCancel: @Sendable () -> Void) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resolved = state.withLock { state -> Value? in
                    guard case .resolved(let value) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .taken
                    return value
                }
                if let resolved { continuation.resume(returning: resolved) }
            }
        } onCancel: {
            onCancel()
        }
    }
}
