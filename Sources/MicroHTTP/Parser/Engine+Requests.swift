import CMicroHTTPD
import Glibc
import Threads

/// The steps of a request, on the parser's thread.
extension Engine {
    /// Handles a call of libmicrohttpd: for a new head (`stage` is idle), a piece of the body, the end of the body, or the response to a
    /// suspended request.
    func access(
        _ exchange: Exchange, _ connection: OpaquePointer, _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>, _ data: UnsafePointer<CChar>?, _ size: inout Int
    ) -> Bool {
        let count = size
        if exchange.isSuspended {
            // Consume nothing of this piece. The library passes it again.
            if micro_is_suspended(connection) != 0 { return true }
            exchange.isSuspended = false
        }
        size = 0
        if let outcome = exchange.outcome {
            exchange.outcome = nil
            switch outcome {
            case .response(let response):
                // The library accepts no response in the middle of a body.
                return count > 0 || isReading(exchange)
                    ? refuse(exchange, connection, response) : queue(exchange, connection, response)
            case .refuse(let response): return refuse(exchange, connection, response)
            case .more: break
            case .left: return false
            }
        }
        switch exchange.stage {
        case .idle:
            return begin(exchange, connection, method, version)
        case .collecting(let limit, let handler):
            if count > 0, let data {
                guard note(count, exchange) else { return false }
                guard exchange.received <= limit else { return refuse(exchange, connection, tooLarge(exchange, limit)) }
                exchange.body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
                return true
            }
            guard arrived(exchange), var request = exchange.request else { return false }
            request.body = exchange.body
            exchange.body = []
            return act(watched(exchange, request) { handler(request) }, exchange, connection)
        case .uploading(let limit, let upload):
            if count > 0, let data {
                guard note(count, exchange) else { return false }
                guard exchange.received <= limit else { return refuse(exchange, connection, tooLarge(exchange, limit)) }
                let piece = Array(UnsafeRawBufferPointer(start: data, count: count))
                return wait(exchange, connection) {
                    if let response = await upload.receive(piece) { .refuse(response) } else { .more }
                }
            }
            guard arrived(exchange) else { return false }
            exchange.stage = .waiting
            return wait(exchange, connection) { .response(await upload.finish()) }
        case .discarding(let refusal):
            if count > 0 { return note(count, exchange) }
            guard arrived(exchange) else { return false }
            guard refusal.delay > .zero else { return queue(exchange, connection, refusal.response) }
            return hold(refusal, exchange, connection) { .response($0) }
        case .waiting:
            return true
        case .responded:
            return count > 0
        }
    }

    private func begin(
        _ exchange: Exchange, _ connection: OpaquePointer, _ method: UnsafePointer<CChar>,
        _ version: UnsafePointer<CChar>
    ) -> Bool {
        exchange.began = ContinuousClock.now
        exchange.isCounted = true
        exchange.number = UInt64(requests.wrappingAdd(1, ordering: .relaxed).newValue)
        inFlight.add(1, ordering: .sequentiallyConsistent)
        let router = exchange.isProbe ? probeRouter : self.router

        var request: Request
        do {
            request = try head(exchange, connection, method, version)
        } catch {
            exchange.status = error.status
            return refuse(exchange, connection, router.errorResponse(error.status, error.detail, nil))
        }
        let isStopping = isDraining.load(ordering: .sequentiallyConsistent)
        let found = isStopping ? .nothing : router.match(request.method, request.path)
        switch found {
        case .route(let route, let parameters): (request.route, request.parameters) = (route.pattern, parameters)
        case .allow(_, let pattern): request.route = pattern
        case .nothing: break
        }
        exchange.request = request
        let framing = request.framing
        func decline(_ response: Response, after delay: Duration = .zero) -> Bool {
            let refusal = Refusal(response, after: delay)
            // Read small bodies to the end, so that the connection stays usable. Do not read large or chunked bodies, nor
            // bodies announced with `Expect: 100-continue`.
            if framing.expectsContinue || framing.isChunked || (framing.contentLength ?? 0) > configuration.bodyLimit {
                guard delay > .zero else { return refuse(exchange, connection, response) }
                return arrived(exchange) && hold(refusal, exchange, connection) { .refuse($0) }
            }
            exchange.stage = .discarding(refusal)
            return true
        }
        if isStopping { return decline(stopping(request)) }
        if !exchange.isProbe, let gate = router.gate, let refusal = watched(exchange, request, { gate(request) }) {
            return decline(refusal.response, after: refusal.delay)
        }
        switch found {
        case .nothing:
            return decline(router.errorResponse(404, "there is nothing at \(request.path)", request))
        case .allow(let allow, _):
            if request.method == .options { return decline(Response(status: 204, headers: [("Allow", allow)])) }
            let detail = "\(request.method.rawValue) is not allowed here: use one of \(allow)"
            return decline(router.errorResponse(405, detail, request).adding([("Allow", allow)]))
        case .route(let route, _):
            switch route.handling {
            case .whole(let limit, let handler):
                exchange.stage = .collecting(limit: limit ?? configuration.bodyLimit, handler)
            case .upload(let limit, let handler):
                switch watched(exchange, request, { handler(request) }) {
                case .accept(let upload): exchange.stage = .uploading(limit: limit, upload)
                case .collect(let own, let handler):
                    exchange.stage = .collecting(limit: own ?? configuration.bodyLimit, handler)
                case .refuse(let response): return decline(response)
                }
            }
        }
        if let limit = bodyLimit(exchange), let length = framing.contentLength, length > limit {
            return refuse(exchange, connection, tooLarge(exchange, limit))
        }
        if let refusal = chunkRefusal(exchange) { return refuse(exchange, connection, refusal) }
        return true
    }

