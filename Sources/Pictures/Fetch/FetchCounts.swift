/// Counts of a fetcher: since it began, and at present.
public struct FetchCounts: Sendable, Hashable {
    public var started = 0
    public var succeeded = 0
    public var cancelled = 0
    public var failed = 0
    /// Connections opened; requests beyond them reused one.
    public var connections = 0
    public var redirects = 0
    public var resumed = 0
    public var stoppedEarly = 0
    /// Bytes that crossed the wire, and those of them whose request was cancelled or failed and that were not kept.
    public var wireBytes = 0
    public var wastedBytes = 0
    /// Now under way.
    public var inFlight = 0
    /// Sockets to origins now open, idle ones among them.
    public var openSockets = 0

    public init() {}
}
