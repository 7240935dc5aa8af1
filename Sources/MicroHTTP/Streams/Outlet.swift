import Glibc
import Synchronization
import Threads

/// A socket taken over from the parser. Any thread can write to it without blocking, and the reactor watches it.
package final class Outlet: Sendable {
    struct State {
        var fd: Int32
        var queue = EventQueue()
        var isBlocked = false
        var isClosing = false
        var isLingering = false
        var reason: CloseReason?
        /// Time of the last successful write, or of queueing the first event of an empty queue.
        var progress: ContinuousClock.Instant
        var received = 0
        var onClose: (@Sendable (CloseReason) -> Void)?
        /// Closures by lane.
        var onDrain: [UInt8: @Sendable () -> Void] = [:]
    }

    let id: UInt64
    let kind: Kind
    let peer: Peer
    let reactor: Reactor
    private var configuration: Configuration { reactor.configuration(kind) }
    private let state: Mutex<State>
    /// Size of the queue, for readers that must not wait for the lock. Written under the lock.
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
    /// Whether everything is written and the sending direction of the socket is shut down.
    var hasShut: Bool { state.withLock { $0.isLingering } }
    /// Bytes and events in the queue. Needs no lock.
    var pressure: (bytes: Int, count: Int) {
        (waitingBytes.load(ordering: .acquiring), waitingCount.load(ordering: .acquiring))
    }

    /// Runs `body` under the lock, then publishes the size of the queue. For all changes that may affect the queue.
    private func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.withLock { state in
            defer {
                waitingBytes.store(state.queue.bytes, ordering: .releasing)
                waitingCount.store(state.queue.count, ordering: .releasing)
            }
            return body(&state)
        }
    }

    /// Follow-up of a change, to run outside of the lock.
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

    /// Calls `body` once with the reason, immediately if the stream is already closed.
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

    /// Calls `body` each time the queue becomes empty. Replaces an earlier closure of the same lane.
    func onDrain(lane: UInt8 = 0, _ body: (@Sendable () -> Void)?) {
        state.withLock { $0.onDrain[lane] = body }
    }

    /// Closes the stream once all queued data is written. Accepts no further data.
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

    /// Gives up ownership of the socket if everything is written. Returns `nil` if data is queued or the socket is closed.
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

    /// Lets the reactor watch the socket. Does nothing after the close, because its number may then belong to another socket.
    package func watch() {
        var after = After.nothing
        change { state in
            guard state.fd >= 0 else { return }
            if !reactor.watch(self, state.fd) { after = close(&state, .stopped) }
        }
        finish(after)
    }

    // MARK: called by the reactor

    func ready(_ ready: EventPoll.Ready) {
        var after = After.nothing
        change { state in
            guard state.fd >= 0 else { return }
            if ready.isWritable {
                state.isBlocked = false
                if !state.queue.isEmpty || state.isClosing { after = flush(&state) }
            }
            guard state.fd >= 0 else { return }
            if kind != .bytes, ready.isReadable, !discardInput(&state) {
                after = close(&state, state.received > Configuration.patience(kind) ? .flooded : .peer)
            } else if ready.isHungUp {
                after = close(&state, .peer)
            }
        }
        finish(after)
    }

    /// Sends heartbeats and closes stuck streams. `tick` is the time between two calls.
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
        /// An event stream: bounded, with heartbeats. Input from the peer is discarded.
        case events
        /// A raw stream. Input from the peer stays in the kernel for the next request.
        case bytes
        /// A response to a request that was not read to its end. Further input is discarded until the peer has seen the response. An
        /// immediate close would make the kernel reset the connection, and the response would be lost.
        case lingering
    }

    struct Configuration: Sendable {
        var limits = EventQueue.Limits.none
        var heartbeat = Duration.seconds(Int64.max)
        var stuckTimeout: Duration
        /// Maximum number of input bytes to read and discard.
        static func patience(_ kind: Kind) -> Int { kind == .lingering ? 16 << 20 : 64 << 10 }
    }
}

/// Reason why a stream ended.
public enum CloseReason: Sendable, Equatable, CaseIterable {
    case peer
    /// The server closed the stream after writing all queued data.
    case finished
    /// The peer read no data for too long.
    case stuck
    /// An event that must not be dropped did not fit into the queue.
    case overflow
    /// The peer sent too much unexpected data.
    case flooded
    /// The server stopped before the peer read everything.
    case stopped
}

/// Result of sending an event or bytes.
public enum SendResult: Sendable, Equatable {
    /// The kernel accepted all of the data.
    case sent
    case queued
    /// The event was dropped, because it is droppable and the reader is behind.
    case dropped
    case closed
}
