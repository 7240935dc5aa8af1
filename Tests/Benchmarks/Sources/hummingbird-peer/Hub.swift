import NIOCore
import Synchronization

/// The event streams that are open, each fed through a bounded buffer of its own.
final class Hub: Sendable {
    private struct State {
        var streams: [(id: Int, feed: AsyncStream<ByteBuffer>.Continuation)] = []
        var next = 0
    }
    private let state = Mutex(State())

    var count: Int { state.withLock { $0.streams.count } }

    func open() -> (id: Int, events: AsyncStream<ByteBuffer>) {
        let (events, feed) = AsyncStream.makeStream(of: ByteBuffer.self, bufferingPolicy: .bufferingOldest(64))
        let id = state.withLock { state in
            state.next += 1
            state.streams.append((state.next, feed))
            return state.next
        }
        return (id, events)
    }

    func close(_ id: Int) { state.withLock { state in state.streams.removeAll { $0.id == id } } }

    /// Sends one event to the streams of a part, 0 ..< parts, of all.
    func send(bytes: Int, part: Int = 0, of parts: Int = 1) {
        let feeds = state.withLock { StreamTurns.part(part, of: parts, $0.streams).map(\.feed) }
        guard !feeds.isEmpty else { return }
        let event = Self.event(bytes: bytes)
        for feed in feeds { feed.yield(event) }
    }

    /// One event a second to each stream, evenly over the milliseconds of the second.
    func pace(bytes: Int, seconds: Int) {
        StreamTurns.run(seconds: seconds) { self.send(bytes: bytes, part: $0, of: $1) }
    }

    /// `data: T` and the time of the monotonic clock in nanoseconds, padded to a size.
    private static func event(bytes: Int) -> ByteBuffer {
        var buffer = ByteBuffer()
        buffer.reserveCapacity(bytes + 64)
        buffer.writeString("event: picture\ndata: T\(MonotonicClock.now) ")
        buffer.writeRepeatingByte(UInt8(ascii: "A"), count: max(0, bytes - buffer.readableBytes - 2))
        buffer.writeString("\n\n")
        return buffer
    }
}
