import Synchronization

extension DemoOrigin {
    /// The result of a request.
    public enum Outcome: String, Sendable, CaseIterable {
        /// Every byte was sent.
        case completed
        /// The client left before.
        case aborted
        /// It was answered 503, or broken off on purpose.
        case failed
    }

    /// One request that is over.
    public struct LogEntry: Sendable, Equatable {
        /// Counts requests from 1.
        public var number: Int
        public var target: String
        /// The number the picture's text ends with.
        public var item: Int?
        /// Milliseconds since the origin began.
        public var began: Double
        public var ended: Double
        public var outcome: Outcome
        /// Bytes of the answer, with its header, given to the connection, and what a whole answer has.
        public var bytes: Int
        public var totalBytes: Int
    }

    /// Counts of the origin's work so far.
    public struct Log: Sendable, Equatable {
        /// Requests for pictures that came.
        public var requests = 0
        /// Requests that are being answered.
        public var open = 0
        public var completed = 0
        public var aborted = 0
        /// Of ``aborted``, those that had got bytes of their picture.
        public var abortedLate = 0
        public var failed = 0
        /// Bytes given to connections, and of them those of answers that were not completed.
        public var bytes = 0
        public var wastedBytes = 0
        /// Most requests that were being answered at the same time.
        public var peak = 0
        /// The last requests that are over, oldest first; at most ``Configuration/logEntries``.
        public var entries: [LogEntry] = []

        public init() {}
    }
}

/// Keeps the log.
final class OriginJournal: Sendable {
    private struct State {
        var log = DemoOrigin.Log()
        /// Where in the ring the oldest entry is.
        var head = 0
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) { self.capacity = max(capacity, 1) }

    var log: DemoOrigin.Log { state.withLock { Self.ordered($0) } }

    func began() {
        state.withLock { state in
            state.log.requests += 1
            state.log.open += 1
            state.log.peak = max(state.log.peak, state.log.open)
        }
    }

    func ended(_ entry: DemoOrigin.LogEntry) {
        state.withLock { state in
            state.log.open -= 1
            state.log.bytes += entry.bytes
            switch entry.outcome {
            case .completed: state.log.completed += 1
            case .aborted:
                state.log.aborted += 1
                state.log.abortedLate += entry.bytes > 0 ? 1 : 0
                state.log.wastedBytes += entry.bytes
            case .failed:
                state.log.failed += 1
                state.log.wastedBytes += entry.bytes
            }
            if state.log.entries.count < capacity {
                state.log.entries.append(entry)
            } else {
                state.log.entries[state.head] = entry
                state.head = (state.head + 1) % capacity
            }
        }
    }

    private static func ordered(_ state: borrowing State) -> DemoOrigin.Log {
        var log = state.log
        if state.head > 0 { log.entries = Array(log.entries[state.head...] + log.entries[..<state.head]) }
        return log
    }
}
