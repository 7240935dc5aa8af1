import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// A socket taken over from the parser: written by any thread without blocking, watched by the reactor.
package final class Outlet: Sendable {
    struct State {
        var fd: Int32
        var queue = EventQueue()
        var isBlocked = false
        var isClosing = false
        var isLingering = false
        var reason: CloseReason?
        /// When something was last sent, or first waited.
        var progress: ContinuousClock.Instant
        var received = 0
        var onClose: (@Sendable (CloseReason) -> Void)?
        /// By lane.
        var onDrain: [UInt8: @Sendable () -> Void] = [:]
    }

    let id: UInt64
    let kind: Kind
    let peer: Peer
    let reactor: Reactor
    private var configuration: Configuration { reactor.configuration(kind) }
    private let state: Mutex<State>
    /// The size of the queue, for readers that must not wait for the lock. Written under it.
    private let waitingBytes = Atomic(0)
    private let waitingCount = Atomic(0)

    init(id: UInt64, kind: Kind, fd: Int32, peer: Peer, reactor: Reactor) {
        self.id = id
        self.kind = kind
        self.peer = peer
        self.reactor = reactor
        state = Mutex(State(fd: fd, progress: ContinuousClock.now))
    }

    package var isOpen: Bool { state.withLock { $0.fd >= 0 && !$0.isClosing } }
    /// Whether everything is written, and the peer was told of the end.
    var hasShut: Bool { state.withLock { $0.isLingering } }
    /// Locks nothing.
    var pressure: (bytes: Int, count: Int) {
        (waitingBytes.load(ordering: .acquiring), waitingCount.load(ordering: .acquiring))
    }

    /// Changes what may change the queue.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer {
                waitingBytes.store(state.queue.bytes, ordering: .releasing)
                waitingCount.store(state.queue.count, ordering: .releasing)
            }
            return body(&state)
        }
    }

    /// Follow-up of a change under the lock, done outside of it.
    enum After {
        case nothing
        case drained([@Sendable () -> Void])
        case closed((@Sendable (CloseReason) -> Void)?, CloseReason)
    }

    func send(_ event: Event) -> SendResult {
        var after = After.nothing
        let result = change { state -> SendResult in
            guard state.fd >= 0, !state.isClosing else { return .closed }
            if state.queue.isEmpty && !state.isBlocked {
                let written = write(event.frame, 0, &state)
                if state.fd < 0 || written < 0 {
                    after = close(&state, .peer)
                    return .closed
                }
                state.progress = ContinuousClock.now
                if written == event.frame.count { return .sent }
                state.queue.resume(event, written: written)
                return .queued
            }
            switch state.queue.push(event, limits: configuration.limits) {
            case .queued(_, let dropped):
                if !dropped.isEmpty { reactor.dropped(dropped.count) }
                return .queued
            case .dropped:
                reactor.dropped(1)
                return .dropped
            case .overflow:
                after = close(&state, .overflow)
                return .closed
            }
        }
        finish(after)
        return result
    }

    func discard(lane: UInt8, where isStale: (UInt64) -> Bool) -> Int {
        change { $0.queue.discard(lane: lane, where: isStale) }
    }

    /// Called once, with the reason; at once when the stream is closed already.
    func onClose(_ body: @escaping @Sendable (CloseReason) -> Void) {
        let reason = state.withLock { state -> CloseReason? in
            if state.fd < 0 { return state.reason ?? .peer }
            if let earlier = state.onClose {
                state.onClose = {
                    earlier($0)
                    body($0)
                }
            } else {
                state.onClose = body
            }
            return nil
        }
        if let reason { body(reason) }
    }

    /// Called each time the queue ran empty after it had held something. Replaces an earlier one of the same lane.
    func onDrain(lane: UInt8 = 0, _ body: (@Sendable () -> Void)?) {
        state.withLock { $0.onDrain[lane] = body }
    }

    /// Closes once everything queued is written; nothing more can be sent.
    func finish(with last: Event? = nil) {
        var after = After.nothing
        change { state in
            guard state.fd >= 0, !state.isClosing else { return }
            if let last {
                if state.queue.isEmpty { state.progress = ContinuousClock.now }
                _ = state.queue.push(last, limits: .none)
            }
            state.isClosing = true
            after = flush(&state)
        }
        finish(after)
    }

    package func abort(_ reason: CloseReason) {
        finish(change { $0.fd >= 0 ? close(&$0, reason) : .nothing })
    }

    /// Gives the socket away when everything is written. Nil when something waits or it is closed.
    func release() -> Int32? {
        state.withLock { state in
            guard state.fd >= 0, state.queue.isEmpty, !state.isClosing else { return nil }
            let fd = state.fd
            reactor.forget(self, fd, .finished)
            state.fd = -1
            state.reason = .finished
            state.onClose = nil
            state.onDrain = [:]
            return fd
        }
    }

    /// Has the reactor watch the socket. Does nothing once it is closed: its number may be another socket's by then.
    package func watch() {
        var after = After.nothing
        change { state in
            guard state.fd >= 0 else { return }
            if !reactor.watch(self, state.fd) { after = close(&state, .stopped) }
        }
        finish(after)
    }

    // MARK: called by the reactor

    func ready(_ events: UInt32) {
        var after = After.nothing
        change { state in
            guard state.fd >= 0 else { return }
            if events & UInt32(MICRO_WRITABLE) != 0 {
                state.isBlocked = false
                if !state.queue.isEmpty || state.isClosing { after = flush(&state) }
            }
            guard state.fd >= 0 else { return }
            if kind != .bytes, events & UInt32(MICRO_READABLE) != 0, !discardInput(&state) {
                after = close(&state, state.received > Configuration.patience(kind) ? .flooded : .peer)
            } else if events & UInt32(MICRO_HANGUP) != 0 {
                after = close(&state, .peer)
            }
        }
        finish(after)
    }

    /// Heartbeats and stuck readers; `tick` is the time between two calls.
    func tick(_ now: ContinuousClock.Instant, _ tick: Duration) {
        var after = After.nothing
        change { state in
            guard state.fd >= 0 else { return }
            if !state.queue.isEmpty || state.isLingering {
                if now - state.progress > configuration.stuckTimeout { after = close(&state, .stuck) }
            } else if kind == .events, !state.isBlocked, now - state.progress > configuration.heartbeat - tick {
                let written = write(Event.heartbeat.frame, 0, &state)
                if written < 0 {
                    after = close(&state, .peer)
                    return
                }
                state.progress = now
                if written < Event.heartbeat.frame.count { state.queue.resume(.heartbeat, written: written) }
            }
        }
        finish(after)
    }

    private func finish(_ after: After) {
        switch after {
        case .nothing: break
        case .drained(let bodies): for body in bodies { body() }
        case .closed(let body, let reason): body?(reason)
        }
    }
}

