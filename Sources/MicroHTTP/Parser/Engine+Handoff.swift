import CMicroHTTPD
import Glibc
import Threads

/// Taking sockets over from the parser: a copy of the descriptor is kept, and the parser told to close its own.
extension Engine {
    /// - Parameter prepare: makes the stream and sends what comes first; returns what to do once the stream is watched.
    func takeOver(
        _ kind: Outlet.Kind, _ exchange: Exchange, _ connection: OpaquePointer,
        _ prepare: (Outlet, Request) -> () -> Void
    ) -> Bool {
        guard let request = exchange.request else { return false }
        guard let outlet = outlet(kind, exchange) else {
            let response = router.errorResponse(503, "there are too many streams", request)
            return queue(exchange, connection, response.adding([("Retry-After", "5")]))
        }
        exchange.status = 200
        let open = prepare(outlet, request)
        outlet.watch()
        open()
        return false
    }

    /// Answers a request whose body will not be read, and closes: see ``Outlet/Kind/lingering``.
    func refuse(_ exchange: Exchange, _ connection: OpaquePointer, _ response: Response) -> Bool {
        if answerAlone(exchange, response) != nil { return false }
        // Taken by the library only as long as nothing of the body was read; else the connection just ends.
        return queue(exchange, connection, response)
    }

    /// Takes note of bytes that the parser has read and will take apart next; refuses a body in chunks as soon as it is seen to be
    /// malformed or too large.
    ///
    /// - Returns: false where the request was refused, and the parser is to be done with it.
    func received(_ exchange: Exchange, _ bytes: UnsafeRawBufferPointer) -> Bool {
        exchange.received(bytes)
        guard let response = chunkRefusal(exchange) else { return true }
        _ = answerAlone(exchange, response)
        return false
    }

    /// Answers in the library's place what it is about to answer by itself: see `MHD_queue_response` in `hooks.c`. Its own
    /// answer finds the socket's sending side shut, and ends the connection as if the client had.
    func failed(_ exchange: Exchange, _ status: Int) {
        let detail =
            switch status {
            case 413: "the body is too large"
            case 414: "the request target is too long"
            case 431: "the header fields are too large"
            case 505: "only HTTP/1.1 and HTTP/1.0 are supported"
            default: "the request line or a header field is malformed, or Host is missing"
            }
        let response = router.errorResponse((400...599).contains(status) ? status : 400, detail, exchange.request)
        // Were some of it to wait for the socket, the library's would come in between.
        if answerAlone(exchange, response)?.hasShut != true { exchange.cut() }
    }

    /// Answers on a copy of the socket, for the parser to be told to close its own; nil where there is none to be had.
    private func answerAlone(_ exchange: Exchange, _ response: Response) -> Outlet? {
        exchange.status = response.status
        if case .uploading(_, let upload) = exchange.stage { upload.abandoned() }
        guard let outlet = outlet(.lingering, exchange) else { return nil }
        exchange.stage = .answered
        let response = response.adding(extraHeaders(exchange))
        let method = exchange.request?.method ?? (exchange.asksHead ? .head : nil)
        // Watched only now: a client that has shut its own sending side would be given up for it.
        outlet.finish(with: Event(frame: response.serialised(for: method)))
        outlet.watch()
        return outlet
    }

    private func outlet(_ kind: Outlet.Kind, _ exchange: Exchange) -> Outlet? {
        guard admission.becomeStream(anyway: exchange.isProbe) else { return nil }
        let own = exchange.progress.withLock { $0.phase == .cut ? -1 : micro_duplicate($0.fd) }
        guard own >= 0 else {
            admission.becomeConnection()
            return nil
        }
        exchange.isTakenOver = true
        return reactor.outlet(kind, fd: own, peer: exchange.peer)
    }
}

extension EventStream {
    static let headers: [(name: String, value: String)] = [
        ("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no"),
        ("X-Content-Type-Options", "nosniff"),
    ]

    /// Everything before the first event.
    static func preamble(_ headers: [(name: String, value: String)], retry: Duration) -> [UInt8] {
        var bytes = Response.head(200, headers + [("Connection", "close")])
        bytes.append(contentsOf: "retry: \(max(0, retry.nanoseconds / 1_000_000))\n\n".utf8)
        return bytes
    }
}

extension Response {
    static func head(_ status: Int, _ headers: [(name: String, value: String)]) -> [UInt8] {
        var bytes = Array("HTTP/1.1 \(status) \(reason(status))\r\nDate: \(HTTPDate.now)\r\n".utf8)
        for (name, value) in headers where !(name + value).utf8.contains(where: { $0 == 10 || $0 == 13 || $0 == 0 }) {
            bytes.append(contentsOf: "\(name): \(value)\r\n".utf8)
        }
        bytes.append(contentsOf: "\r\n".utf8)
        return bytes
    }

    /// The whole answer as bytes, to be the last of its connection.
    func serialised(for method: Method?) -> [UInt8] {
        let body = body
        let own = headers.filter { !["connection", "content-length"].contains(ASCII.lowercased($0.name)) }
        let bytes = Self.head(status, own + [("Content-Length", String(body.count)), ("Connection", "close")])
        return method == .head ? bytes : bytes + body
    }

    static func reason(_ status: Int) -> String {
        String(cString: MHD_get_reason_phrase_for(UInt32(status)))
    }
}
