import Media

/// Why a fetch returned no body. Each case has a short description for people.
public enum FetchError: Error, Sendable, Hashable {
    case cancelled
    case shutDown
    case refusedURL(URLRefusal)
    case refusedAddress(IPAddress, AddressKind)
    case tooManyRedirects(limit: Int)
    case invalidHeader(name: String)
    /// The body is longer than `limit` bytes.
    case tooLarge(limit: Int)
    case headersTooLarge(limit: Int)
    case timeout(Phase)
    case unknownHost(String)
    case connectionRefused
    case tls(String)
    /// The connection ended before the body: fewer bytes arrived than announced, or the last chunk is missing. If the origin announced
    /// neither a length nor chunks, the body is complete when its connection ends (RFC 9112, section 8). A picture that is
    /// nevertheless incomplete is shown as damaged.
    case truncated(received: Int, expected: Int?)
    case badEncoding
    /// A response that is neither 2xx nor 304. `retryAfter` is in seconds, 0...86,400, or `nil` if the origin did not send it.
    case status(Int, retryAfter: Double?)
    case transport(String)

    public enum Phase: String, Sendable, Hashable {
        case connect, idle, total
    }

    /// Whether another attempt may succeed.
    public var isRetryable: Bool {
        switch self {
        case .timeout, .unknownHost, .connectionRefused, .truncated, .transport: true
        case .status(let code, _): [408, 425, 429, 500, 502, 503, 504].contains(code)
        default: false
        }
    }

    /// How long the origin requested to wait, in seconds.
    public var retryAfter: Double? {
        if case .status(_, let seconds) = self { seconds } else { nil }
    }
}

extension FetchError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .shutDown: "downloads are shut down"
        case .refusedURL(let refusal): "URL not allowed: \(refusal)"
        case .refusedAddress(let address, let kind): "address not allowed: \(address) (\(kind.rawValue))"
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .invalidHeader(let name): "the request header \(name) is malformed"
        case .tooLarge(let limit): "the file is larger than \(limit) bytes"
        case .headersTooLarge(let limit): "more than \(limit) bytes of headers"
        case .timeout(.connect): "connecting took too long"
        case .timeout(.idle): "the origin stopped responding"
        case .timeout(.total): "the download took too long"
        case .unknownHost(let host): "host \(host) not found"
        case .connectionRefused: "the origin refused the connection"
        case .tls(let reason): "secure connection failed: \(reason)"
        case .truncated(let received, let expected?): "cut off after \(received) of \(expected) bytes"
        case .truncated(let received, nil): "cut off after \(received) bytes"
        case .badEncoding: "unknown or invalid content encoding"
        case .status(let code, _): "the origin responded with \(code)"
        case .transport(let reason): "connection failed: \(reason)"
        }
    }
}
