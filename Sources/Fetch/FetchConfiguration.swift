import Pictures

/// The limits of a fetcher.
public struct FetchConfiguration: Sendable {
    public var policy = FetchPolicy()

    /// Requests that are signed, each by the first that covers it. Default: none.
    public var signatures: [RequestSignature] = []
    /// Headers that are added to the requests to their hosts. Default: none.
    public var originHeaders: [OriginHeader] = []

    /// Milliseconds to resolve the name, connect and shake hands, each hop. Default 5,000; 1...600,000.
    public var connectTimeout = 5_000
    /// Milliseconds without a byte; where it is longer than `connectTimeout`, connecting included. Default 10,000; 1...600,000.
    public var idleTimeout = 10_000
    /// Milliseconds for the whole request, all hops. Default 60,000; 1...3,600,000.
    public var totalTimeout = 60_000

    /// The most bytes of a body, decoded. Default 32 MiB.
    public var bodyLimit = 32 << 20
    /// The most bytes of headers of one request, all hops. Default 64 KiB.
    public var headerLimit = 64 << 10
    /// The most redirects followed. Default 5; 0 follows none.
    public var redirectLimit = 5

    /// Connections kept open for reuse, all origins. Default 64.
    public var idleConnections = 64
    /// The most connections to one host, and in all, as a backstop: a request beyond them waits inside its connect
    /// timeout, so the caller keeps fewer under way. Default 64 and 256; 0 is unlimited.
    public var connectionsPerHost = 64
    public var connections = 256
    /// Whether HTTP/2 is used over TLS where the origin has it. Default true.
    public var http2 = true

    /// Bytes of memory for bodies that were interrupted late, so that they can be resumed. Default 16 MiB; 0 keeps none.
    public var partialBytes = 16 << 20
    /// The least bytes of a body worth keeping to resume. Default 256 KiB.
    public var partialMinimum = 256 << 10

    public var userAgent = "Lookahead"
    public var accept = "image/webp,image/jpeg,image/png,image/gif;q=0.9,*/*;q=0.5"
    /// Certificates trusted, a PEM file. Default: Debian's bundle. Nil: as libcurl was built.
    public var certificates: String? = "/etc/ssl/certs/ca-certificates.crt"

    /// Answers for a host name in place of the system's resolver, asked anew on each hop; nil leaves it to the system.
    /// Runs on the fetcher's thread: quick, never blocking. Default: none. What it answers is judged like any address.
    public var resolve: (@Sendable (_ host: String, _ port: UInt16) -> [IPAddress]?)?

    public init() {}
}
