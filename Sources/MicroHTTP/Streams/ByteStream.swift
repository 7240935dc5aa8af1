import Synchronization

/// A connection in the hands of its handler, which writes everything: status line, headers, body.
/// Everything here may be called from any thread and never blocks.
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

    /// Writes, or queues what the kernel does not take. The queue has no bound: wait for it with ``drained()``.
    @discardableResult
    public func write(_ bytes: [UInt8]) -> SendResult { outlet.send(Event(frame: bytes)) }

    /// Bytes the kernel has not taken yet.
    public var pending: Int { outlet.pressure.bytes }
    /// Whether something can still be written.
    public var isOpen: Bool { outlet.isOpen }

    /// Returns once everything written is with the kernel: true, or false when the peer is gone.
    public func drained() async -> Bool {
        if pending > 0 {
            await withCheckedContinuation { continuation in
                let isFirst = waiting.withLock {
                    $0.append(continuation)
                    return $0.count == 1
                }
                if isFirst { outlet.onDrain { [weak self] in self?.wake() } }
                // It may have drained or closed before this continuation was there to be woken.
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

    /// Calls `body` when the connection has ended, at once when the peer leaves. Not called for one handed back by ``finish(keepAlive:)``.
    public func onClose(_ body: @escaping @Sendable (CloseReason) -> Void) { outlet.onClose(body) }

    /// Ends the answer: closes once everything is written.
    /// - Parameter keepAlive: whether the answer told its length, so that the connection may serve another request. It
    ///   does if the client wants so and everything written is with the kernel by now (see ``drained()``).
    public func finish(keepAlive: Bool = false) {
        if keepAlive, keepsAlive, reactor.handBack(outlet) { return }
        outlet.finish()
    }

    /// Breaks the connection off.
    public func abort() { outlet.abort(.stopped) }
}
