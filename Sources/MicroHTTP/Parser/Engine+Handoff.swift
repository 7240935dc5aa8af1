import CMicroHTTPD
import Glibc
import Threads

/// Takes sockets over from the parser: copies the descriptor, then lets the parser close its own.
extension Engine {
    /// Moves a connection to an outlet, or responds 503 if there are too many streams.
    /// - Parameter prepare: creates the stream and sends its first bytes. Returns a closure to run once the stream is watched.
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

    /// Responds to a request whose body will not be read, then closes the connection: see ``Outlet/Kind/lingering``.
    func refuse(_ exchange: Exchange, _ connection: OpaquePointer, _ response: Response) -> Bool {
        if respondDirectly(exchange, response) != nil { return false }
        // The library accepts a response here only if it has read no part of the body. Otherwise the connection just ends.
        return queue(exchange, connection, response)
    }

    /// Records bytes that the parser has read and will parse next. Refuses a chunked body as soon as it is malformed or too large.
    ///
    /// - Returns: false if the request was refused and the parser must drop the connection.
    func received(_ exchange: Exchange, _ bytes: UnsafeRawBufferPointer) -> Bool {
        exchange.received(bytes)
        guard let response = chunkRefusal(exchange) else { return true }
        _ = respondDirectly(exchange, response)
        return false
    }

    /// Responds in place of the library when it is about to send its own error response: see `MHD_queue_response` in `hooks.c`. The library
    /// then finds the sending side of the socket shut, and ends the connection as if the client had ended it.
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
        // If part of the response waited for the socket, the library's response would be sent in the middle of it.
        if respondDirectly(exchange, response)?.hasShut != true { exchange.cut() }
    }

    /// Responds through a copy of the socket, so that the parser can close its own. Returns `nil` if no copy can be made.
    private func respondDirectly(_ exchange: Exchange, _ response: Response) -> Outlet? {
        exchange.status = response.status
        if case .uploading(_, let upload) = exchange.stage { upload.abandoned() }
        guard let outlet = outlet(.lingering, exchange) else { return nil }
        exchange.stage = .responded
        let response = response.adding(extraHeaders(exchange))
        let method = exchange.request?.method ?? (exchange.isHead ? .head : nil)
        // Watch only after the write: the reactor would close the connection of a client that has shut its sending side.
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

    /// Returns the head of the response and the `retry` field, which precede the first event.
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

    /// Returns the whole response as bytes, with headers that make it the last one of its connection.
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
