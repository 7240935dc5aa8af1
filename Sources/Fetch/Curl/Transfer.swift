import CCurl
import Media
import Threads

/// One request in flight, hop by hop. Used only on the fetcher's thread: libcurl calls it only from within
/// `ccurl_loop_turn` on that thread.
final class Transfer {
    let job: Job
    let handle: OpaquePointer
    let configuration: FetchConfiguration
    let bodyLimit: Int
    private let deadline: ContinuousClock.Instant

    private(set) var url: WebURL
    /// 0 for the request itself, plus 1 for each redirect.
    private(set) var hopIndex = 0
    var hop = Hop()
    /// `false` after an origin has shown that it cannot resume.
    var mayResume: Bool
    /// The part of the body to fetch, or `nil` for all of it.
    var beginning: FetchRequest.Beginning?

    private(set) var policy = FetchPolicy()
    private(set) var wireBytes = 0
    /// Header bytes of all hops. The headers of earlier hops are discarded, but still counted.
    var headerBytes = 0
    private var connections = 0

    init(job: Job, url: WebURL, handle: OpaquePointer, configuration: FetchConfiguration) {
        (self.job, self.url, self.handle, self.configuration) = (job, url, handle, configuration)
        bodyLimit = max(0, job.request.bodyLimit ?? configuration.bodyLimit)
        deadline = .now + duration(configuration.totalTimeout, maximum: 3_600_000)
        beginning = job.request.beginning
        mayResume =
            job.request.revalidate?.isEmpty ?? true && !RequestHeaders.requestsRange(job.request) && beginning == nil
    }

    /// Returns the transfer of a libcurl context. The loop's table keeps every transfer alive that libcurl knows.
    static func at(_ context: UnsafeMutableRawPointer) -> Transfer {
        Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: A hop

    func start(on loop: OpaquePointer, policy: FetchPolicy, kept: PartialBody?) throws(FetchError) {
        self.policy = policy
        ccurl_transfer_reset(handle)
        hop = Hop()
        hop.resume = mayResume ? job.request.resume ?? kept : nil
        if let held = hop.resume, held.bytes.isEmpty || held.bytes.count >= bodyLimit { hop.resume = nil }

        for line in RequestHeaders.lines(
            job.request, of: hopIndex, to: url, resume: hop.resume, range: range, accept: configuration.accept,
            adding: configuration.originHeaders)
        {
            guard ccurl_transfer_add_header(handle, line) else { throw .transport("out of memory") }
        }
        if let signature = configuration.signatures.first(where: { $0.covers(url) }) { try sign(signature) }
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
        hop.isStarted = true
        guard isAccepted else { throw .transport("libcurl refused an option") }
    }

    /// Number of bytes to request from the beginning, by Range, or `nil` to request the whole.
    var range: Int? { beginning.flatMap { $0.requestsRange ? $0.length : nil } }

    private func sign(_ signature: RequestSignature) throws(FetchError) {
        var isAccepted = ccurl_transfer_sign(
            handle, "aws:amz:\(signature.region):s3", signature.credentials.accessKey, signature.credentials.secretKey)
        for header in signature.headers {
            isAccepted = isAccepted && ccurl_transfer_add_header(handle, "\(header.name): \(header.value)")
        }
        guard isAccepted else { throw .transport("libcurl cannot sign requests") }
    }

    func stopHop(on loop: OpaquePointer) {
        guard hop.isStarted else { return }
        hop.isStarted = false
        // Read the figures before the transfer is removed, otherwise the body's count is lost.
        hop.info = ccurl_transfer_info(handle)
        ccurl_transfer_stop(handle, loop)
        wireBytes += Int(clamping: hop.info.body_bytes) + Int(clamping: hop.info.header_bytes)
        connections += hop.info.new_connections
    }

    func move(to next: WebURL) {
        url = next
        hopIndex += 1
    }

    func takeConnections() -> Int {
        defer { connections = 0 }
        return connections
    }

    private func resolution() throws(FetchError) -> String? {
        guard let resolve = configuration.resolve, IPAddress(url.origin.host) == nil else { return nil }
        let (host, port) = (url.origin.host, url.origin.port)
        guard let addresses = resolve(host, port) else { return "-\(host):\(port)" }
        guard !addresses.isEmpty else { throw .unknownHost(host) }
        let list = addresses.map { if case .v6 = $0 { "[\($0)]" } else { "\($0)" } }.joined(separator: ",")
        return "\(host):\(port):\(list)"
    }

    // MARK: Time

    /// When the transfer times out unless something happens.
    var due: ContinuousClock.Instant {
        min(deadline, hop.lastActivity + duration(configuration.idleTimeout, maximum: 600_000))
    }

    func overdue(at now: ContinuousClock.Instant) -> FetchError.Phase? {
        if now >= deadline { return .total }
        // Until the transfer is connected, libcurl's connect timeout applies.
        guard hop.isConnected else {
            hop.lastActivity = now
            return nil
        }
        return now >= due ? .idle : nil
    }
}

private func duration(_ milliseconds: Int, maximum: Int) -> Duration {
    .milliseconds(min(max(milliseconds, 1), maximum))
}

private func withOptionalCString<R>(_ text: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R {
    guard let text else { return body(nil) }
    return text.withCString(body)
}

/// State of a transfer's present hop.
struct Hop {
    var isStarted = false
    /// Whether the connection is established. Before that, libcurl's connect timeout applies.
    var isConnected = false
    /// When the last byte arrived, or the hop began.
    var lastActivity = ContinuousClock.now
    var remote: IPAddress?
    /// The first refused address. `hasAllowedAddress` is whether any address was allowed.
    var refused: (address: IPAddress, kind: AddressKind)?
    var hasAllowedAddress = false

    var head = ResponseHead()
    var use = BodyUse.none
    var resume: PartialBody?
    var body: [UInt8] = []
    var discarded = 0

    /// An error found by a callback. It takes precedence over libcurl's result.
    var failure: FetchError?
    var wantsRestart = false
    var isEnough = false
    /// Number of bytes after which the transfer stops, because only the beginning is needed now.
    var stopsAt: Int?
    var isBeginning = false

    /// libcurl's figures, after the hop has ended.
    var info = ccurl_info()

    var isReused: Bool { isConnected && info.new_connections == 0 }

    /// Number of bytes of the body that were held before this hop.
    var resumedAt: Int { if case .keep(let offset) = use { offset } else { 0 } }
}
