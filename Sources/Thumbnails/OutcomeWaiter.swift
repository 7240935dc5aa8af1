import Synchronization

/// Holds one outcome until it is asked for; ``ItemFailure/cancelled`` where the task that asks is cancelled before.
package final class OutcomeWaiter: Sendable {
    private enum State {
        case empty
        case waiting(CheckedContinuation<ThumbnailService.Outcome, Never>)
        case finished(ThumbnailService.Outcome)
    }

    private let state = Mutex(State.empty)

    package init() {}

    /// The first outcome counts.
    package func resume(_ outcome: ThumbnailService.Outcome) {
        let waiting = state.withLock { state -> CheckedContinuation<ThumbnailService.Outcome, Never>? in
            if case .finished = state { return nil }
            defer { state = .finished(outcome) }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        waiting?.resume(returning: outcome)
    }

    package func outcome() async -> ThumbnailService.Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let finished = state.withLock { state -> ThumbnailService.Outcome? in
                    if case .finished(let outcome) = state { return outcome }
                    state = .waiting(continuation)
                    return nil
                }
                if let finished { continuation.resume(returning: finished) }
            }
        } onCancel: {
            resume(.failure(.cancelled))
        }
    }
}
