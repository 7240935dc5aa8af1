import MicroHTTP
import Synchronization

/// Effects that changes of a state have outside of it.
package protocol Effects: Sendable {
    init()
    var isEmpty: Bool { get }
}

/// A state whose changes have effects.
package protocol EffectfulState: Sendable {
    associatedtype Pending: Effects
    /// The effects to carry out. Each change adds its own to those of the changes before it.
    var effects: Pending { get set }
}

/// A lock around a state. It carries out the effects of changes after unlocking, one thread at a time, in the order of the changes.
///
/// A thread that finds another one carrying out leaves its effects to that one and returns: no thread waits for another's
/// effects.
package struct EffectLock<State: EffectfulState>: ~Copyable, Sendable {
    private let state: Mutex<State>
    private let turn = Atomic(Turn.free)

    /// Whether a thread carries out effects. It looks for more when others have left some.
    private enum Turn: UInt8, AtomicRepresentable { case free, taken, takenWithMore }

    package init(_ state: State) { self.state = Mutex(state) }

    package func read<Result: Sendable>(_ body: (State) -> Result) -> Result { state.withLock { body($0) } }

    /// Changes the state, then carries out what has to be.
    ///
    /// - Parameter carryOut: called without the lock, and may change the state again: the effects of that come next.
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

    /// The effects for this thread to carry out; `nil` where there are none, or another thread will find them.
    private func begin(_ state: inout State) -> State.Pending? {
        guard !state.effects.isEmpty else { return nil }
        let isFree = turn.exchange(.takenWithMore, ordering: .acquiringAndReleasing) == .free
        return isFree ? take(&state) : nil
    }

    private func take(_ state: inout State) -> State.Pending {
        // A thread that leaves more has to take the lock first.
        turn.store(.taken, ordering: .releasing)
        var effects = State.Pending()
        swap(&effects, &state.effects)
        return effects
    }

    /// Ends this thread's turn unless others have left effects. Takes no lock.
    private var isDone: Bool {
        turn.compareExchange(expected: .taken, desired: .free, ordering: .acquiringAndReleasing).exchanged
    }
}

/// Events to write to streams. Filled under a lock, and written after unlocking, in the order of the calls.
package struct Outbox: Effects {
    private struct Letter: Sendable {
        let stream: EventStream
        let event: Event
        /// Whether the stream ends with this event.
        var isLast = false
    }

    private var letters: [Letter] = []

    package init() {}

    package var isEmpty: Bool { letters.isEmpty }

    package mutating func put(_ event: Event, to stream: EventStream) {
        letters.append(Letter(stream: stream, event: event))
    }

    /// Ends a stream after its earlier events and `bye` are written.
    package mutating func close(_ stream: EventStream, bye: Event) {
        letters.append(Letter(stream: stream, event: bye, isLast: true))
    }

    /// Returns the bytes of a stream's events that nobody has begun to write.
    package func bytes(for stream: EventStream) -> Int {
        letters.reduce(0) { $1.stream === stream ? $0 + $1.event.frame.count : $0 }
    }

    package func write() {
        for letter in letters {
            if letter.isLast {
                letter.stream.close(bye: letter.event)
            } else {
                letter.stream.send(letter.event)
            }
        }
    }
}

extension EffectLock where State.Pending == Outbox {
    /// Changes the state, then writes what was put down.
    package func update<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try update(carryingOut: { $0.write() }, body)
    }
}
