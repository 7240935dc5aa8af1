import CMicroHTTPD
import Glibc
import Numbers
import Synchronization
import Threads

/// A running server's parser thread, reactor, and shared counts.
final class Engine: Sendable {
    let configuration: ServerConfiguration
    let router: Router
    let probeRouter: Router
    let admission: Admission
    let reactor: Reactor
    let suspensions: Suspensions
    let scratch: Scratch
    let logger: RateLimitedLog
    let watch: HandlerWatch

    /// Incremented before `isDraining` is checked. So a stopping server counts the request, or the request notices the stop.
    let inFlight = Atomic<Int>(0)
    let isDraining = Atomic<Bool>(false)
    let isProbing = Atomic<Bool>(true)
    private let isHangingUp = Atomic<Bool>(false)
    let requests = Atomic<Int>(0)

    private let exchanges = Mutex<[ObjectIdentifier: Exchange]>([:])
    private let daemon = Mutex<Daemon?>(nil)

    /// Used only under the lock of `daemon`, until ``stop()`` has removed it.
    private struct Daemon: @unchecked Sendable { let pointer: OpaquePointer }
    /// Buffer for headers. Only the parser's thread uses it.
    struct Scratch: @unchecked Sendable { let buffer: UnsafeMutableBufferPointer<UInt8> }

    init(_ configuration: ServerConfiguration, _ router: Router, probeRouter: Router, admission: Admission)
        throws(ServerError)
    {
        self.configuration = configuration
        self.router = router
        self.probeRouter = probeRouter
        self.admission = admission
        reactor = try Reactor(configuration, admission: admission)
        suspensions = Suspensions(reactor)
        scratch = Scratch(buffer: .allocate(capacity: configuration.headerLimit + 4096))
        logger = RateLimitedLog(configuration.log)
        watch = HandlerWatch(
            limit: configuration.handlerLimit, onOverrun: configuration.onHandlerOverrun,
            clocks: configuration.handlerClocks)
    }

    deinit { scratch.buffer.deallocate() }

    /// Starts the parser's thread, which retains the engine until ``stop()``.
    func start() throws(ServerError) {
        var callbacks = Self.callbacks
        callbacks.owner = Unmanaged.passRetained(self).toOpaque()
        let idle = UInt32(clamping: configuration.idleTimeout.components.seconds)
        guard
            let pointer = micro_start(
                &callbacks, UInt32(clamping: admission.maxConnections + 64), max(1, idle), configuration.headerLimit,
                configuration.turbo ? 1 : 0)
        else {
            Unmanaged.passUnretained(self).release()
            throw ServerError.system("libmicrohttpd cannot start", code: errno)
        }
        daemon.withLock { $0 = Daemon(pointer: pointer) }
    }

    /// Ends the parser's thread and its connections. From this call on, no request may be suspended and no connection added.
    func stop() {
        guard
            let running = daemon.withLock({ daemon in
                defer { daemon = nil }
                return daemon
            })
        else { return }
        micro_stop(running.pointer)
        Unmanaged.passUnretained(self).release()
    }

    /// Gives an admitted socket to the parser.
    func connect(_ fd: Int32, _ address: UnsafePointer<sockaddr_storage>, _ length: socklen_t) {
        // Hold the lock while adding, so that the parser cannot stop during the call.
        daemon.withLock { daemon in
            let isAdded = address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                if let daemon { return micro_add(daemon.pointer, fd, address, length) != 0 }
                close(fd)
                return false
            }
            if !isAdded {
                address.withMemoryRebound(to: sockaddr.self, capacity: 1) { admission.leaveConnection(Peer($0)) }
            }
        }
    }

    func opened(_ fd: Int32, _ address: UnsafePointer<sockaddr>?) -> Exchange {
        let exchange = Exchange(fd: fd, peer: Peer(address), isProbe: isProbing.load(ordering: .relaxed))
        exchanges.withLock { $0[ObjectIdentifier(exchange)] = exchange }
        if isHangingUp.load(ordering: .sequentiallyConsistent) { exchange.cut() }
        return exchange
    }

    /// Ends all connections before the parser stops. If libmicrohttpd refuses a request while it is being stopped, it reads a response that
    /// it has already released, and crashes.
    func hangUp() {
        isHangingUp.store(true, ordering: .sequentiallyConsistent)
        for exchange in exchanges.withLock({ Array($0.values) }) { exchange.cut() }
    }

    func closed(_ exchange: Exchange) {
        exchange.progress.withLock { $0.fd = -1 }
        _ = exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(exchange)) }
        if !exchange.isTakenOver { admission.leaveConnection(exchange.peer) }
        reactor.ends.notify()
    }

    /// Closes connections whose request arrives too slowly, or whose client reads too slowly while the server holds a resource for the
    /// response. libmicrohttpd's own timeout only detects silence. Responds 504 if a handler takes too long.
    func cutLateRequests(_ now: ContinuousClock.Instant) {
        let limit = configuration.responseDeadline
        suspensions.expire(since: now - limit) { [router] request in
            router.errorResponse(504, "there was no response within \(limit.components.seconds) s", request)
        }
        lazy var tooLate = router.errorResponse(408, "the request took too long to arrive", nil).serialised(for: nil)
        let idle = configuration.idleTimeout
        let deadline = configuration.requestDeadline
        for exchange in exchanges.withLock({ Array($0.values) }) {
            exchange.progress.withLock { progress in
                guard progress.fd >= 0 else { return }
                switch progress.phase {
                case .waiting:
                    // A connection without any request yet gets at most the time allowed for a request.
                    guard now - progress.since > (progress.hasRequested ? idle : min(idle, deadline)) else { return }
                case .receiving:
                    let allowance = Duration(
                        clampingSeconds: Double(progress.received) / Double(configuration.minimumBodyRate))
                    guard now - progress.since > deadline + allowance else { return }
                    _ = send(progress.fd, tooLate, tooLate.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
                case .sending:
                    let allowance = Duration(
                        clampingSeconds: Double(progress.kept) / Double(configuration.minimumKeptRate))
                    guard now - progress.since > configuration.keptDeadline + allowance else { return }
                case .busy, .cut:
                    return
                }
                progress.phase = .cut
                shutdown(progress.fd, Int32(SHUT_RDWR))
            }
        }
    }
}

/// Writes at most ten lines a second, and reports the number of omitted lines.
final class RateLimitedLog: Sendable {
    private struct State {
        /// Start of the second in which the lines are counted.
        var began = ContinuousClock.now
        var lines = 0
        var left = 0
    }
    private let state = Mutex(State())
    private let output: (@Sendable (String) -> Void)?

    init(_ output: (@Sendable (String) -> Void)?) { self.output = output }

    func write(_ line: String) {
        guard let output else { return }
        let now = ContinuousClock.now
        let left = state.withLock { state -> Int? in
            if now - state.began >= .seconds(1) {
                let left = state.left
                state = State(began: now, lines: 1)
                return left
            }
            state.lines += 1
            if state.lines <= 10 { return 0 }
            state.left += 1
            return nil
        }
        guard let left else { return }
        var text = line
        while text.last?.isNewline == true { text.removeLast() }
        output(left > 0 ? "\(text) (\(left) lines before this were left out)" : text)
    }
}
