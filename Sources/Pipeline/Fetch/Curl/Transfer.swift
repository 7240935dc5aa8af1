import CCurl

/// One request under way, hop by hop. Lives on the fetcher's thread; libcurl calls it only from within
/// `ccurl_loop_turn` on that same thread.
final class Transfer {
    let job: Job
    let handle: OpaquePointer
    private(set) var url: WebURL
    private(set) var hop = 0

    private let configuration: FetchConfiguration
    private let bodyLimit: Int
    private let deadline: Int64
    private var policy = FetchPolicy()
    private var isStarted = false
    private var connections = 0
    private(set) var wireBytes = 0

    // This hop.
    private var lastActivity: Int64 = 0
    private var isConnected = false
    private var isReused = false
    private var remote: IPAddress?
    private var refused: (IPAddress, AddressKind)?
    private var hasAllowedAddress = false
    private var info = ccurl_info()

    /// What the callbacks decided; it wins over libcurl's own verdict.
    private var failure: FetchError?
    private var wantsRestart = false
    private var isEnough = false

    private var head = ResponseHead()
    private var use = BodyUse.none
    private var headerBytes = 0
    private var discarded = 0
    private var body: [UInt8] = []
    private var resume: PartialBody?
    private(set) var mayResume: Bool

    /// Bytes of a redirect's or an error's body that are read, so that the connection can be used again.
    private static let mostDiscarded = 64 << 10

    init(job: Job, url: WebURL, handle: OpaquePointer, configuration: FetchConfiguration) {
        (self.job, self.url, self.handle, self.configuration) = (job, url, handle, configuration)
        bodyLimit = max(0, job.request.bodyLimit ?? configuration.bodyLimit)
        deadline = Monotonic.now() + microseconds(configuration.totalTimeout, most: 3_600_000)
        mayResume = job.request.revalidate?.isEmpty ?? true && !RequestHeaders.asksForRange(job.request)
    }

