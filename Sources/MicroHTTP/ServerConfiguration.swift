import Threads

/// Listening address and all limits of a ``Server``.
public struct ServerConfiguration: Sendable {
    /// Numeric address or host name to listen on. `::` listens on both IPv6 and IPv4.
    public var address = "127.0.0.1"
    /// TCP port, 0...65535. 0 lets the system choose a port, which ``Server/start()`` returns.
    public var port: UInt16 = 0
    /// Maximum number of connections waiting to be accepted, 1...65535. The system may cap the value.
    public var backlog: Int32 = 4096

    /// Maximum number of connections that the parser holds at the same time, 1...1 000 000. Further connections wait up to ``patience``.
    public var maxConnections = 4096
    /// How long new connections wait for room before the server refuses them with 503, 0 s to 1 min. The wait matters if many browsers
    /// reconnect at the same moment. The server serves them all quickly, but a browser that receives 503 for its event stream never
    /// retries.
    public var patience: Duration = .seconds(1)
    /// Maximum number of connections and streams at the same time from one IPv4 address or one IPv6 /64 network. 0 means a quarter of
    /// ``maxConnections``, but at least 16. The server refuses further connections with 429.
    public var maxConnectionsPerAddress = 0
    /// Whether ``maxConnectionsPerAddress`` also applies to loopback peers. Off by default, because all viewers behind a proxy on this
    /// machine share the loopback address.
    public var limitsLoopback = false
    /// Whether a numeric address belongs to a proxy. ``maxConnectionsPerAddress`` does not apply to proxies, because many viewers share
    /// their address. The result must be the same for each call with the same address, and the call must not block.
    public var isProxy: @Sendable (_ address: String) -> Bool = { _ in false }
    /// Maximum number of event streams and byte streams at the same time, 0...1 000 000. The server refuses further streams with 503.
    public var maxStreams = 12_000
    /// File descriptors reserved for the rest of the process: downloads, files, the store.
    public var reservedDescriptors = 512

    /// Maximum size of the request line and headers together, 1024...65 536 bytes. Larger ones get 414 or 431. A body is handed over in
    /// pieces of about the same maximum size.
    public var headerLimit = 32 * 1024
    /// Maximum size of a request body in bytes, unless the route sets its own limit. Larger bodies get 413.
    public var bodyLimit = 64 * 1024
    /// How long a connection may stay idle: without a new request line and without a byte sent or received. Whole seconds, at least 1 s.
    public var idleTimeout: Duration = .seconds(30)
    /// Maximum time from the request line to the end of the body. Later requests get 408. Long bodies get extra time according to
    /// ``minimumBodyRate``. A connection is closed if its first request line does not arrive within this time.
    public var requestDeadline: Duration = .seconds(10)
    /// Maximum time from the end of a request to the response of an asynchronous handler, and for each piece of an upload. Later requests
    /// get 504.
    public var responseDeadline: Duration = .seconds(60)
    /// Minimum upload rate in bytes per second, at least 1. A body of n bytes may take `requestDeadline + n / minimumBodyRate`.
    public var minimumBodyRate = 4096
    /// Maximum time for sending a response that holds a resource until it is sent. The server then cuts the connection. Long responses get
    /// extra time according to ``minimumKeptRate``.
    public var keptDeadline: Duration = .seconds(60)
    /// Minimum download rate in bytes per second, at least 1. A response of n bytes that holds a resource may take
    /// `keptDeadline + n / minimumKeptRate`.
    public var minimumKeptRate = 64 << 10

    /// Maximum number of events and bytes queued for a reader that has fallen behind.
    public var streamQueue = EventQueue.Limits()
    /// Time without data after which a stream gets a comment line. The actual time may be up to a third shorter.
    public var heartbeat: Duration = .seconds(15)
    /// Time after which a stream is closed if its reader accepts no queued data. The actual time may be up to a third longer.
    public var stuckTimeout: Duration = .seconds(10)
    /// Maximum number of unsent bytes in the kernel's buffer for a stream. Newer events cannot replace data in that buffer.
    public var unsentLimit = 16 * 1024
    /// How long a stopping server lets streams send their queued data.
    public var farewell: Duration = .milliseconds(300)

    /// How long the kernel waits for a stream's unresponsive peer before it drops the connection (TCP_USER_TIMEOUT), in milliseconds. A
    /// reader that accepts no data is closed earlier, with a reason: see ``stuckTimeout``.
    package var peerTimeout: Int32 { Int32(clamping: max(30_000, stuckTimeout.nanoseconds / 500_000)) }

    /// Receives log lines, at most ten per second. Runs on the server's threads, so the closure must not block.
    public var log: (@Sendable (String) -> Void)?

    /// CPU time limit for a handler on the server's only request thread, or `nil` for no limit. A debug build stops at a handler that takes
    /// more than ten milliseconds of unoptimised code. A release build has no limit and only measures (``RequestRecord/held``).
    package var handlerLimit = HandlerWatch.debugLimit
    /// Called on the request thread after a handler exceeded ``handlerLimit``.
    package var onHandlerOverrun: @Sendable (String) -> Void = { assertionFailure($0) }
    /// Clocks that measure the handlers.
    package var handlerClocks = HandlerWatch.Clocks()

    /// Off only in a test that proves that the start-up test of the socket handoff detects a failure.
    package var turbo = true

    public init() {}

    /// Returns an error message that names the first field out of range, or `nil` if all values are in range.
    public func problem() -> String? {
        let checks: [(String, Bool)] = [
            ("backlog must be 1...65535", (1...65535).contains(backlog)),
            ("maxConnections must be 1...1000000", (1...1_000_000).contains(maxConnections)),
            ("maxConnectionsPerAddress must be 0 or more", maxConnectionsPerAddress >= 0),
            ("maxStreams must be 0...1000000", (0...1_000_000).contains(maxStreams)),
            ("reservedDescriptors must be 0...1000000", (0...1_000_000).contains(reservedDescriptors)),
            ("headerLimit must be 1024...65536", (1024...65536).contains(headerLimit)),
            ("bodyLimit must be 0 or more", bodyLimit >= 0),
            ("idleTimeout must be 1 s to 1 day", idleTimeout >= .seconds(1) && idleTimeout <= .seconds(86400)),
            (
                "requestDeadline must be 10 ms to 1 day",
                requestDeadline >= .milliseconds(10) && requestDeadline <= .seconds(86400)
            ),
            (
                "responseDeadline must be 10 ms to 1 day",
                responseDeadline >= .milliseconds(10) && responseDeadline <= .seconds(86400)
            ),
            ("minimumBodyRate must be 1 or more", minimumBodyRate >= 1),
            (
                "keptDeadline must be 10 ms to 1 day",
                keptDeadline >= .milliseconds(10) && keptDeadline <= .seconds(86400)
            ),
            ("minimumKeptRate must be 1 or more", minimumKeptRate >= 1),
            ("streamQueue must hold an event", streamQueue.count >= 1 && streamQueue.bytes >= 1),
            ("heartbeat must be 10 ms to 1 day", heartbeat >= .milliseconds(10) && heartbeat <= .seconds(86400)),
            (
                "stuckTimeout must be 10 ms to 1 day",
                stuckTimeout >= .milliseconds(10) && stuckTimeout <= .seconds(86400)
            ),
            ("unsentLimit must be 1...16777216", (1...16_777_216).contains(unsentLimit)),
            ("patience must be 0 s to 1 min", patience >= .zero && patience <= .seconds(60)),
            ("farewell must be 0 s to 1 min", farewell >= .zero && farewell <= .seconds(60)),
        ]
        return checks.first { !$0.1 }?.0
    }
}
