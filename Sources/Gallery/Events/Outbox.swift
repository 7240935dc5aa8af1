import MicroHTTP

/// Events to be written to streams: put down under a lock, and written after unlocking, in this order.
package struct Outbox: Effects {
    private struct Letter: Sendable {
        let stream: EventStream
        let event: Event
        /// Whether the stream ends with it.
        var isLast = false
    }

    private var letters: [Letter] = []

    package init() {}

    package var isEmpty: Bool { letters.isEmpty }

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
