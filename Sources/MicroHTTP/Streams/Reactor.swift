import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// The thread that watches everything except the parser's connections: new connections and all sockets taken over from the parser. The
/// thread sleeps without a timeout if nothing needs timing. Otherwise it checks each stream a few times a minute.
package final class Reactor: Sendable {
    private enum Command: Sendable {
        case listen(Int32)
        case stopListening(CheckedContinuation<Void, Never>)
        case handBack(Int32)
        case stop
    }

    private struct State {
        var outlets: [UInt64: Outlet] = [:]
        var counts: [Outlet.Kind: Int] = [:]
        /// Event streams that ended, by reason.
        var ends: [CloseReason: Int] = [:]
        var commands: [Command] = []
        var isStopping = false
        /// Whether the thread has ended. No command is accepted after that.
        var hasEnded = false
        var thread: pthread_t?
    }

    let admission: Admission
    let ends = EndWaiter()
    private let configuration: ServerConfiguration
    private let poll: EventPoll
    private let state = Mutex(State())
    private let nextID = Atomic<UInt64>(16)
    private let wakeups = Atomic<Int>(0)
    private let drops = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)
    private let events: Outlet.Configuration
    private let plain: Outlet.Configuration

    private static let listenID: UInt64 = 1
    /// Bit that marks the ids of suspended requests whose client is watched.
    private static let requestBit: UInt64 = 1 << 63

    package init(_ configuration: ServerConfiguration, admission: Admission) throws(ServerError) {
        guard let poll = EventPoll() else {
            throw ServerError.system("cannot create an epoll descriptor", code: errno)
        }
        self.poll = poll
        self.configuration = configuration
        self.admission = admission
        events = .init(
            limits: configuration.streamQueue, heartbeat: configuration.heartbeat,
            stuckTimeout: configuration.stuckTimeout)
        plain = .init(stuckTimeout: configuration.stuckTimeout)
    }

    var wakeupCount: Int { wakeups.load(ordering: .relaxed) }
    var dropCount: Int { drops.load(ordering: .relaxed) }
    var streamEnds: [CloseReason: Int] { state.withLock { $0.ends } }
    var refusalCount: Int { refusals.load(ordering: .relaxed) }
    func dropped(_ count: Int) { drops.wrappingAdd(count, ordering: .relaxed) }
    func configuration(_ kind: Outlet.Kind) -> Outlet.Configuration { kind == .events ? events : plain }

    // MARK: from any thread

    /// Creates an outlet for a socket that is already counted as a stream. From here on only the outlet owns the descriptor. The reactor
    /// watches the socket after ``Outlet/watch()``.
    package func outlet(_ kind: Outlet.Kind, fd: Int32, peer: Peer) -> Outlet {
        micro_tune(fd, Int32(configuration.unsentLimit), configuration.peerTimeout)
        let id = nextID.wrappingAdd(1, ordering: .relaxed).newValue
        let outlet = Outlet(id: id, kind: kind, fd: fd, peer: peer, reactor: self)
        state.withLock {
            $0.outlets[id] = outlet
            $0.counts[kind, default: 0] += 1
        }
        return outlet
    }

    /// Called by an outlet under its lock. Returns false if the socket cannot be watched.
    func watch(_ outlet: Outlet, _ fd: Int32) -> Bool { poll.watch(fd, outlet.id, .changes) }

    /// Arranges a call of ``Suspensions/left(_:)`` when the client of a suspended request closes its side. Returns false if the socket
    /// cannot be watched.
    func watchEnd(_ fd: Int32, of ticket: UInt64) -> Bool { poll.watch(fd, ticket | Self.requestBit, .end) }

    /// Ends the watching of a suspended request's socket. Must be called before the socket may be closed.
    func unwatchEnd(_ fd: Int32) { poll.unwatch(fd) }

    /// Called by an outlet that ends, under its lock.
    func forget(_ outlet: Outlet, _ fd: Int32, _ reason: CloseReason) {
        poll.unwatch(fd)
        state.withLock { state in
            guard state.outlets.removeValue(forKey: outlet.id) != nil else { return }
            state.counts[outlet.kind, default: 0] -= 1
            if outlet.kind == .events { state.ends[reason, default: 0] += 1 }
        }
        ends.notify()
    }

    /// Gives a connection back to the parser. Returns false if that is not possible.
    package func handBack(_ outlet: Outlet) -> Bool {
        guard !state.withLock({ $0.isStopping }), let fd = outlet.release() else { return false }
        admission.becomeConnection()
        if !command(.handBack(fd)) {
            close(fd)
            admission.leaveConnection(outlet.peer)
        }
        return true
    }

    func listen(_ fd: Int32) { command(.listen(fd)) }

    /// Accepts the connections that are already waiting, then stops accepting.
    func stopListening() async {
        await withCheckedContinuation { continuation in
            state.withLock { $0.isStopping = true }
            command(.stopListening(continuation))
        }
    }

    func count(_ kind: Outlet.Kind) -> Int { state.withLock { $0.counts[kind] ?? 0 } }

    func outlets(_ kind: Outlet.Kind) -> [Outlet] {
        state.withLock { state in state.outlets.values.filter { $0.kind == kind } }
    }

    /// Queues a command for the thread. Returns false if the thread has ended.
    @discardableResult
    private func command(_ command: Command) -> Bool {
        let isTaken = state.withLock { state in
            if !state.hasEnded { state.commands.append(command) }
            return !state.hasEnded
        }
        if isTaken { poll.wake() }
        return isTaken
    }

    // MARK: the thread

    func start(_ engine: Engine) throws(ServerError) {
        do throws(SystemThread.Refusal) {
            let thread = try SystemThread.start("reactor") { self.run(engine) }
            state.withLock { $0.thread = thread }
        } catch {
            throw ServerError.system("cannot create a thread", code: error.code)
        }
    }

    /// Ends the thread, then aborts all outlets.
    package func stop() {
        command(.stop)
        if let thread = state.withLock({ $0.thread }) { pthread_join(thread, nil) }
        abortAll()
        let left = state.withLock { state in
            state.hasEnded = true
            defer { state.commands = [] }
            return state.commands
        }
        // Nobody owns a socket that is handed back too late, so close it.
        for case .handBack(let fd) in left { close(fd) }
    }

    package func abortAll() {
        for outlet in state.withLock({ Array($0.outlets.values) }) { outlet.abort(.stopped) }
    }

    private func run(_ engine: Engine) {
        var listening = ListeningSocket(configuration: configuration)
        let tick = max(.milliseconds(10), min(events.heartbeat, events.stuckTimeout) / 3)
        let shortest = min(configuration.requestDeadline, configuration.responseDeadline)
        let sweep = max(.milliseconds(10), min(.seconds(1), shortest / 4))
        var nextTick: ContinuousClock.Instant?
        var nextSweep: ContinuousClock.Instant?
        var nextLook: ContinuousClock.Instant?
        var ready: [EventPoll.Ready] = []
        while true {
            let due = [nextTick, nextSweep, nextLook].compactMap { $0 }.min()
            let isWoken = poll.wait(due.map { $0 - .now }, &ready)
            wakeups.wrappingAdd(1, ordering: .relaxed)
            if isWoken, !obey(engine, &listening) { return listening.close(poll) }
            for one in ready {
                switch one.id {
                case Self.listenID:
                    refusals.wrappingAdd(listening.accept(admission, engine), ordering: .relaxed)
                    if listening.isFull {
                        // Retry soon. Until then, the new connections wait in the system's backlog.
                        listening.rest(poll)
                        nextLook = .now + .milliseconds(5)
                    }
                case Self.requestBit...: engine.suspensions.left(one.id & ~Self.requestBit)
                default: state.withLock { $0.outlets[one.id] }?.ready(one)
                }
            }
            let now = ContinuousClock.now
            if let due = nextTick, now >= due {
                for outlet in state.withLock({ Array($0.outlets.values) }) { outlet.tick(now, tick) }
                nextTick = nil
            }
            if let due = nextLook, now >= due {
                listening.watch(poll, Self.listenID)
                nextLook = nil
            }
            if let due = nextSweep, now >= due {
                engine.cutLateRequests(now)
                nextSweep = nil
            }
            if nextTick == nil, !state.withLock({ $0.outlets.isEmpty }) { nextTick = now + tick }
            if nextSweep == nil, admission.connections > 0 { nextSweep = now + sweep }
        }
    }

    private func obey(_ engine: Engine, _ listening: inout ListeningSocket) -> Bool {
        let commands = state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
        var continues = true
        for command in commands {
            switch command {
            case .listen(let fd):
                listening.open(fd)
                listening.watch(poll, Self.listenID)
            case .stopListening(let continuation):
                listening.patience = .zero
                refusals.wrappingAdd(listening.accept(admission, engine), ordering: .relaxed)
                listening.close(poll)
                continuation.resume()
            case .handBack(let fd):
                var address = sockaddr_storage()
                var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
                _ = withUnsafeMutablePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(fd, $0, &length) }
                }
                engine.connect(fd, &address, length)
            case .stop:
                continues = false
            }
        }
        return continues
    }
}

/// Waits for requests and streams to end when the server stops. If nobody waits, a notification costs one atomic load.
final class EndWaiter: Sendable {
    private let isAwaited = Atomic(false)
    private let listener = Mutex<AsyncStream<Void>.Continuation?>(nil)

    /// Wakes the waiter. Call this after a request or stream has ended and has been counted.
    func notify() {
        // The order of the load and the counts matters: a new waiter sees the changed count, or this load sees the waiter.
        guard isAwaited.load(ordering: .sequentiallyConsistent) else { return }
        _ = listener.withLock { $0 }?.yield()
    }

    /// Returns once `isDone` is true, or after `limit`. Calls `isDone` after each notification. Allows one waiter at a time.
    func wait(_ limit: Duration, until isDone: () -> Bool) async {
        let (endings, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        listener.withLock { $0 = continuation }
        isAwaited.store(true, ordering: .sequentiallyConsistent)
        let alarm = Task {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        if !isDone() {
            for await _ in endings where isDone() { break }
        }
        alarm.cancel()
        isAwaited.store(false, ordering: .sequentiallyConsistent)
    }
}
