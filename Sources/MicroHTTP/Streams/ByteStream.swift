import Synchronization

/// A connection whose handler writes the complete response: status line, headers, body. All members may be called from any thread and never
/// block.
public final class ByteStream: Sendable, Identifiable {
    public var id: UInt64 { outlet.id }
    private let outlet: Outlet
    private let keepsAlive: Bool
    private let reactor: Reactor
    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    init(outlet: Outlet, keepsAlive: Bool, reactor: Reactor) {
        self.outlet = outlet
        self.keepsAlive = keepsAlive
        self.reactor = reactor
    }

    /// Writes the bytes, or queues the ones that the kernel does not accept. The queue has no limit, so wait for ``drained()`` between
    /// writes.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> SendResult { outlet.send(Event(frame: bytes)) }

    /// Bytes that the kernel has not accepted yet.
    public var pending: Int { outlet.pressure.bytes }
    /// Whether the stream still accepts bytes.
    public var isOpen: Bool { outlet.isOpen }

    /// Waits until the kernel has accepted all written bytes. Returns false if the peer is gone.
    public func drained() async -> Bool {
        if pending > 0 {
            await withCheckedContinuation { continuation in
                let isFirst = waiting.withLock {
                    $0.append(continuation)
                    return $0.count == 1
                }
                if isFirst { outlet.onDrain { [weak self] in self?.wake() } }
                // The stream may have drained or closed before this continuation was in the list.
                if pending == 0 || !isOpen { wake() }
            }
        }
        return isOpen
    }

    func wake() {
        let all = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in all { continuation.resume() }
    }

    /// Calls `body` when the connection has ended, immediately when the peer leaves. Does not call it for a connection handed back by
    /// ``finish(keepAlive:)``.
    public func onClose(_ body: @escaping @Sendable (CloseReason) -> Void) { outlet.onClose(body) }

    /// Ends the response. Closes the connection once everything is written.
    /// - Parameter keepAlive: whether the response declared its length, so that the connection can serve another request. The connection is
    ///   reused only if the client wants that and the kernel has accepted all bytes before this call (see ``drained()``).
    public func finish(keepAlive: Bool = false) {
        if keepAlive, keepsAlive, reactor.handBack(outlet) { return }
        outlet.finish()
    }

    /// Cuts the connection immediately.
    public func abort() { outlet.abort(.stopped) }
}
