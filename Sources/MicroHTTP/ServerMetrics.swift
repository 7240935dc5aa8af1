/// Counts of a running server.
public struct ServerMetrics: Sendable, Equatable {
    /// Connections now in the hands of the parser.
    public var connections = 0
    /// Sockets now taken over.
    public var streams = 0
    public var requestsInFlight = 0
    /// Requests since the start.
    public var requests = 0
    /// Connections turned away since the start.
    public var refusedConnections = 0
    /// Events left out because their reader was behind, since the start.
    public var droppedEvents = 0
    /// Event streams that ended since the start, by reason.
    public var endedStreams: [CloseReason: Int] = [:]
    /// How often the reactor's thread woke up.
    public var wakeups = 0
    /// The limits in force, which may be lower than configured when the system gives fewer descriptors.
    public var maxConnections = 0
    public var maxStreams = 0

    public init() {}
}
