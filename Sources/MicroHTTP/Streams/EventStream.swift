/// An open event stream to one reader. Everything here may be called from any thread and never blocks.
public final class EventStream: Sendable, Identifiable {
    /// Unlike any other stream's of this server.
    public var id: UInt64 { outlet.id }
    /// What the reader had received last when it reconnected, if it did.
    public let lastEventID: String?
    private let outlet: Outlet

    init(outlet: Outlet, lastEventID: String?) {
        self.outlet = outlet
        self.lastEventID = lastEventID
    }

    /// Writes the event, or queues it while the reader is behind: see ``EventQueue``.
    @discardableResult
    public func send(_ event: Event) -> SendResult { outlet.send(event) }

    /// Drops queued events that no longer matter, by their keys. Returns how many.
    /// - Parameter isStale: called under the stream's lock: must not touch the stream.
    @discardableResult
    public func discard(where isStale: (_ key: UInt64) -> Bool) -> Int { outlet.discard(where: isStale) }

    /// Bytes and events waiting for the reader; both 0 while it keeps up.
    public var pressure: (bytes: Int, count: Int) { outlet.pressure }
    /// Whether something can still be sent.
    public var isOpen: Bool { outlet.isOpen }

    /// Calls `body` when the stream has ended, once, on some thread; at once when it has ended already.
    public func onClose(_ body: @escaping @Sendable (CloseReason) -> Void) { outlet.onClose(body) }
    /// Calls `body` each time the reader has caught up after it was behind. Replaces an earlier `onDrain`.
    public func onDrain(_ body: (@Sendable () -> Void)?) { outlet.onDrain(body) }

    /// Ends the stream once everything queued, and `bye` after it, is written.
    public func close(bye: Event? = nil) { outlet.finish(with: bye) }
}
