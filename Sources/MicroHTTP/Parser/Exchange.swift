import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// A connection and its current request. libmicrohttpd holds a reference from the connection's start to its end.
///
/// `@unchecked Sendable`: `peer` and `isProbe` are constant, and `progress` has its own lock. Only the parser's thread uses the other
/// members, with the exception of `outcome`. The thread that resumes a suspended connection writes `outcome` before it calls `micro_resume`.
/// The parser's thread takes the lock of `micro_resume` before it uses the connection again.
final class Exchange: @unchecked Sendable {
    enum Stage {
        /// Between two requests.
        case idle
        /// The body is being collected for the handler.
        case collecting(limit: Int, Router.Handler)
        /// The body is passed to the upload piece by piece.
        case uploading(limit: Int, Upload)
        /// The body is being discarded. The refusal is sent at its end.
        case discarding(Refusal)
        /// An asynchronous task will produce the response.
        case waiting
        /// The response is queued, or the connection is lost.
        case responded
    }

    enum Outcome {
        case response(Response)
        /// The upload is ready for its next piece.
        case more
        /// The upload refuses the rest of the body.
        case refuse(Response)
        case left
    }

    let peer: Peer
    /// Whether this connection belongs to the start-up test.
    let isProbe: Bool
    let progress: Mutex<Progress>

    var target: [UInt8] = []
    var stage = Stage.idle
    var request: Request?
    var body: [UInt8] = []
    /// Number of body bytes received.
    var received = 0
    var outcome: Outcome?
    /// Framing of a chunked body, otherwise `nil`.
    var chunks: ChunkFraming?
    /// End of the last bytes read into the parser's buffer, as long as they belong to this request.
    var readEnd: UnsafeRawPointer?
    /// The end of the request's head in the parser's buffer.
    var headEnd: UnsafeRawPointer?
    /// Whether the request begins like HEAD. Needed for responses to requests that the parser cannot read to the end.
    var isHead = false
    /// Whether the connection is suspended until an asynchronous task has a result.
    var isSuspended = false
    var status = 0
    var began = ContinuousClock.now
    /// How long handlers blocked the parser's thread for this request.
    var held = Duration.zero
    var isCounted = false
    /// Serial number of the request since the start of the server.
    var number: UInt64 = 0
    /// Whether the socket continues as a stream.
    var isTakenOver = false

    /// Whether the parser has read nothing after the head. Otherwise, taking the socket over would lose bytes of the next request.
    var isAlone: Bool { headEnd != nil && headEnd == readEnd && chunks == nil }

    init(fd: Int32, peer: Peer, isProbe: Bool) {
        self.peer = peer
        self.isProbe = isProbe
        progress = Mutex(Progress(fd: fd, since: ContinuousClock.now))
    }

    /// Records bytes that the parser has read and will parse next.
    func received(_ bytes: UnsafeRawBufferPointer) {
        if chunks == nil {
            if readEnd == nil { isHead = bytes.starts(with: "HEAD ".utf8) }
            readEnd = bytes.baseAddress.map { $0 + bytes.count }
        } else {
            chunks?.take(bytes)
        }
    }

    /// Begins to check a chunked body, including the part that was read together with the head. The head ends at `start`.
    ///
    /// - Returns: false if this part is unknown, because the request was read together with the end of another one.
    func beginChunks(at start: UnsafeRawPointer) -> Bool {
        guard let end = readEnd, end >= start, end - start <= 1 << 20 else { return false }
        chunks = ChunkFraming()
        chunks?.take(UnsafeRawBufferPointer(start: start, count: end - start))
        return true
    }

    /// Starts the deadline for a response of `count` bytes that holds a resource until it is sent.
    func sends(kept count: Int) {
        progress.withLock { progress in
            guard progress.phase != .cut else { return }
            progress.phase = .sending
            progress.since = ContinuousClock.now
            progress.kept = count
        }
    }

    /// Shuts the socket down, so that the parser sees the connection end as if the peer had ended it.
    func cut() {
        progress.withLock { progress in
            guard progress.fd >= 0 else { return }
            progress.phase = .cut
            shutdown(progress.fd, Int32(SHUT_RDWR))
        }
    }
}

/// State of a connection, for its deadlines.
struct Progress: Sendable {
    enum Phase {
        case waiting, receiving, busy
        /// A response that holds a resource is being sent.
        case sending
        case cut
    }

    /// Descriptor of the socket, or -1 once the parser may close it.
    var fd: Int32
    var phase = Phase.waiting
    /// Start of the phase, moved forward by the time that the client had to wait for the server.
    var since: ContinuousClock.Instant
    /// Number of body bytes received.
    var received = 0
    /// Size in bytes of the response that holds a resource.
    var kept = 0
    /// Whether a request line has ever arrived.
    var hasRequested = false

    init(fd: Int32, since: ContinuousClock.Instant) {
        self.fd = fd
        self.since = since
    }
}
