import Synchronization
import Threads

/// An open event stream to one reader. Everything here may be called from any thread and never blocks.
public final class EventStream: Sendable, Identifiable {
    /// Unlike any other stream's of this server; that of the connection for all ``lanes(_:)`` of one.
    public var id: UInt64 { outlet.id }
    /// The `Last-Event-ID` of a reader that reconnected, else nil; nil for a lane.
    public let lastEventID: String?
    private let outlet: Outlet
    private let lane: Lane?

    /// One of several streams on a connection.
    private struct Lane {
        let name: String
        /// From 1.
        let number: UInt8
        let openLanes: OpenLanes
    }

    /// How many lanes are open: the last one closes the connection.
    private final class OpenLanes: Sendable {
        private let numbers: Mutex<Set<UInt8>>

        init(_ numbers: ClosedRange<UInt8>) { self.numbers = Mutex(Set(numbers)) }

        func contains(_ number: UInt8) -> Bool { numbers.withLock { $0.contains(number) } }

        /// - Returns: whether it was open, and whether it was the last.
        func close(_ number: UInt8) -> (wasOpen: Bool, isLast: Bool) {
            numbers.withLock { ($0.remove(number) != nil, $0.isEmpty) }
        }
    }

    init(outlet: Outlet, lastEventID: String?) {
        self.outlet = outlet
        self.lastEventID = lastEventID
        lane = nil
    }

    private init(outlet: Outlet, lane: Lane) {
        self.outlet = outlet
        lastEventID = nil
        self.lane = lane
    }

    /// The connection as several streams, to be used in this one's place. What a lane sends has an id that begins with the
    /// lane's name and a full stop; an event without an id gets one that is only these. The reader's pace is that of all.
    ///
    /// - Parameter names: 1 to 255, without full stops; each lane ends by itself, and the last one ends the connection.
    public func lanes(_ names: [String]) -> [EventStream] {
        let numbers = 1...UInt8(clamping: max(1, names.count))
        let open = OpenLanes(numbers)
        return zip(numbers, names).map { number, name in
            EventStream(outlet: outlet, lane: Lane(name: name, number: number, openLanes: open))
        }
    }

    /// Writes the event, or queues it while the reader is behind: see ``EventQueue``.
    @discardableResult
    public func send(_ event: Event) -> SendResult {
        guard let lane else { return outlet.send(event) }
        guard lane.openLanes.contains(lane.number) else { return .closed }
        return outlet.send(event.of(lane: lane.number, named: lane.name))
    }

    /// Drops queued events that no longer matter, by their keys. Returns how many.
    /// - Parameter isStale: called under the stream's lock: must not touch the stream.
    @discardableResult
    public func discard(where isStale: (_ key: UInt64) -> Bool) -> Int {
        outlet.discard(lane: lane?.number ?? 0, where: isStale)
    }

    /// Bytes and events waiting for the reader, in all lanes; both 0 while it keeps up. Waits for no lock.
    public var pressure: (bytes: Int, count: Int) { outlet.pressure }
    /// Whether something can still be sent.
    public var isOpen: Bool { outlet.isOpen && (lane.map { $0.openLanes.contains($0.number) } ?? true) }

    /// Looks whether the reader is stuck, as it will be looked at after so long.
    package func look(after wait: Duration) { outlet.tick(.now + wait, .zero) }

    /// Calls `body` when the connection has ended, once, on some thread; at once when it has ended already.
    public func onClose(_ body: @escaping @Sendable (CloseReason) -> Void) { outlet.onClose(body) }
    /// Calls `body` each time the reader has caught up after it was behind. Replaces an earlier `onDrain`.
    public func onDrain(_ body: (@Sendable () -> Void)?) { outlet.onDrain(lane: lane?.number ?? 0, body) }

    /// Ends the stream once everything queued, and `bye` after it, is written.
    public func close(bye: Event? = nil) {
        guard let lane else { return outlet.finish(with: bye) }
        let (wasOpen, isLast) = lane.openLanes.close(lane.number)
        guard wasOpen else { return }
        let bye = bye?.of(lane: lane.number, named: lane.name)
        outlet.onDrain(lane: lane.number, nil)
        if isLast { return outlet.finish(with: bye) }
        if let bye { _ = outlet.send(bye) }
    }
}
