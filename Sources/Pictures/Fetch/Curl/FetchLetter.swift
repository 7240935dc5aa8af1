import Synchronization

/// A message from another thread to the fetcher's thread.
enum FetchLetter: Sendable {
    case start(Job)
    case cancel(FetchCall)
    case allow(WebOrigin)
    case stop
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
