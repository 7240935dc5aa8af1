import Glibc

/// One event of an event stream, framed once: sending it to many streams shares its bytes.
public struct Event: Sendable {
    /// The bytes on the wire.
    public let frame: [UInt8]
    /// A queued event is superseded by a newer one of the same key, and can be discarded by it.
    public let key: UInt64?
    /// Whether this event may be left out when a stream's queue is full. Others never are: the stream is closed instead.
    public let isDroppable: Bool
    /// Which of several streams on one connection it is of: an event supersedes and discards those of its own lane.
    var lane: UInt8 = 0

    /// - Parameters:
    ///   - name: the event's type; no line breaks.
    ///   - id: what the browser gives back as Last-Event-ID; no line breaks, no NUL.
    ///   - data: UTF-8; a line break begins a new `data:` line.
    ///   - key: what the event is known by while it is queued; nil: it is superseded by none.
    ///   - isDroppable: whether it may be left out when the queue is full.
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

    /// The same with data of any collection.
    public init(
        name: String, id: String? = nil, data: some Collection<UInt8>, key: UInt64? = nil, isDroppable: Bool = false
    ) {
        self.init(name: name, id: id, data: Array(data), key: key, isDroppable: isDroppable)
    }

    /// The same with data given as text.
    public init(name: String, id: String? = nil, data: String, key: UInt64? = nil, isDroppable: Bool = false) {
        self.init(name: name, id: id, data: Array(data.utf8), key: key, isDroppable: isDroppable)
    }

    /// As data is a line most often, and long: at the speed of the C library.
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

    /// The same as one of a lane: its id begins with the lane's name and a full stop.
    func of(lane number: UInt8, named name: String) -> Event {
        let (start, label) = (Array("id: ".utf8), Array("id: \(name).".utf8))
        let rest = frame.starts(with: start) ? frame[start.count...] : [10] + frame
        var event = Event(frame: label + rest, key: key, isDroppable: isDroppable)
        event.lane = number
        return event
    }

    static let heartbeat = Event(frame: Array(": hb\n\n".utf8), isDroppable: true)
}
