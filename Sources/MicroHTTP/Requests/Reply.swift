/// A handler's answer: a response now, a response later, or a stream.
///
/// - **Now**, where all that the answer needs is in memory: `.now(Response(text: "hello"))`.
/// - **Later**, where it waits for a file, a database, another server or much work:
///   `.later { Response(text: await weather.today()) }`.
/// - A **stream**, where there is more to come: of events, `.stream(.events { $0.send(Event(name: "tick", data: "1")) })`, or of bytes
///   of your own, `.stream(.bytes { $0.write(head + body) })`.
///
/// Large request bodies are taken in pieces by ``Router/upload(_:_:limit:handler:)``:
/// `.accept(Upload(receive: { piece in await list.add(piece) }, finish: { list.response }))`.
///
/// Handlers run on the server's one thread for requests, so each has to return within microseconds, whatever its reply: it
/// neither waits for a file, a database or a lock that is held long, nor works through what there are thousands of. A debug
/// build stops at one that takes more than ten milliseconds of CPU time, unoptimised.
public enum Reply: Sendable {
    /// This, at once.
    case now(Response)
    /// The result of this closure. It runs on Swift's cooperative threads, and must not block them. It is
    /// cancelled when the client leaves (closes its side of the connection), when ``ServerConfiguration/answerDeadline`` is
    /// over, and when the server stops and its grace is over.
    case later(@Sendable () async -> Response)
    /// The connection becomes a stream.
    case stream(Stream)

    /// A stream, and what to do once it is open. `onOpen` is called at once on the server's thread; it must not block.
    public enum Stream: Sendable {
        /// Server-sent events.
        ///
        /// `headers` are sent besides those that an event stream needs; after `retry` the browser comes back when the stream has ended.
        case events(
            headers: [(name: String, value: String)] = [], retry: Duration = .seconds(2),
            onOpen: @Sendable (EventStream) -> Void)
        /// Bytes. The receiver of the stream writes the status line and everything after it.
        case bytes(onOpen: @Sendable (ByteStream) -> Void)
    }

    /// Plain text, at once.
    public static func text(_ text: String, status: Int = 200) -> Reply { .now(Response(status: status, text: text)) }
}

/// How to take a body in pieces as it arrives. No more of it is read while a piece is being worked on.
public struct Upload: Sendable {
    var receive: @Sendable ([UInt8]) async -> Response?
    var finish: @Sendable () async -> Response
    var abandoned: @Sendable () -> Void

    /// - Parameters:
    ///   - receive: takes the next piece, at most `headerLimit` bytes; a response refuses the rest and ends the request.
    ///   - finish: answers once the body is complete.
    ///   - abandoned: told when the client left, stalled or sent too much before the end. Must not block.
    public init(
        receive: @escaping @Sendable ([UInt8]) async -> Response?, finish: @escaping @Sendable () async -> Response,
        abandoned: @escaping @Sendable () -> Void = {}
    ) {
        self.receive = receive
        self.finish = finish
        self.abandoned = abandoned
    }
}

/// An upload handler's decision on the head of a request.
public enum UploadReply: Sendable {
    /// Take the body in pieces.
    case accept(Upload)
    /// Collect the body, of at most so many bytes (nil: the server's `bodyLimit`), and call the handler with the whole.
    case collect(limit: Int? = nil, Router.Handler)
    /// Answer this without reading the body.
    case refuse(Response)
}
