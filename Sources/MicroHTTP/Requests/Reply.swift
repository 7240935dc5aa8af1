/// What a handler answers.
///
/// Handlers run on the server's one thread for requests, so each has to return within microseconds, whatever its reply: it
/// neither waits for a file, a database or a lock that is held long, nor works through what there are thousands of. A debug
/// build stops at one that takes more than ten milliseconds of CPU time, unoptimised.
public enum Reply: Sendable {
    /// This, at once.
    case now(Response)
    /// Answers with the result of this closure. It runs on Swift's cooperative threads, and must not block them. It is
    /// cancelled when the client leaves (closes its side of the connection), when ``ServerConfiguration/answerDeadline`` is
    /// over, and when the server stops and its grace is over.
    case later(@Sendable () async -> Response)
    /// The connection becomes an event stream.
    case stream(EventStreamAccept)
    /// The connection becomes a raw stream of bytes; the handler writes the status line and everything after it.
    case takeover(ByteStreamAccept)

    /// Plain text, at once.
    public static func text(_ text: String, status: Int = 200) -> Reply { .now(Response(status: status, text: text)) }

    /// The connection becomes an event stream.
    /// - Parameter onOpen: called at once on the server's thread with the open stream; must not block.
    public static func events(onOpen: @escaping @Sendable (EventStream) -> Void) -> Reply {
        .stream(EventStreamAccept(onOpen: onOpen))
    }
}

/// How to begin an event stream.
public struct EventStreamAccept: Sendable {
    var headers: [(name: String, value: String)]
    var retry: Duration
    var onOpen: @Sendable (EventStream) -> Void

    /// - Parameters:
    ///   - headers: sent besides those that an event stream needs.
    ///   - retry: how long the browser waits before it comes back; sent once.
    ///   - onOpen: called at once on the server's thread with the open stream; must not block.
    public init(
        headers: [(name: String, value: String)] = [], retry: Duration = .seconds(2),
        onOpen: @escaping @Sendable (EventStream) -> Void
    ) {
        self.headers = headers
        self.retry = retry
        self.onOpen = onOpen
    }
}

/// How to begin a raw stream of bytes.
public struct ByteStreamAccept: Sendable {
    var onOpen: @Sendable (ByteStream) -> Void

    /// - Parameter onOpen: called at once on the server's thread with the open stream; must not block.
    public init(onOpen: @escaping @Sendable (ByteStream) -> Void) {
        self.onOpen = onOpen
    }
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

/// What an upload handler decides once it has seen the head of a request.
public enum UploadReply: Sendable {
    /// Take the body in pieces.
    case accept(Upload)
    /// Collect the body, of at most so many bytes (nil: the server's `bodyLimit`), and call the handler with the whole.
    case collect(limit: Int? = nil, Router.Handler)
    /// Answer this without reading the body.
    case refuse(Response)
}
