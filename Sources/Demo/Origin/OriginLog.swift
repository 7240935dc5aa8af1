import Synchronization

extension DemoOrigin {
    /// The result of a request.
    public enum Outcome: String, Sendable, CaseIterable {
        /// Every byte was sent.
        case completed
        /// The client disconnected before the end.
        case aborted
        /// The request got 503 or a truncated response, as a simulated failure.
        case failed
    }

    /// One finished request.
    public struct LogEntry: Sendable, Equatable {
        /// Number of the request, from 1.
        public var number: Int
        /// Requested path and query.
        public var target: String
        /// Index of the requested item, from 0, or `nil` if the picture's text has no number.
        public var item: Int?
        /// In milliseconds since the origin started.
        public var began: Double
        /// In milliseconds since the origin started.
        public var ended: Double
        public var outcome: Outcome
        /// Bytes written to the connection, including the header.
        public var bytes: Int
        /// Bytes of the complete response, including its header.
        public var totalBytes: Int
    }

    /// Counts and recent requests of the origin.
    public struct Log: Sendable, Equatable {
        /// Number of requests for pictures and files.
        public var requests = 0
        /// Number of requests in progress.
        public var open = 0
        public var completed = 0
        public var aborted = 0
        /// Number of ``aborted`` requests that had received bytes.
        public var abortedLate = 0
        public var failed = 0
        /// Bytes written to connections.
        public var bytes = 0
        /// Part of ``bytes`` that belongs to aborted or failed responses.
        public var wastedBytes = 0
        /// Maximum number of simultaneous requests.
        public var peak = 0
        /// The last finished requests, oldest first. At most ``Configuration/logEntries``.
        public var entries: [LogEntry] = []

        public init() {}
    }
}

/// Records requests in the log.
final class OriginJournal: Sendable {
    private struct State {
        var log = DemoOrigin.Log()
        /// Index of the oldest entry in the ring buffer.
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
