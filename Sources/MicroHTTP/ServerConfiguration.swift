import Threads

/// The address that a ``Server`` listens on, and all its limits.
public struct ServerConfiguration: Sendable {
    /// Numeric address or host name to listen on. `::` listens on IPv6 and IPv4.
    public var address = "127.0.0.1"
    /// TCP port, 0...65535; 0 lets the system pick (``Server/start()`` returns what it picked).
    public var port: UInt16 = 0
    /// Connections waiting to be accepted, 1...65535; the system may cap it.
    public var backlog: Int32 = 4096

    /// Connections in the hands of the parser at once, 1...1 000 000. One more waits for ``patience``.
    public var maxConnections = 4096
    /// How long there may be no room for new connections, 0 s to 1 min, until they are answered 503 and closed. A crowd that
    /// comes back all at once is served in a moment, while a browser that gets 503 for its event stream gives up for good.
    public var patience: Duration = .seconds(1)
    /// Connections and streams of one address (of one /64 network for IPv6) at once; 0 means a quarter of
    /// ``maxConnections``, but 16 at least. One more is answered 429 and closed.
    public var maxConnectionsPerAddress = 0
    /// Whether ``maxConnectionsPerAddress`` holds for loopback peers, too. Off by default: behind a proxy on this
    /// machine every viewer comes from there.
    public var limitsLoopback = false
    /// Whether a numeric address is a proxy's, which ``maxConnectionsPerAddress`` does not limit: many viewers come from
    /// there. Must give the same answer each time, and not block.
    public var isProxy: @Sendable (_ address: String) -> Bool = { _ in false }
    /// Sockets taken over (event streams and byte streams) at once, 0...1 000 000. One more is answered 503.
    public var maxStreams = 12_000
    /// File descriptors kept free for the rest of the process: downloads, files, the store.
    public var reservedDescriptors = 512

    /// Bytes of the request line and headers together, 1024...65 536: about so much is also the largest piece of a body
    /// handed over at once. More is answered 414 or 431.
    public var headerLimit = 32 * 1024
    /// Bytes of a request's body where its route sets no limit of its own. More is answered 413.
    public var bodyLimit = 64 * 1024
    /// How long a connection may stay without a next request line, or without taking or giving a byte; whole seconds, at
    /// least 1 s.
    public var idleTimeout: Duration = .seconds(30)
    /// From the request line to the end of its body; then 408. A long body gets more time by ``minimumBodyRate``. The first
    /// request line of a connection must have come within this time, too, or the connection is closed.
    public var requestDeadline: Duration = .seconds(10)
    /// From the end of a request to the answer of a handler that answers later, and for each piece of an upload; then 504.
    public var answerDeadline: Duration = .seconds(60)
    /// Bytes per second: a body of n bytes may take `requestDeadline + n / minimumBodyRate`. At least 1.
    public var minimumBodyRate = 4096
    /// How long a client may take for an answer that keeps something until it is sent; then it is cut off. A long one gets
    /// more time by ``minimumKeptRate``.
    public var keptDeadline: Duration = .seconds(60)
    /// Bytes per second: an answer of n bytes that keeps something may take `keptDeadline + n / minimumKeptRate`. At least 1.
    public var minimumKeptRate = 64 << 10

    /// Events and bytes an event stream may hold while its reader does not read.
    public var streamQueue = EventQueue.Limits()
    /// A stream without anything sent for this long gets a comment line. It comes up to a third earlier.
    public var heartbeat: Duration = .seconds(15)
    /// A stream whose reader takes nothing for this long while something is queued is closed. It closes up to a third later.
    public var stuckTimeout: Duration = .seconds(10)
    /// Unsent bytes the kernel may hold for a stream: what it holds cannot be superseded any more.
    public var unsentLimit = 16 * 1024
    /// How long a closing server lets streams take what is queued for them.
    public var farewell: Duration = .milliseconds(300)

    /// How long the kernel waits for a stream's peer to take or answer before it gives the connection up
    /// (TCP_USER_TIMEOUT), in ms. A reader that takes nothing is closed before, with a reason: see ``stuckTimeout``.
    package var peerTimeout: Int32 { Int32(clamping: max(30_000, stuckTimeout.nanoseconds / 500_000)) }

    /// Told one line for each thing worth a log, at most ten a second. Called on the server's threads: must not block.
    public var log: (@Sendable (String) -> Void)?

    /// CPU time that a handler may take of the server's one thread for requests; `nil` for any. A debug build stops at one
    /// that takes more than ten milliseconds, unoptimised; a release build has no limit and counts (``RequestRecord/held``).
    package var handlerLimit = HandlerWatch.debugLimit
    /// Told of a handler that took more, on that thread.
    package var onHandlerOverrun: @Sendable (String) -> Void = { assertionFailure($0) }
    /// The clocks that handlers are measured by.
    package var handlerClocks = HandlerWatch.Clocks()

    /// Off only to prove that the start-up test of the socket handoff notices.
    package var turbo = true

    public init() {}

    /// The error in the values, naming the field; nil when all are in range.
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
                "answerDeadline must be 10 ms to 1 day",
                answerDeadline >= .milliseconds(10) && answerDeadline <= .seconds(86400)
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
