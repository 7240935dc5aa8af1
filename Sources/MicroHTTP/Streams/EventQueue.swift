/// Events that wait to be sent to one reader. Bounded: when it is full, the oldest droppable events go first, and what
/// must be sent is never dropped.
public struct EventQueue: Sendable {
    public struct Limits: Sendable, Equatable {
        /// Bytes waiting, 1 or more. One event alone may be larger.
        public var bytes = 1024 * 1024
        /// Events waiting, 1 or more.
        public var count = 512

        public init() {}
        public init(bytes: Int, count: Int) {
            self.bytes = bytes
            self.count = count
        }

        static let none = Limits(bytes: .max, count: .max)
    }

    /// The outcome of a push, for the event and for others.
    public enum Push: Sendable {
        /// It waits. `dropped` made room for it; `superseded` had its key.
        case queued(superseded: Event?, dropped: [Event])
        /// It is droppable and there was no room for it.
        case dropped
        /// It must be sent and there is no room for it: the reader is lost.
        case overflow
    }

    private var events: [Event] = []
    private var first = 0
    /// Bytes of the first event that are already written: it can be neither dropped nor superseded then.
    private var written = 0
    /// Bytes waiting.
    public private(set) var bytes = 0

    public init() {}

    public var isEmpty: Bool { first == events.count }
    public var count: Int { events.count - first }

    /// The bytes to write next and where in them to begin; nil when nothing waits.
    var front: (frame: [UInt8], offset: Int)? { isEmpty ? nil : (events[first].frame, written) }

    /// Adds an event at the end.
    public mutating func push(_ event: Event, limits: Limits) -> Push {
        var superseded: Event?
        if let key = event.key,
            let old = movable.first(where: { events[$0].key == key && events[$0].lane == event.lane })
        {
            superseded = remove(old)
        }
        var dropped: [Event] = []
        while !isEmpty && !fits(event, limits) {
            guard let old = movable.first(where: { events[$0].isDroppable }) else {
                return event.isDroppable ? .dropped : .overflow
            }
            dropped.append(remove(old))
        }
        append(event)
        return .queued(superseded: superseded, dropped: dropped)
    }

    /// Puts back what a direct write could not finish. The queue must be empty.
    mutating func resume(_ event: Event, written: Int) {
        append(event)
        advance(by: written)
    }

    /// Takes the first event out, whether it is partly written or not.
    public mutating func popFirst() -> Event? {
        guard !isEmpty else { return nil }
        let event = events[first]
        advance(by: event.frame.count - written)
        return event
    }

    /// Drops the waiting events of a lane with a key of which `isStale` is true. Returns how many.
    public mutating func discard(lane: UInt8 = 0, where isStale: (UInt64) -> Bool) -> Int {
        var kept = Array(events[first..<min(first + (written > 0 ? 1 : 0), events.count)])
        let before = count
        for event in events[(first + kept.count)...] {
            if event.lane == lane, let key = event.key, isStale(key) {
                bytes -= event.frame.count
            } else {
                kept.append(event)
            }
        }
        events = kept
        first = 0
        return before - count
    }

    /// Notes that so many bytes of the front were written, at most all of it.
    public mutating func advance(by count: Int) {
        guard !isEmpty else { return }
        let size = events[first].frame.count
        let step = min(max(0, count), size - written)
        bytes -= step
        written += step
        guard written == size else { return }
        written = 0
        first += 1
        if isEmpty {
            events.removeAll(keepingCapacity: events.capacity <= 8)
            first = 0
        } else if first >= 32 && first * 2 >= events.count {
            events.removeFirst(first)
            first = 0
        }
    }

    private var movable: Range<Int> { min(first + (written > 0 ? 1 : 0), events.count)..<events.count }

    private func fits(_ event: Event, _ limits: Limits) -> Bool {
        count < limits.count && event.frame.count <= limits.bytes - min(bytes, limits.bytes)
    }

    private mutating func append(_ event: Event) {
        guard !event.frame.isEmpty else { return }
        events.append(event)
        bytes += event.frame.count
    }

    private mutating func remove(_ index: Int) -> Event {
        let event = events.remove(at: index)
        bytes -= event.frame.count
        return event
    }
}
