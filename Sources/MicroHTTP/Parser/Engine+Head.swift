import CMicroHTTPD

/// Reads and checks the head of a request, on the parser's thread.
extension Engine {
    /// Returns the checked head as a request without a body.
    func head(
        _ exchange: Exchange, _ connection: OpaquePointer, _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>
    ) throws(RequestError) -> Request {
        let text = method
        let name = String(cString: method)
        let count = micro_headers(
            connection, method, exchange.target.count, version, scratch.buffer.baseAddress, scratch.buffer.count)
        if count == Int(MICRO_HEAD_TOO_LARGE) {
            throw RequestError(status: 431, detail: "the header fields are too large")
        }
        guard count >= 0, Method.isToken(name.utf8) else {
            throw RequestError(status: 400, detail: "the request line or a header field is malformed")
        }
        guard let method = Method(rawValue: name), method != .connect else {
            throw RequestError(status: 501, detail: "the method \(name) is not supported")
        }
        do {
            let headers = HeaderBlock(bytes: Array(scratch.buffer[..<count]))
            let framing = try RequestFraming(version: String(cString: version), headers: headers)
            exchange.headEnd = micro_head_end(connection, text).map { UnsafeRawPointer($0) }
            if framing.isChunked {
                guard let end = exchange.headEnd, exchange.beginChunks(at: end) else {
                    throw RequestError(
                        status: 400,
                        detail: "a chunked body cannot follow an unanswered request: wait for its response, or send "
                            + "Content-Length")
                }
            }
            return Request(
                method: method, target: try RequestTarget(exchange.target, method: method), headers: headers,
                framing: framing, remoteAddress: exchange.peer.address)
        } catch let error as RequestError {
            throw error
        } catch let error as RequestFraming.Refused {
            throw RequestError(status: error.status, detail: error.reason)
        } catch let error as RequestTarget.Malformed {
            throw RequestError(status: 400, detail: error.reason)
        } catch {
            throw RequestError(status: 400, detail: "the request is malformed")
        }
    }

    func extraHeaders(_ exchange: Exchange) -> [(name: String, value: String)] {
        guard !exchange.isProbe, let request = exchange.request else { return [] }
        return router.extraHeaders?(request) ?? []
    }

    func isReading(_ exchange: Exchange) -> Bool {
        switch exchange.stage {
        case .uploading, .collecting, .discarding: true
        case .idle, .waiting, .responded: false
        }
    }

    func bodyLimit(_ exchange: Exchange) -> Int? {
        switch exchange.stage {
        case .collecting(let limit, _), .uploading(let limit, _): limit
        default: nil
        }
    }

    /// Returns the refusal if the received part of a chunked body is malformed or too large, or `nil` to continue.
    func chunkRefusal(_ exchange: Exchange) -> Response? {
        guard let limit = bodyLimit(exchange), let fault = exchange.chunks?.fault(limit: limit) else { return nil }
        return router.errorResponse(fault.status, fault.detail, exchange.request)
    }

    /// Counts received body bytes. Returns false if the request was cut off.
    func note(_ count: Int, _ exchange: Exchange) -> Bool {
        exchange.received += count
        return exchange.progress.withLock { progress in
            progress.received += count
            return progress.phase != .cut
        }
    }

    /// Records that the body is complete. Returns false if the request was cut off.
    func arrived(_ exchange: Exchange) -> Bool {
        exchange.progress.withLock { progress in
            guard progress.phase != .cut else { return false }
            progress.phase = .busy
            return true
        }
    }

    func tooLarge(_ exchange: Exchange, _ limit: Int) -> Response {
        router.errorResponse(413, "the body is larger than \(limit) bytes", exchange.request)
    }

    func stopping(_ request: Request?) -> Response {
        router.errorResponse(503, "the server is stopping", request)
            .adding([("Retry-After", "2"), ("Connection", "close")])
    }
}
