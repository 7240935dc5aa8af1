import Media

/// Downloads bodies over HTTP, one attempt at a time.
public protocol Fetcher: Sendable {
    /// Makes one attempt at one GET, including redirects. Has no queue, no priority and no retry: the caller calls it only if it has
    /// a free slot.
    ///
    /// Cancelling the task aborts the transfer immediately (HTTP/1.1 closes the connection, HTTP/2 resets the stream) and
    /// throws `.cancelled`. The call completes exactly once, never from within the cancellation handler.
    ///
    /// - Parameter onBytes: Called as bytes of the body arrive, with the count so far (including a resumed part) and the
    ///   length the origin announced. Runs on the fetcher's thread, so it must be quick and never block.
    /// - Returns: a usable body (2xx), or a 304 that confirms the caller's version. Other statuses are errors.
    func fetch(
        _ request: FetchRequest, onBytes: (@Sendable (_ soFar: Int, _ expected: Int?) -> Void)?
    ) async throws(FetchError) -> FetchResponse

    /// Fails all requests in flight with `.shutDown`. Returns when nothing of the fetcher runs any more.
    func shutdown() async
}

extension Fetcher {
    public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
        try await fetch(request, onBytes: nil)
    }
}

/// Counts of a fetcher: totals since its start, and present values.
public struct FetchCounts: Sendable, Hashable {
    public var started = 0
    public var succeeded = 0
    public var cancelled = 0
    public var failed = 0
    /// Connections opened. Further requests reused a connection.
    public var connections = 0
    public var redirects = 0
    public var resumed = 0
    public var stoppedEarly = 0
    /// Bytes that crossed the wire. `wastedBytes` counts bytes of cancelled and failed requests that were not stored for a later attempt.
    public var wireBytes = 0
    public var wastedBytes = 0
    public var inFlight = 0
    /// Open sockets to origins now, including idle ones.
    public var openSockets = 0

    public init() {}
}
