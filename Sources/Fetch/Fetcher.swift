import Pictures

/// Gets bodies over HTTP, one attempt at a time.
public protocol Fetcher: Sendable {
    /// One attempt at one GET, redirects included. No queue, no priority, no retry: the caller asks only when it has a
    /// free slot.
    ///
    /// Cancelling the task aborts the transfer at once (HTTP/1.1 closes the connection, HTTP/2 resets the stream) and
    /// throws `.cancelled`. Completion is delivered exactly once, never from within the cancellation handler.
    ///
    /// - Parameter onBytes: called as bytes of the body come, with the count so far (a resumed part included) and the
    ///   length the origin announced. Runs on the fetcher's thread: quick, never blocking.
    /// - Returns: a usable body (2xx), or the news that there is no newer one (304). Other statuses are errors.
    func fetch(
        _ request: FetchRequest, onBytes: (@Sendable (_ soFar: Int, _ expected: Int?) -> Void)?
    ) async throws(FetchError) -> FetchResponse

    /// Fails all that is under way with `.shutDown` and returns when nothing of the fetcher runs any more.
    func shutdown() async
}

extension Fetcher {
    public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
        try await fetch(request, onBytes: nil)
    }
}

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
