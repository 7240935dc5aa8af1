import MicroHTTP
import Synchronization

/// What is to be written to event streams: put down under a lock and written without it, by one thread at a time, so that
/// each stream gets it in the order in which it was put down.
package struct Outbox: Sendable {
    package struct Letter: Sendable {
        let stream: EventStream
        let event: Event
        /// Whether the stream ends with it.
        package var isLast = false

        package func write() {
            if isLast { stream.close(bye: event) } else { stream.send(event) }
        }
    }

    private var letters: [Letter] = []
    private var isBeingWritten = false

    package init() {}

    package mutating func put(_ event: Event, to stream: EventStream) {
        letters.append(Letter(stream: stream, event: event))
    }

    /// Ends a stream once what was put down for it is written, and this.
    package mutating func close(_ stream: EventStream, bye: Event) {
        letters.append(Letter(stream: stream, event: bye, isLast: true))
    }

    /// Bytes that were put down for a stream and that nobody has begun to write.
    package func bytes(for stream: EventStream) -> Int {
        letters.reduce(0) { $1.stream === stream ? $0 + $1.event.frame.count : $0 }
    }

    /// What the caller is to write, who then asks for the ``next()``; nothing where another thread is about it.
    package mutating func begin() -> [Letter] {
        guard !isBeingWritten else { return [] }
        return next()
    }

    /// What was put down meanwhile. Where there is nothing, the next who begins writes.
    package mutating func next() -> [Letter] {
        defer { letters = [] }
        isBeingWritten = !letters.isEmpty
        return letters
    }
}

/// A state that a lock guards, and under which there is something to be written.
protocol Posting: Sendable {
    var outbox: Outbox { get set }
}

extension Mutex where Value: Posting {
    /// Changes the state under the lock, then writes what was put down.
    func update<Result: Sendable, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        var (result, letters) = withLock { state in
            let result = Swift.Result<Result, Failure> { () throws(Failure) in try body(&state) }
            return (result, state.outbox.begin())
        }
        while !letters.isEmpty {
            for letter in letters { letter.write() }
            letters = withLock { $0.outbox.next() }
        }
        return try result.get()
    }
}
