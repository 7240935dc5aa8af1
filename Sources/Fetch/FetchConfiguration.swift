import Media

public struct FetchConfiguration: Sendable {
    public var policy = FetchPolicy()

    /// Signatures of requests. The first signature that covers a request is used. Default: none.
    public var signatures: [RequestSignature] = []
    /// Headers added to the requests to their hosts. Default: none.
    public var originHeaders: [OriginHeader] = []

    /// Milliseconds to resolve the name, connect and shake hands, for each hop. Default 5,000, range 1...600,000.
    public var connectTimeout = 5_000
    /// Milliseconds without a byte. If longer than `connectTimeout`, connecting is included. Default 10,000, range 1...600,000.
    public var idleTimeout = 10_000
    /// Milliseconds for the whole request with all hops. Default 60,000, range 1...3,600,000.
    public var totalTimeout = 60_000

    /// Maximum bytes of a decoded body. Default 32 MiB.
    public var bodyLimit = 32 << 20
    /// Maximum bytes of one request's headers, over all hops. Default 64 KiB.
    public var headerLimit = 64 << 10
    /// Maximum number of redirects followed. Default 5. 0 follows none.
    public var redirectLimit = 5

    /// Number of connections kept open for reuse, over all origins. Default 64.
    public var idleConnections = 64
    /// Maximum numbers of connections, to one host and in total, as a backstop. A request beyond them waits within its connect
    /// timeout, so the caller must start fewer requests. Default 64 and 256. 0 means unlimited.
    public var connectionsPerHost = 64
    public var connections = 256
    /// Whether to use HTTP/2 over TLS if the origin supports it. Default true.
    public var http2 = true

    /// Bytes of memory for interrupted bodies, so that they can be resumed. Default 16 MiB. 0 stores none.
    public var partialBytes = 16 << 20
    /// Minimum size of an interrupted body worth storing, in bytes. Default 256 KiB.
    public var partialMinimum = 256 << 10

    public var userAgent = "Lookahead"
    public var accept = "image/webp,image/jpeg,image/png,image/gif;q=0.9,*/*;q=0.5"
    /// A PEM file of trusted certificates. Default: Debian's bundle. `nil` uses libcurl's built-in default.
    public var certificates: String? = "/etc/ssl/certs/ca-certificates.crt"

    /// Resolves a host name in place of the system's resolver, on each hop. A result of `nil` leaves the name to the system.
    /// Runs on the fetcher's thread, so it must be quick and never block. Default: none. The policy also checks the returned addresses.
    public var resolve: (@Sendable (_ host: String, _ port: UInt16) -> [IPAddress]?)?

    public init() {}
}
