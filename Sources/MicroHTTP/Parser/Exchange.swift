import CMicroHTTPD
import Glibc
import Synchronization
import Threads

/// One connection and the request on it. libmicrohttpd keeps a reference from the connection's start to its end.
///
/// `@unchecked Sendable`: `peer` and `isProbe` are constant and `progress` is under its lock. Everything else is touched by the
/// parser's thread only, but for `answer`: that is written by the thread that resumes a suspended connection, before it calls
/// `micro_resume`, whose lock the parser's thread takes before it looks at the connection again.
final class Exchange: @unchecked Sendable {
    enum Stage {
        /// Between requests.
        case idle
        /// The body is collected for the handler.
        case collecting(limit: Int, Router.Handler)
        /// The body goes piece by piece to the upload.
        case uploading(limit: Int, Upload)
        /// The body is thrown away, then this is answered.
        case discarding(Refusal)
        /// Something slow will answer.
        case waiting
        /// There is an answer, or the connection is lost.
        case answered
    }

    enum Answer {
        case response(Response)
        /// The upload wants its next piece.
        case more
        /// The upload wants no more.
        case refuse(Response)
        /// The client is gone.
        case left
    }

    let peer: Peer
    /// Whether this is the start-up test.
    let isProbe: Bool
    let progress: Mutex<Progress>

    var target: [UInt8] = []
    var stage = Stage.idle
    var request: Request?
    var body: [UInt8] = []
    /// Bytes of body that came.
    var received = 0
    var answer: Answer?
    /// How the body is framed where it comes in chunks.
    var chunks: ChunkFraming?
    /// Where what was read last ends in the parser's buffer, as long as it belongs to this request.
    var readEnd: UnsafeRawPointer?
    /// The end of the request's head in the parser's buffer.
    var headEnd: UnsafeRawPointer?
    /// Whether the request looks like HEAD, for the answer to one that the parser does not get to the end of.
    var asksHead = false
    /// Whether something slow was asked for an answer.
    var isSuspended = false
    var status = 0
    var began = ContinuousClock.now
    /// How long handlers held the parser's thread for it.
    var held = Duration.zero
    var isCounted = false
    /// Which request of the server it is.
    var number: UInt64 = 0
    /// Whether the socket lives on as a stream.
    var isTakenOver = false

    /// Whether the parser has read nothing after the head. Bytes of a next request would be lost when the socket is taken over.
    var isAlone: Bool { headEnd != nil && headEnd == readEnd && chunks == nil }

    init(fd: Int32, peer: Peer, isProbe: Bool) {
        self.peer = peer
        self.isProbe = isProbe
        progress = Mutex(Progress(fd: fd, since: ContinuousClock.now))
    }

    /// Takes note of bytes that the parser has read and will take apart next.
    func received(_ bytes: UnsafeRawBufferPointer) {
        if chunks == nil {
            if readEnd == nil { asksHead = bytes.starts(with: "HEAD ".utf8) }
            readEnd = bytes.baseAddress.map { $0 + bytes.count }
        } else {
            chunks?.take(bytes)
        }
    }

    /// Begins to look at a body in chunks, with what came of it together with the head, which ends at `start`.
    ///
    /// - Returns: false where that is not known: the request came together with the end of another.
    func beginChunks(at start: UnsafeRawPointer) -> Bool {
        guard let end = readEnd, end >= start, end - start <= 1 << 20 else { return false }
        chunks = ChunkFraming()
        chunks?.take(UnsafeRawBufferPointer(start: start, count: end - start))
        return true
    }

    /// Takes note that an answer is sent that keeps something.
    func sends(kept count: Int) {
        progress.withLock { progress in
            guard progress.phase != .cut else { return }
            progress.phase = .sending
            progress.since = ContinuousClock.now
            progress.kept = count
        }
    }

    /// Has the connection end as if its peer had ended it.
    func cut() {
        progress.withLock { progress in
            guard progress.fd >= 0 else { return }
            progress.phase = .cut
            shutdown(progress.fd, Int32(SHUT_RDWR))
        }
    }
}

/// How far a connection is, for the deadline of its request.
struct Progress: Sendable {
    enum Phase {
        case waiting, receiving, busy
        /// An answer is sent that keeps something.
        case sending
        case cut
    }

    /// The socket; -1 once the parser may close it.
    var fd: Int32
    var phase = Phase.waiting
    /// When the phase began, moved on by the time the server itself made the client wait.
    var since: ContinuousClock.Instant
    /// Bytes of body that came.
    var received = 0
    /// Bytes of an answer that keeps something.
    var kept = 0
    /// Whether a request line has come.
    var hasAsked = false

    init(fd: Int32, since: ContinuousClock.Instant) {
        self.fd = fd
        self.since = since
    }
}
