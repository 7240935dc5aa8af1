import Synchronization

/// Publishes what a thread has read of a source so far: others look at the latest snapshot, wait for one, or follow changes.
final class CatalogPublisher<Snapshot: Catalog>: Sendable {
    private struct State {
        var snapshot: Snapshot
        var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
        var nextListener = 0
        var isFinished = false
    }

    private let state: Mutex<State>

    init(_ snapshot: Snapshot) { state = Mutex(State(snapshot: snapshot)) }

    var snapshot: Snapshot { state.withLock { $0.snapshot } }

    /// Shows what `make` makes of the snapshot so far; its revision is the new one's, too.
    func publish(_ make: (Snapshot) -> Snapshot) {
        let (listeners, revision) = state.withLock { state in
            state.snapshot = make(state.snapshot)
            return (Array(state.listeners.values), state.snapshot.revision)
        }
        for listener in listeners { listener.yield(revision) }
    }

    /// There is nothing more to come.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// Each new revision, latest only.
    var changes: AsyncStream<Int> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let number: Int? = state.withLock { state in
            if state.isFinished { return nil }
            defer { state.nextListener += 1 }
            state.listeners[state.nextListener] = continuation
            return state.nextListener
        }
        if let number {
            continuation.onTermination = { [weak self] _ in
                _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
            }
        } else {
            continuation.finish()
        }
        return stream
    }

    /// Waits until a snapshot is as wanted, or nothing more comes; returns the last one.
    func waitUntil(_ isWanted: @Sendable (Snapshot) -> Bool) async -> Snapshot {
        // The stream first: a change between a look at the snapshot and the start of the stream would be missed.
        let changes = changes
        if isWanted(snapshot) { return snapshot }
        for await _ in changes where isWanted(snapshot) { break }
        return snapshot
    }
}

/// When work under way shows itself: first after an interval, so that what is quickly done is shown once, and then ever more
/// seldom, so that showing, which takes longer the more there is, costs no more than a share of the work, and those who look
/// are not disturbed more than a few times however long it takes.
struct Pace: Sendable {
    private let start = ContinuousClock.now
    private(set) var next: ContinuousClock.Instant

    /// - Parameter interval: milliseconds.
    init(interval: Int) { next = start + .milliseconds(min(max(interval, 0), 60_000)) }

    var isDue: Bool { ContinuousClock.now >= next }

    /// Milliseconds until it is, rounded up.
    var wait: Int32 {
        let left = (next - .now) / .milliseconds(1)
        return Int32(min(max(left.rounded(.up), 0), 1e9))
    }

    /// Shows. The next time is twice as long after the start as this, ten seconds from now at most, and not before nine
    /// times as long as showing took.
    mutating func run(_ show: () -> Void) {
        let began = ContinuousClock.now
        show()
        let now = ContinuousClock.now
        next = now + max((now - began) * 9, min(now - start, .seconds(10)))
    }
}