extension Outlet {
    package enum Kind: Sendable {
        /// An event stream: bounded, with heartbeats; what the peer sends is thrown away.
        case events
        /// A raw stream: what the peer sends is left in the kernel for the next request.
        case bytes
        /// An answer to a request that was not read to its end: what the peer still sends is thrown away until it has
        /// seen the answer. Closing at once would make the kernel reset the connection, and the answer be lost.
        case lingering
    }

    struct Configuration: Sendable {
        var limits = EventQueue.Limits.none
        var heartbeat = Duration.seconds(Int64.max)
        var stuckTimeout: Duration
        /// The most bytes that are read from the peer and discarded.
        static func patience(_ kind: Kind) -> Int { kind == .lingering ? 16 << 20 : 64 << 10 }
    }
}

/// The reason a stream ended.
public enum CloseReason: Sendable, Equatable, CaseIterable {
    /// The peer left.
    case peer
    /// The server closed the stream, with all queued data written.
    case finished
    /// The peer read nothing for too long.
    case stuck
    /// An event that must not be dropped did not fit into the queue.
    case overflow
    /// The peer sent data that it must not send.
    case flooded
    /// The server stopped before the peer read everything.
    case stopped
}

/// The outcome of sending an event or a piece of bytes.
public enum SendResult: Sendable, Equatable {
    /// The kernel has all of the data.
    case sent
    /// The data waits for the reader.
    case queued
    /// The event was dropped, because the reader is behind and the event is droppable.
    case dropped
    /// The stream is closed.
    case closed
}