    /// Whom a context of libcurl's stands for. The loop's table keeps every transfer alive that libcurl knows.
    static func at(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: A hop

    func start(on loop: OpaquePointer, policy: FetchPolicy, kept: PartialBody?) throws(FetchError) {
        self.policy = policy
        ccurl_transfer_reset(handle)
        head = ResponseHead()
        (use, discarded, body) = (.none, 0, [])
        (isConnected, isReused, remote, refused, hasAllowedAddress) = (false, false, nil, nil, false)
        (failure, wantsRestart, isEnough, info) = (nil, false, false, ccurl_info())
        resume = mayResume ? job.request.resume ?? kept : nil
        if let held = resume, held.bytes.isEmpty || held.bytes.count >= bodyLimit { resume = nil }
        lastActivity = Monotonic.now()

        for line in RequestHeaders.lines(job.request, of: hop, to: url, resume: resume, accept: configuration.accept) {
            guard ccurl_transfer_add_header(handle, line) else { throw .transport("out of memory") }
        }
        if let entry = try resolution() {
            guard ccurl_transfer_add_resolution(handle, entry) else { throw .transport("out of memory") }
        }
        var request = ccurl_request()
        request.connect_timeout_ms = min(max(configuration.connectTimeout, 1), 600_000)
        request.http2 = configuration.http2
        request.share_connection = configuration.http2 && url.isSecure
        // Unretained: the loop's table holds the transfer until after `ccurl_transfer_stop`.
        request.context = Unmanaged.passUnretained(self).toOpaque()
        request.callbacks = Self.callbacks
        let isAccepted = url.absolute.withCString { url in
            configuration.userAgent.withCString { agent in
                withOptionalCString(configuration.certificates) { certificates in
                    (request.url, request.user_agent, request.ca_file) = (url, agent, certificates)
                    return ccurl_transfer_start(handle, loop, &request)
                }
            }
        }
        isStarted = true
        guard isAccepted else { throw .transport("libcurl refused an option") }
    }

    func stopHop(on loop: OpaquePointer) {
        guard isStarted else { return }
        isStarted = false
        // Asked while still under way, else the body's count is lost.
        info = ccurl_transfer_info(handle)
        ccurl_transfer_stop(handle, loop)
        wireBytes += Int(clamping: info.body_bytes) + Int(clamping: info.header_bytes)
        connections += info.new_connections
        isReused = isConnected && info.new_connections == 0
    }

    func move(to next: WebURL) {
        url = next
        hop += 1
    }

    func takeConnections() -> Int {
        defer { connections = 0 }
        return connections
    }

    private func resolution() throws(FetchError) -> String? {
        guard let resolve = configuration.resolve, IPAddress(url.origin.host) == nil else { return nil }
        let (host, port) = (url.origin.host, url.origin.port)
        guard let answers = resolve(host, port) else { return "-\(host):\(port)" }
        guard !answers.isEmpty else { throw .unknownHost(host) }
        let list = answers.map { if case .v6 = $0 { "[\($0)]" } else { "\($0)" } }.joined(separator: ",")
        return "\(host):\(port):\(list)"
    }

    // MARK: Time

    /// When the transfer is overdue unless something happens; microseconds.
    var due: Int64 {
        min(deadline, lastActivity + microseconds(configuration.idleTimeout, most: 600_000))
    }

    func overdue(at now: Int64) -> FetchError.Phase? {
        if now >= deadline { return .total }
        // Before the connection stands, libcurl's connect timeout rules.
        guard isConnected else {
            lastActivity = now
            return nil
        }
        return now >= due ? .idle : nil
    }

    // MARK: What libcurl tells

    func mayConnect(to address: IPAddress, port: UInt16) -> Bool {
        if let kind = policy.refusal(of: address, port: port, for: url) {
            refused = refused ?? (address, kind)
            return false
        }
        hasAllowedAddress = true
        return true
    }

    /// The policy again, for a connection that is reused.
    func connected(to address: IPAddress?, port: UInt16) -> Bool {
        isConnected = true
        lastActivity = Monotonic.now()
        remote = address
        guard let address else { return true }
        if let kind = policy.refusal(of: address, port: port, for: url) {
            failure = .refusedAddress(address, kind)
            return false
        }
        return true
    }

    /// A header line with its end. False aborts.
    func receive(header line: UnsafeBufferPointer<UInt8>) -> Bool {
        lastActivity = Monotonic.now()
        headerBytes += line.count
        guard headerBytes <= configuration.headerLimit else {
            failure = .headersTooLarge(limit: configuration.headerLimit)
            return false
        }
        if head.add(line) { decide() }
        return failure == nil && !wantsRestart
    }

    /// The headers are complete: what to do with the body.
    private func decide() {
        use = head.use(for: job.request, resume: resume)
        switch use {
        case .keep(let offset):
            if let expected = head.expected, expected > bodyLimit {
                failure = .tooLarge(limit: bodyLimit)
                return
            }
            body = offset > 0 ? resume?.bytes ?? [] : []
            body.reserveCapacity(min(head.expected ?? 0, 4 << 20))
        case .restart:
            mayResume = false
            wantsRestart = true
        case .none, .discard, .redirect: break
        }
    }

    func receive(body bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        lastActivity = Monotonic.now()
        guard case .keep = use else {
            discarded += bytes.count
            return discarded <= Self.mostDiscarded
        }
        guard bytes.count <= bodyLimit - body.count else {
            failure = .tooLarge(limit: bodyLimit)
            return false
        }
        body.append(contentsOf: bytes)
        job.onBytes?(body.count, head.expected)
        if let rule = job.request.isEnough, rule(body.span, head.expected) {
            isEnough = true
            return false
        }
        return true
    }

    // MARK: How it ended

    enum Verdict {
        case done(Result<FetchResponse, FetchError>)
        case redirect(String)
        case restart
    }

    func verdict(_ code: Int32) -> Verdict {
        if let failure { return .done(.failure(failure)) }
        if wantsRestart { return .restart }
        let outcome = ccurl_outcome_of(code)
        switch use {
        case .redirect(let location): return .redirect(location)
        case .discard: return .done(.failure(.status(head.status, retryAfter: head.retryAfter)))
        case .keep(let offset) where outcome == CCURL_OK || isEnough:
            return .done(.success(response(resumedAt: offset)))
        case .none where outcome == CCURL_OK && head.status == 304: return .done(.success(response(resumedAt: 0)))
        case .none, .keep, .restart: return .done(.failure(error(outcome, code)))
        }
    }

    private func error(_ outcome: ccurl_outcome, _ code: Int32) -> FetchError {
        if case .keep = use, [CCURL_PARTIAL, CCURL_OTHER, CCURL_TLS].contains(outcome) {
            return .truncated(received: body.count, expected: head.expected)
        }
        let reason = String(cString: ccurl_describe(code))
        switch outcome {
        case CCURL_TIMEOUT: return .timeout(.connect)
        case CCURL_RESOLVE: return .unknownHost(url.origin.host)
        case CCURL_CONNECT:
            if let refused, !hasAllowedAddress { return .refusedAddress(refused.0, refused.1) }
            return .connectionRefused
        case CCURL_TLS, CCURL_CERTIFICATE: return .tls(reason)
        case CCURL_ENCODING: return .badEncoding
        case CCURL_URL: return .refusedURL(.malformed)
        default: return .transport(reason)
        }
    }

    private func response(resumedAt offset: Int) -> FetchResponse {
        FetchResponse(
            status: head.status, headers: head.fields, body: body, url: url.absolute, remote: remote,
            reusedConnection: false, isHTTP2: false, redirects: hop, resumedAt: offset, stoppedEarly: isEnough,
            wireBytes: 0, firstByte: 0, total: 0)
    }

    /// What is known only once the hop has ended.
    func complete(_ response: inout FetchResponse) {
        response.reusedConnection = isReused
        response.isHTTP2 = info.http_version == 20
        response.wireBytes = wireBytes
        response.firstByte = Double(info.first_byte_us) / 1_000
        response.total = Double(info.total_us) / 1_000
    }

    var resumedAt: Int { if case .keep(let offset) = use { offset } else { 0 } }

    /// The body so far, if a later attempt can go on from it.
    func partial(atLeast least: Int, after error: FetchError) -> PartialBody? {
        guard case .keep = use, body.count >= max(least, 1), let validator = head.resumable else { return nil }
        switch error {
        case .cancelled, .timeout, .truncated, .transport: return PartialBody(bytes: body, validator: validator)
        default: return nil
        }
    }
}

private func microseconds(_ milliseconds: Int, most: Int) -> Int64 {
    Int64(min(max(milliseconds, 1), most)) * 1_000
}

private func withOptionalCString<R>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
    guard let text else { return body(nil) }
    return text.withCString(body)
}
