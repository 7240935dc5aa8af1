import MicroHTTP
import Synchronization

package protocol Effects: Sendable {
    init()
    var isEmpty: Bool { get }
}

/// A state whose changes have effects.
package protocol EffectfulState: Sendable {
    associatedtype Pending: Effects
    /// The effects to carry out. Each change adds its effects to those of earlier changes.
    var effects: Pending { get set }
}

/// A lock around a state. After unlocking, the lock carries out the effects of changes in the order of the changes, on one
/// thread at a time.
///
/// A thread that finds another thread carrying out effects leaves its own effects to that thread and returns. No thread waits
/// for another thread's effects.
package struct EffectLock<State: EffectfulState>: ~Copyable, Sendable {
    private let state: Mutex<State>
    private let turn = Atomic(Turn.free)

    /// Whether a thread carries out effects, and whether other threads have left more effects for it.
    private enum Turn: UInt8, AtomicRepresentable { case free, taken, takenWithMore }

    package init(_ state: State) { self.state = Mutex(state) }

    package func read<Result: Sendable>(_ body: (State) -> Result) -> Result { state.withLock { body($0) } }

    /// Changes the state, then carries out the effects.
    ///
    /// - Parameter carryOut: called without the lock. It may change the state again. The effects of that change are carried out
    ///   next.
    package func update<Result: Sendable, Failure: Error>(
        carryingOut carryOut: (State.Pending) -> Void, _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var (result, effects) = state.withLock { state in
            let result = Swift.Result<Result, Failure> { () throws(Failure) in try body(&state) }
            return (result, begin(&state))
        }
        while let some = effects {
            carryOut(some)
            effects = isDone ? nil : state.withLock { take(&$0) }
        }
        return try result.get()
    }

    /// Returns the effects for this thread to carry out, or `nil` if there are none or another thread will find them.
    private func begin(_ state: inout State) -> State.Pending? {
        guard !state.effects.isEmpty else { return nil }
        let isFree = turn.exchange(.takenWithMore, ordering: .acquiringAndReleasing) == .free
        return isFree ? take(&state) : nil
    }

    private func take(_ state: inout State) -> State.Pending {
        // A thread must take the lock to leave more effects.
        turn.store(.taken, ordering: .releasing)
        var effects = State.Pending()
        swap(&effects, &state.effects)
        return effects
    }

    /// Ends this thread's turn unless other threads have left effects. Takes no lock.
    private var isDone: Bool {
        turn.compareExchange(expected: .taken, desired: .free, ordering: .acquiringAndReleasing).exchanged
    }
}

/// Events to write to streams, in the order of the calls. Filled under a lock, written after unlocking.
package struct Outbox: Effects {
    private struct Item: Sendable {
        let stream: EventStream
        let event: Event
        var isLast = false
    }

    private var items: [Item] = []

    package init() {}

    package var isEmpty: Bool { items.isEmpty }

    package mutating func put(_ event: Event, to stream: EventStream) {
        items.append(Item(stream: stream, event: event))
    }

    /// Closes a stream after its earlier events and `bye` are written.
    package mutating func close(_ stream: EventStream, bye: Event) {
        items.append(Item(stream: stream, event: bye, isLast: true))
    }

    /// Returns the number of bytes in a stream's events that no thread has begun to write.
    package func bytes(for stream: EventStream) -> Int {
        items.reduce(0) { $1.stream === stream ? $0 + $1.event.frame.count : $0 }
    }

    package func write() {
        for item in items {
            if item.isLast {
                item.stream.close(bye: item.event)
            } else {
                item.stream.send(item.event)
            }
        }
    }
}

extension EffectLock where State.Pending == Outbox {
    package func update<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try update(carryingOut: { $0.write() }, body)
    }
}
