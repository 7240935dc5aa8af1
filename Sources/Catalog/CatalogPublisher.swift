import Numbers
import Synchronization

/// Publishes what a thread has read of a source so far: others look at the latest catalogue, or follow changes.
final class CatalogPublisher: Sendable {
    private struct State {
        var catalog: Catalog
        var listeners: [Int: AsyncStream<Int>.Continuation] = [:]
        var nextListener = 0
        var isFinished = false
    }

    private let state: Mutex<State>
    /// Locked while a catalogue is made, which takes long; those who look at the last one do not wait for it.
    private let making = Mutex(())

    init(_ catalog: Catalog) { state = Mutex(State(catalog: catalog)) }

    var catalog: Catalog { state.withLock { $0.catalog } }

    /// Shows what `make` makes of the catalogue so far.
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
        return Int32(clamping: min(max(left.rounded(.up), 0), 1e9))
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
