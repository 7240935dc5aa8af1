/// Bounded queue of events for one reader. If the queue is full, the oldest droppable events are dropped. Other events are never dropped.
public struct EventQueue: Sendable {
    public struct Limits: Sendable, Equatable {
        /// Maximum number of queued bytes, at least 1. An empty queue accepts even an event larger than this.
        public var bytes = 1024 * 1024
        /// Maximum number of queued events, at least 1.
        public var count = 512

        public init() {}
        public init(bytes: Int, count: Int) {
            self.bytes = bytes
            self.count = count
        }

        static let none = Limits(bytes: .max, count: .max)
    }

    /// Result of a push, including its effect on other events.
    public enum Push: Sendable {
        /// The event is queued. `superseded` had the same key, and `dropped` made room.
        case queued(superseded: Event?, dropped: [Event])
        /// The event was dropped, because there is no room for it.
        case dropped
        /// There is no room for an event that must not be dropped. The stream has to be closed.
        case overflow
    }

    private var events: [Event] = []
    private var first = 0
    /// Number of bytes already written of the first event. If it is not 0, the first event can be neither dropped nor replaced.
    private var written = 0
    /// Bytes in the queue.
    public private(set) var bytes = 0

    public init() {}

    public var isEmpty: Bool { first == events.count }
    public var count: Int { events.count - first }

    /// Bytes to write next and the offset of the first unwritten one, or `nil` if the queue is empty.
    var front: (frame: [UInt8], offset: Int)? { isEmpty ? nil : (events[first].frame, written) }

    /// Appends an event after removing a queued event with the same key and, if necessary, droppable ones.
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

    /// Queues the rest of an event that a direct write could not finish. The queue must be empty.
    mutating func resume(_ event: Event, written: Int) {
        append(event)
        advance(by: written)
    }

    /// Removes and returns the first event, even if it is partly written.
    public mutating func popFirst() -> Event? {
        guard !isEmpty else { return nil }
        let event = events[first]
        advance(by: event.frame.count - written)
        return event
    }

    /// Drops the queued events of a lane for whose key `isStale` is true. Returns the number of dropped events.
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

    /// Marks up to `count` further bytes of the first event as written.
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
