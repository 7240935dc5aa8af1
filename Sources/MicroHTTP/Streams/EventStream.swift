import Synchronization
import Threads

/// An open event stream to one reader. All members may be called from any thread and never block.
public final class EventStream: Sendable, Identifiable {
    /// Unique among the streams of this server. All ``lanes(_:)`` of a connection share its id.
    public var id: UInt64 { outlet.id }
    /// `Last-Event-ID` header of a reader that reconnected, otherwise `nil`. Always `nil` for a lane.
    public let lastEventID: String?
    private let outlet: Outlet
    private let lane: Lane?

    /// One of several streams on the same connection.
    private struct Lane {
        let name: String
        /// Number of the lane, from 1.
        let number: UInt8
        let openLanes: OpenLanes
    }

    /// Numbers of the open lanes. The last one to close ends the connection.
    private final class OpenLanes: Sendable {
        private let numbers: Mutex<Set<UInt8>>

        init(_ numbers: ClosedRange<UInt8>) { self.numbers = Mutex(Set(numbers)) }

        func contains(_ number: UInt8) -> Bool { numbers.withLock { $0.contains(number) } }

        /// - Returns: whether the lane was open, and whether it was the last open one.
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

    /// Splits the connection into several streams, which replace this one. The server puts the lane's name and a full stop in front of the
    /// id of each event. An event without an id gets this prefix as its id. A slow reader delays all lanes.
    ///
    /// - Parameter names: 1 to 255 names without full stops. Lanes end independently, and the last one ends the connection.
    public func lanes(_ names: [String]) -> [EventStream] {
        let numbers = 1...UInt8(clamping: max(1, names.count))
        let open = OpenLanes(numbers)
        return zip(numbers, names).map { number, name in
            EventStream(outlet: outlet, lane: Lane(name: name, number: number, openLanes: open))
        }
    }

    /// Writes the event, or queues it if the reader is behind: see ``EventQueue``.
    @discardableResult
    public func send(_ event: Event) -> SendResult {
        guard let lane else { return outlet.send(event) }
        guard lane.openLanes.contains(lane.number) else { return .closed }
        return outlet.send(event.of(lane: lane.number, named: lane.name))
    }

    /// Drops queued events whose key `isStale` reports as stale. Returns the number of dropped events.
    /// - Parameter isStale: called under the stream's lock, so the closure must not use the stream.
    @discardableResult
    public func discard(where isStale: (_ key: UInt64) -> Bool) -> Int {
        outlet.discard(lane: lane?.number ?? 0, where: isStale)
    }

    /// Bytes and events queued for the reader in all lanes together, both 0 if the reader keeps up. Does not wait for a lock.
    public var pressure: (bytes: Int, count: Int) { outlet.pressure }
    /// Whether the stream still accepts events.
    public var isOpen: Bool { outlet.isOpen && (lane.map { $0.openLanes.contains($0.number) } ?? true) }

    /// Closes the stream if the reader would be stuck after `wait`.
    package func look(after wait: Duration) { outlet.tick(.now + wait, .zero) }

    /// Calls `body` once when the connection has ended, on any thread. Calls it immediately if the connection has already ended.
    public func onClose(_ body: @escaping @Sendable (CloseReason) -> Void) { outlet.onClose(body) }
    /// Calls `body` each time the reader has caught up after falling behind. Replaces an earlier `onDrain`.
    public func onDrain(_ body: (@Sendable () -> Void)?) { outlet.onDrain(lane: lane?.number ?? 0, body) }

    /// Ends the stream once all queued events, and then `bye`, are written.
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
