import Numbers
import Synchronization

/// Publishes the catalogue that a thread has read so far. Other threads read the latest catalogue or follow changes.
final class CatalogPublisher: Sendable {
    private struct State {
        var catalog: Catalog
        var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
        var nextListener = 0
        var isFinished = false
    }

    private let state: Mutex<State>
    /// Locked while a new catalogue is created, which takes long. Readers of the current catalogue do not wait for this lock.
    private let making = Mutex(())

    init(_ catalog: Catalog) { state = Mutex(State(catalog: catalog)) }

    var catalog: Catalog { state.withLock { $0.catalog } }

    func publish(_ make: (Catalog) -> Catalog) {
        making.withLock { _ in
            let next = make(catalog)
            let listeners = state.withLock { state in
                state.catalog = next
                return Array(state.listeners.values)
            }
            for listener in listeners { listener.yield(next.revision) }
        }
    }

    /// Ends all streams of changes. Call this after the last change.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    /// Each new revision. Only the latest is buffered.
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
}

/// Schedule for publishing intermediate results. The first result is due after an interval, so fast work is published only once. The
/// following results are due ever less often. Publishing takes longer for more items, so this limits its share of the work. It also
/// disturbs viewers only a few times, however long the work takes.
struct Pace: Sendable {
    private let start = ContinuousClock.now
    private(set) var next: ContinuousClock.Instant

    /// - Parameter interval: milliseconds.
    init(interval: Int) { next = start + .milliseconds(min(max(interval, 0), 60_000)) }

    var isDue: Bool { ContinuousClock.now >= next }

    /// Milliseconds until the next result is due, rounded up.
    var wait: Int32 {
        let left = (next - .now) / .milliseconds(1)
        return Int32(clamping: min(max(left.rounded(.up), 0), 1e9))
    }

    /// Calls `show` and schedules the next result. The delay is the time since the start, at most ten seconds. It is at least nine times
    /// the duration of `show`.
    mutating func run(_ show: () -> Void) {
        let began = ContinuousClock.now
        show()
        let now = ContinuousClock.now
        next = now + max((now - began) * 9, min(now - start, .seconds(10)))
    }
}
