import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// An HTTP/1.1 server. libmicrohttpd reads and answers requests on one thread, and another thread serves the streams. The number of threads
/// does not grow with the number of clients.
public final class Server: Sendable {
    public let configuration: ServerConfiguration
    private let router: Router
    private let engine = Mutex<Engine?>(nil)

    public init(_ router: Router, configuration: ServerConfiguration = ServerConfiguration()) {
        self.configuration = configuration
        self.router = router
    }

    /// Serves until the calling task is cancelled, then stops like ``shutdown(grace:bye:)``.
    /// - Parameter onStart: called with the bound port once the server listens.
    /// - Throws: ``ServerError``, which says what to do about the failure.
    public func run(onStart: (_ port: UInt16) -> Void = { _ in }) async throws(ServerError) {
        onStart(try start())
        // This stream never yields. The loop ends when the task is cancelled.
        for await _ in AsyncStream<Void>(Void.self, { _ in }) {}
        await shutdown()
    }

    /// Starts to listen. Raises the process's soft limit of file descriptors to its hard limit.
    /// - Returns: the bound port.
    /// - Throws: ``ServerError``, which says what to do about the failure.
    public func start() throws(ServerError) -> UInt16 {
        if let problem = configuration.problem() { throw ServerError.configuration(problem) }
        guard engine.withLock({ $0 == nil }) else { throw ServerError.configuration("the server is running already") }
        let limits = try DescriptorLimit.raised(for: configuration)
        try DescriptorLimit.requireOwn()
        let probe = HandoffProbe()
        let engine = try Engine(
            configuration, router, probeRouter: probe.router,
            admission: Admission(configuration, maxConnections: limits.connections, maxStreams: limits.streams))
        if let note = limits.note { engine.logger.write(note) }

        var port: UInt16 = 0
        let fd = micro_listen(configuration.address, configuration.port, configuration.backlog, &port)
        guard fd >= 0 else {
            throw ServerError.cannotListen(address: configuration.address, port: configuration.port, code: -fd)
        }
        do {
            try engine.reactor.start(engine)
            try engine.start()
        } catch {
            close(fd)
            engine.reactor.stop()
            throw error
        }
        let isSound = probe.succeeds(on: engine)
        engine.isProbing.store(false, ordering: .sequentiallyConsistent)
        guard isSound else {
            close(fd)
            engine.reactor.stop()
            engine.stop()
            throw ServerError.handoffFails(version: String(cString: MHD_get_version()))
        }
        engine.reactor.listen(fd)
        self.engine.withLock { $0 = engine }
        return port
    }

    /// Stops the server: stops accepting connections, refuses new requests with 503, sends `bye` on every event stream, closes the streams,
    /// and waits for the requests in progress. Returns within `grace` plus the configuration's `farewell`, or much sooner if nothing is in
    /// progress.
    /// - Parameters:
    ///   - grace: maximum time for requests in progress and byte streams. After that, requests get 503 and byte streams are cut.
    ///   - bye: last event of every event stream.
    public func shutdown(grace: Duration = .seconds(5), bye: Event? = nil) async {
        let running = engine.withLock { engine in
            defer { engine = nil }
            return engine
        }
        guard let engine = running else { return }
        await engine.reactor.stopListening()
        engine.isDraining.store(true, ordering: .sequentiallyConsistent)
        for outlet in engine.reactor.outlets(.events) { outlet.finish(with: bye) }

        let reactor = engine.reactor
        let began = ContinuousClock.now
        await reactor.ends.wait(configuration.farewell) { reactor.count(.events) == 0 }
        for outlet in reactor.outlets(.events) { outlet.abort(.stopped) }
        await reactor.ends.wait(grace - began.duration(to: .now)) {
            engine.inFlight.load(ordering: .sequentiallyConsistent) == 0 && reactor.count(.bytes) == 0
        }
        engine.suspensions.close(engine.stopping(nil))
        await reactor.ends.wait(.milliseconds(100)) {
            engine.inFlight.load(ordering: .sequentiallyConsistent) == 0
        }
        await reactor.ends.wait(.milliseconds(100)) { reactor.count(.lingering) == 0 }
        engine.hangUp()
        await reactor.ends.wait(.seconds(1)) { engine.admission.connections == 0 }
        engine.reactor.stop()
        engine.stop()
        // The parser may have refused a last request during the shutdown.
        engine.reactor.abortAll()
    }

    /// Cuts off late requests as if `wait` had already passed.
    package func look(after wait: Duration) {
        engine.withLock { $0 }?.cutLateRequests(.now + wait)
    }

    /// Current counts. All are zero if the server does not run.
    public var metrics: ServerMetrics {
        guard let engine = engine.withLock({ $0 }) else { return ServerMetrics() }
        var metrics = ServerMetrics()
        metrics.connections = engine.admission.connections
        metrics.streams = engine.admission.streams
        metrics.requestsInFlight = engine.inFlight.load(ordering: .relaxed)
        metrics.requests = engine.requests.load(ordering: .relaxed)
        metrics.refusedConnections = engine.reactor.refusalCount
        metrics.droppedEvents = engine.reactor.dropCount
        metrics.endedStreams = engine.reactor.streamEnds
        metrics.wakeups = engine.reactor.wakeupCount
        metrics.maxConnections = engine.admission.maxConnections
        metrics.maxStreams = engine.admission.maxStreams
        return metrics
    }
}

/// Counts of a running server.
public struct ServerMetrics: Sendable, Equatable {
    /// Connections that the parser holds now.
    public var connections = 0
    /// Streams open now.
    public var streams = 0
    public var requestsInFlight = 0
    /// Requests since the start.
    public var requests = 0
    /// Connections refused since the start.
    public var refusedConnections = 0
    /// Events dropped since the start because their reader was behind.
    public var droppedEvents = 0
    /// Event streams that ended since the start, by reason.
    public var endedStreams: [CloseReason: Int] = [:]
    /// Number of times that the reactor's thread woke up.
    public var wakeups = 0
    /// Limits in force, which are lower than configured if the system provides too few descriptors.
    public var maxConnections = 0
    public var maxStreams = 0

    public init() {}
}

/// The reason a server does not start.
public enum ServerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A value of the configuration is out of range.
    case configuration(String)
    /// The server cannot listen on the address. `code` is an errno.
    case cannotListen(address: String, port: UInt16, code: Int32)
    /// The installed libmicrohttpd closes sockets that were taken over from it.
    case handoffFails(version: String)
    /// A system call failed. `code` is an errno.
    case system(String, code: Int32)

    public var description: String {
        switch self {
        case .configuration(let problem):
            problem
        case .cannotListen(let address, let port, EADDRINUSE):
            "port \(port) of \(address) is in use: stop the program that listens there, or choose another port"
        case .cannotListen(let address, let port, EACCES):
            "port \(port) of \(address) needs privileges: choose a port above 1023"
        case .cannotListen(let address, let port, EADDRNOTAVAIL):
            "\(address) is not an address of this machine (port \(port)): choose another address"
        case .cannotListen(let address, let port, let code):
            "cannot listen on port \(port) of \(address): \(String(cString: strerror(code)))"
        case .handoffFails(let version):
            "libmicrohttpd \(version) closes sockets that were taken over from it, so event streams cannot work: "
                + "install version 0.9.75, the one in Debian 12"
        case .system(let what, let code):
            "\(what): \(String(cString: strerror(code)))"
        }
    }
}
