import CCurl
import Media

/// An http or https URL that the fetcher accepts. libcurl's own parser parses it, so that the policy checks exactly the URL that
/// is requested. Numeric hosts are normalised (`0x7f.1` is `127.0.0.1`) and the fragment is removed. Spaces and non-ASCII bytes
/// in path and query are escaped.
public struct WebURL: Sendable, Hashable, CustomStringConvertible {
    /// The whole URL, in the form of the request.
    public let absolute: String
    public let isSecure: Bool
    public let origin: WebOrigin

    /// Maximum length of a URL, in bytes.
    public static let longest = 8_192

    public init(_ text: String) throws(URLRefusal) {
        try self.init(text, base: nil)
    }

    /// Returns the URL to which `location`, the value of a Location header, leads from this URL.
    public func resolving(_ location: String) throws(URLRefusal) -> WebURL {
        try WebURL(location, base: absolute)
    }

    private init(_ text: String, base: String?) throws(URLRefusal) {
        guard text.utf8.count <= Self.longest else { throw .tooLong }
        // A NUL would end the C string early, so the checked and the requested URL would differ.
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { throw .controlCharacter }
        let parsed = if let base { base.withCString { ccurl_url_parse(text, $0) } } else { ccurl_url_parse(text, nil) }
        guard let parsed else { throw .malformed }
        defer { ccurl_url_destroy(parsed) }

        func part(_ which: ccurl_url_part) -> String? {
            guard let bytes = ccurl_url_get(parsed, which) else { return nil }
            defer { ccurl_free(bytes) }
            return String(cString: bytes)
        }
        guard let scheme = part(CCURL_URL_SCHEME)?.lowercased() else { throw .malformed }
        guard scheme == "http" || scheme == "https" else { throw .scheme(String(scheme.prefix(32))) }
        guard part(CCURL_URL_USER) == nil, part(CCURL_URL_PASSWORD) == nil, part(CCURL_URL_OPTIONS) == nil else {
            throw .credentials
        }
        guard part(CCURL_URL_ZONE) == nil else { throw .zone }
        guard let host = part(CCURL_URL_HOST), !host.isEmpty, host != "[]", let whole = part(CCURL_URL_WHOLE),
            let port = part(CCURL_URL_PORT).flatMap({ UInt16($0) }), port > 0
        else { throw .malformed }
        guard whole.utf8.count <= Self.longest else { throw .tooLong }
        absolute = whole
        isSecure = scheme == "https"
        origin = WebOrigin(host: host, port: port)
    }

    public var description: String { absolute }
}

public enum URLRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    case malformed
    case scheme(String)
    case credentials
    case controlCharacter
    case tooLong
    case zone
    /// Refused by the operator's own rule.
    case policy(String)

    public var description: String {
        switch self {
        case .malformed: "not an absolute http or https URL"
        case .scheme(let scheme): "\(scheme) is neither http nor https"
        case .credentials: "a URL may not hold a user name or a password"
        case .controlCharacter: "a URL may not hold control characters"
        case .tooLong: "longer than \(WebURL.longest) bytes"
        case .zone: "an IPv6 address may not name a zone"
        case .policy(let reason): reason
        }
    }
}
