import Synchronization

/// Waits, when the server stops, for requests and streams to end. While nobody waits, an ending costs one load.
final class EndWaiter: Sendable {
    private let isAwaited = Atomic(false)
    private let listener = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// Something ended, and has been counted.
    func tell() {
        // In one order with the counts: a waiter that begins now sees the count, or is seen here.
        guard isAwaited.load(ordering: .sequentiallyConsistent) else { return }
        _ = listener.withLock { $0 }?.yield()
    }

    /// Returns once `isDone`, which is asked after each ending, or after `limit`. For one at a time.
    func wait(_ limit: Duration, until isDone: () -> Bool) async {
        let (endings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        listener.withLock { $0 = continuation }
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        let alarm = Task {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        if !isDone() {
            for await _ in endings where isDone() { break }
        }
        alarm.cancel()
        isAwaited.store(false, ordering: .sequentiallyConsistent)
    }
}
