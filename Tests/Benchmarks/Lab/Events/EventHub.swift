import MicroHTTP
import Synchronization

/// The event streams of the server that `lookahead-lab events` measures, and what is sent to them.
final class EventHub: Sendable {
    private let streams = Mutex<[EventStream]>([])

    var count: Int { streams.withLock { $0.count } }

    func add(_ stream: EventStream) {
        streams.withLock { $0.append(stream) }
        stream.onClose { [weak self, id = stream.id] _ in
            Task { self?.streams.withLock { streams in streams.removeAll { $0.id == id } } }
        }
    }

    /// Sends one event to the streams of a part, 0 ..< parts, of all.
    func send(bytes: Int, part: Int = 0, of parts: Int = 1) {
        let some = streams.withLock { StreamTurns.part(part, of: parts, $0) }
        guard !some.isEmpty else { return }
        let event = Self.event(bytes: bytes)
        for stream in some { stream.send(event) }
    }

    /// One event a second to each stream, evenly over the milliseconds of the second.
    func pace(bytes: Int, seconds: Int) {
        StreamTurns.run(seconds: seconds) { self.send(bytes: bytes, part: $0, of: $1) }
    }

    /// `data: T` and the time of the monotonic clock in nanoseconds, padded to a size.
    private static func event(bytes: Int) -> Event {
        var data = Array("T\(LoadLoop.now) ".utf8)
        data.append(contentsOf: repeatElement(UInt8(ascii: "A"), count: max(0, bytes - data.count - 24)))
        return Event(name: "picture", data: data)
    }
}
