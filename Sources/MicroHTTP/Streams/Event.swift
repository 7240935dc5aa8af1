import Glibc

/// One event of an event stream. All streams that send the event share its encoded bytes.
public struct Event: Sendable {
    /// Encoded bytes of the event, as sent to the client.
    public let frame: [UInt8]
    /// Key of the event, or `nil`. While the event is queued, a newer event with the same key replaces it, and
    /// ``EventStream/discard(where:)`` can drop it.
    public let key: UInt64?
    /// Whether the event may be dropped if a stream's queue is full. If any other event does not fit, the stream is closed.
    public let isDroppable: Bool
    /// Number of the event's stream, if several share a connection. An event replaces and discards only events in its own lane.
    var lane: UInt8 = 0

    /// - Parameters:
    ///   - name: type of the event, without line breaks.
    ///   - id: value that the browser sends back as Last-Event-ID, without line breaks or NUL.
    ///   - data: UTF-8. Each line break begins a new `data:` line.
    ///   - key: identifies the event while it is queued. With `nil`, no newer event replaces it.
    ///   - isDroppable: whether the event may be dropped if the queue is full.
    public init(
        name: String, id: String? = nil, data: [UInt8], key: UInt64? = nil, isDroppable: Bool = false
    ) {
        var frame: [UInt8] = []
        frame.reserveCapacity(data.count + name.utf8.count + 48)
        func line(_ text: String) -> [UInt8] { text.utf8.filter { $0 != 10 && $0 != 13 && $0 != 0 } }
        if let id {
            frame.append(contentsOf: "id: ".utf8)
            frame.append(contentsOf: line(id))
            frame.append(10)
        }
        frame.append(contentsOf: "event: ".utf8)
        frame.append(contentsOf: line(name))
        frame.append(contentsOf: "\ndata: ".utf8)
        if Self.hasLineBreak(data) {
            var afterReturn = false
            for byte in data {
                if byte == 10 || byte == 13 {
                    if !(byte == 10 && afterReturn) { frame.append(contentsOf: "\ndata: ".utf8) }
                } else {
                    frame.append(byte)
                }
                afterReturn = byte == 13
            }
        } else {
            frame.append(contentsOf: data)
        }
        frame.append(contentsOf: "\n\n".utf8)
        self.init(frame: frame, key: key, isDroppable: isDroppable)
    }

    /// Encodes an event from any collection of bytes.
    public init(
        name: String, id: String? = nil, data: some Collection<UInt8>, key: UInt64? = nil, isDroppable: Bool = false
    ) {
        self.init(name: name, id: id, data: Array(data), key: key, isDroppable: isDroppable)
    }

    /// Encodes an event from a string.
    public init(name: String, id: String? = nil, data: String, key: UInt64? = nil, isDroppable: Bool = false) {
        self.init(name: name, id: id, data: Array(data.utf8), key: key, isDroppable: isDroppable)
    }

    /// Uses `memchr`, because the data is usually one long line.
    private static func hasLineBreak(_ data: [UInt8]) -> Bool {
        data.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            return memchr(base, 10, bytes.count) != nil || memchr(base, 13, bytes.count) != nil
        }
    }

    init(frame: [UInt8], key: UInt64? = nil, isDroppable: Bool = false) {
        self.frame = frame
        self.key = key
        self.isDroppable = isDroppable
    }

    /// Returns a copy for a lane, with the lane's name and a full stop in front of its id.
    func of(lane number: UInt8, named name: String) -> Event {
        let (start, label) = (Array("id: ".utf8), Array("id: \(name).".utf8))
        let rest = frame.starts(with: start) ? frame[start.count...] : [10] + frame
        var event = Event(frame: label + rest, key: key, isDroppable: isDroppable)
        event.lane = number
        return event
    }

    static let heartbeat = Event(frame: Array(": hb\n\n".utf8), isDroppable: true)
}