    private func act(_ reply: Reply, _ exchange: Exchange, _ connection: OpaquePointer) -> Bool {
        switch reply {
        case .now(let response):
            return queue(exchange, connection, response)
        case .later(let work):
            exchange.stage = .waiting
            return wait(exchange, connection, watchesClient: true) { .response(await work()) }
        case .stream(.events(let own, let retry, let onOpen)):
            let headers = EventStream.headers + own
            guard exchange.request?.method != .head else {
                return queue(exchange, connection, Response(headers: headers))
            }
            return takeOver(.events, exchange, connection) { outlet, request in
                let stream = EventStream(outlet: outlet, lastEventID: request.header("last-event-id"))
                let preamble = EventStream.preamble(headers + extraHeaders(exchange), retry: retry)
                _ = outlet.send(Event(frame: preamble))
                return { self.watched(exchange, request) { onOpen(stream) } }
            }
        case .stream(.bytes(let onOpen)):
            return takeOver(.bytes, exchange, connection) { outlet, request in
                let stream = byteStream(outlet, keepsAlive: request.keepsAlive && exchange.isAlone)
                return { self.watched(exchange, request) { onOpen(stream) } }
            }
        }
    }

    private func byteStream(_ outlet: Outlet, keepsAlive: Bool) -> ByteStream {
        let stream = ByteStream(outlet: outlet, keepsAlive: keepsAlive, reactor: reactor)
        outlet.onClose { [weak stream] _ in stream?.wake() }
        return stream
    }

    /// Runs code from outside of this library on its request thread, and measures it.
    private func watched<Value>(_ exchange: Exchange, _ request: Request, _ body: () -> Value) -> Value {
        let (value, held) = watch.call(request, body)
        exchange.held += held
        return value
    }

    /// Sends the refusal after its delay, unless the client leaves first.
    private func hold(
        _ refusal: Refusal, _ exchange: Exchange, _ connection: OpaquePointer,
        _ outcome: @escaping @Sendable (Response) -> Exchange.Outcome
    ) -> Bool {
        exchange.stage = .waiting
        return wait(exchange, connection, watchesClient: true) {
            try? await Task.sleep(for: refusal.delay)
            return outcome(refusal.response)
        }
    }

    /// Suspends the connection until `work` has returned a result.
    private func wait(
        _ exchange: Exchange, _ connection: OpaquePointer, watchesClient: Bool = false,
        _ work: @escaping @Sendable () async -> Exchange.Outcome
    ) -> Bool {
        guard let ticket = suspensions.suspend(exchange, connection, watchesClient: watchesClient) else {
            let response = stopping(exchange.request)
            return isReading(exchange) ? refuse(exchange, connection, response) : queue(exchange, connection, response)
        }
        exchange.isSuspended = true
        let suspendedAt = ContinuousClock.now
        let before = exchange.progress.withLock { progress -> Progress.Phase in
            defer { progress.phase = .busy }
            return progress.phase
        }
        let task = Task {
            let outcome = await work()
            if before == .receiving {
                exchange.progress.withLock { progress in
                    guard progress.phase == .busy else { return }
                    progress.phase = .receiving
                    progress.since += ContinuousClock.now - suspendedAt
                }
            }
            suspensions.resume(ticket, outcome)
        }
        suspensions.attach(task, to: ticket)
        return true
    }

    func queue(_ exchange: Exchange, _ connection: OpaquePointer, _ response: Response) -> Bool {
        exchange.stage = .responded
        exchange.status = response.status
        let response = response.adding(extraHeaders(exchange))
        if let pieces = response.pieces, exchange.request?.method != .head {
            return takeOver(.bytes, exchange, connection) { outlet, request in
                exchange.status = response.status
                let keepsAlive = request.keepsAlive && request.takesChunks && exchange.isAlone
                let stream = byteStream(outlet, keepsAlive: keepsAlive)
                let framing = [("Content-Length", "\(pieces.size)")] + (keepsAlive ? [] : [("Connection", "close")])
                stream.write(Response.head(response.status, response.headers + framing))
                return { self.watched(exchange, request) { pieces.send(stream) } }
            }
        }
        guard let handle = response.handle.pointer else { return false }
        if let count = response.keptCount { exchange.sends(kept: count) }
        return micro_queue(connection, UInt32(response.status), handle) != 0
    }

    /// Cleans up after a request, whether or not it succeeded.
    func completed(_ exchange: Exchange) {
        if case .uploading(_, let upload) = exchange.stage { upload.abandoned() }
        let now = ContinuousClock.now
        let request = exchange.request.take()
        if exchange.isCounted {
            if !exchange.isProbe {
                router.observer?(
                    RequestRecord(
                        method: request?.method, route: request?.route ?? "", status: exchange.status,
                        number: exchange.number, request: request, duration: now - exchange.began, held: exchange.held))
            }
            exchange.isCounted = false
            inFlight.subtract(1, ordering: .sequentiallyConsistent)
            reactor.ends.notify()
        }
        exchange.stage = .idle
        exchange.chunks = nil
        (exchange.readEnd, exchange.headEnd) = (nil, nil)
        exchange.isHead = false
        exchange.body = []
        exchange.received = 0
        exchange.outcome = nil
        exchange.isSuspended = false
        exchange.status = 0
        exchange.held = .zero
        exchange.progress.withLock { progress in
            guard progress.phase != .cut else { return }
            progress.phase = .waiting
            progress.since = now
        }
    }
}
