/// A handler's reply: a response now, a response later, or a stream.
///
/// - **Now**, if the response needs only data in memory: `.now(Response(text: "hello"))`.
/// - **Later**, if the response needs a file, a database, another server or much work: `.later { Response(text: await weather.today()) }`.
/// - A **stream**, if more data follows over time. Streams of events: `.stream(.events { $0.send(Event(name: "tick", data: "1")) })`.
///   Streams of raw bytes: `.stream(.bytes { $0.write(head + body) })`.
///
/// To receive large request bodies in pieces, use ``Router/upload(_:_:limit:handler:)``:
/// `.accept(Upload(receive: { piece in await list.add(piece) }, finish: { list.response }))`.
///
/// Handlers run on the server's only request thread, so each handler must return within microseconds. A handler must not wait for a file, a
/// database or a lock that others hold for long, and must not loop over thousands of items. A debug build stops at a handler that takes
/// more than ten milliseconds of CPU time in unoptimised code.
public enum Reply: Sendable {
    /// Sends this response immediately.
    case now(Response)
    /// Sends the response that this closure returns. The closure runs on Swift's cooperative threads and must not block. Its task is
    /// cancelled if the client closes its side of the connection, after ``ServerConfiguration/responseDeadline``, and after the grace period
    /// of a stopping server.
    case later(@Sendable () async -> Response)
    /// Turns the connection into a stream.
    case stream(Stream)

    /// Kind of a stream, and a closure to run once the stream is open. `onOpen` runs immediately on the server's thread and must not block.
    public enum Stream: Sendable {
        /// Server-sent events.
        ///
        /// `headers` are sent in addition to the standard ones of an event stream. `retry` is the time after which the browser reconnects
        /// when the stream has ended.
        case events(
            headers: [(name: String, value: String)] = [], retry: Duration = .seconds(2),
            onOpen: @Sendable (EventStream) -> Void)
        /// Raw bytes. `onOpen` gets a stream and writes the complete response, including the status line.
        case bytes(onOpen: @Sendable (ByteStream) -> Void)
    }

    /// Sends plain text immediately.
    public static func text(_ text: String, status: Int = 200) -> Reply { .now(Response(status: status, text: text)) }
}

/// Receives a request body in pieces. The server reads no further data while a piece is being processed.
public struct Upload: Sendable {
    var receive: @Sendable ([UInt8]) async -> Response?
    var finish: @Sendable () async -> Response
    var abandoned: @Sendable () -> Void

    /// - Parameters:
    ///   - receive: processes the next piece of at most `headerLimit` bytes. If it returns a response, the rest is refused and the request
    ///     ends.
    ///   - finish: returns the response to the complete body.
    ///   - abandoned: called if the client leaves, stalls or sends too much before the end of the body. Must not block.
    public init(
        receive: @escaping @Sendable ([UInt8]) async -> Response?, finish: @escaping @Sendable () async -> Response,
        abandoned: @escaping @Sendable () -> Void = {}
    ) {
        self.receive = receive
        self.finish = finish
        self.abandoned = abandoned
    }
}

/// An upload handler's decision, based on the head of a request.
public enum UploadReply: Sendable {
    /// Receives the body in pieces.
    case accept(Upload)
    /// Collects a body of at most `limit` bytes (`nil`: the server's `bodyLimit`), then calls the handler with the complete request.
    case collect(limit: Int? = nil, Router.Handler)
    /// Sends this response without reading the body.
    case refuse(Response)
}
