import Fetch
import Gallery
import Media
import MicroHTTP

/// Origins whose pages may embed galleries (`--embed-origin`), with the element or in a frame. Such pages can view and scroll, and cannot
/// change anything that belongs to others.
package struct EmbedOrigins: Sendable {
    /// Origins as browsers write them, in the order of the options.
    private let origins: [String]

    /// - Parameter texts: origins such as `https://blog.example` or `http://localhost:3000`.
    /// - Throws: ``SettingError`` if a text is not an origin.
    package init(_ texts: [String]) throws(SettingError) {
        var origins: [String] = []
        for text in texts {
            guard let origin = Self.serialised(text) else {
                throw SettingError(
                    "--embed-origin must be an origin without a path, such as https://blog.example or "
                        + "http://localhost:3000, not \"\(text)\"")
            }
            if !origins.contains(origin) { origins.append(origin) }
        }
        self.origins = origins
    }

    var isEmpty: Bool { origins.isEmpty }

    /// Origins whose frames may show the page, as a source list of a content security policy.
    package var frameAncestors: String { origins.isEmpty ? "'none'" : origins.joined(separator: " ") }

    /// Returns headers with a content security policy that allows these origins as frame ancestors.
    func headers(policy: String) -> [(name: String, value: String)] {
        let headers = [(name: "Content-Security-Policy", value: "\(policy); frame-ancestors \(frameAncestors)")]
        // X-Frame-Options cannot name another origin.
        return isEmpty ? headers + [(name: "X-Frame-Options", value: "DENY")] : headers
    }

    /// Whether the request comes from a page of one of these origins. Browsers set this header, and pages cannot change it.
    package func made(_ request: Request) -> Bool { origin(of: request) != nil }

    private func origin(of request: Request) -> String? {
        guard !origins.isEmpty, let origin = request.header("Origin"), origins.contains(origin) else { return nil }
        return origin
    }

    /// Returns only the scheme, host and port, in lower case and without the scheme's default port (RFC 6454, section 6.2).
    private static func serialised(_ text: String) -> String? {
        guard let end = text.firstRange(of: "://"), let authority = Authority(origin: text) else { return nil }
        let scheme = text[..<end.lowerBound].lowercased()
        let isAddress = IPAddress(authority.host) != nil
        let isName = authority.host.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || "-._".utf8.contains($0)
        }
        guard isAddress || isName else { return nil }
        return "\(scheme)://\(authority)"
    }
}

// Responses to browsers that ask whether a page of another origin may read a response (fetch.spec.whatwg.org, CORS protocol).
extension EmbedOrigins {
    /// Seconds for which a browser may cache a preflight. Chromium's maximum.
    private static let maxAge = 7200

    /// Returns the CORS headers for the response to a request, or none if no origin is configured.
    func headers(for request: Request) -> [(name: String, value: String)] {
        if origins.isEmpty { return [] }
        // Caches must store the responses to different origins separately.
        let vary = [(name: "Vary", value: "Origin")]
        guard let origin = origin(of: request) else { return vary }
        return vary + [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"),
            ("Access-Control-Expose-Headers", "Content-Range, ETag, Location, Retry-After"),
        ]
    }

    /// Returns the response to a preflight from one of these origins, or `nil` for any other request.
    func preflight(_ request: Request) -> Response? {
        guard request.method == .options, made(request), request.header("Access-Control-Request-Method") != nil else {
            return nil
        }
        return Response(
            status: 204,
            headers: [
                ("Access-Control-Allow-Methods", "GET, POST, PATCH, DELETE"),
                ("Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID"),
                ("Access-Control-Max-Age", String(Self.maxAge)),
            ])
    }
}
