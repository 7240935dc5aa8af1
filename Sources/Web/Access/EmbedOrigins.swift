import Fetch
import Gallery
import MicroHTTP
import Pictures
import Thumbnails

/// The origins whose pages may show galleries in themselves (`--embed-origin`): by the element, or in a frame. They look and
/// scroll, and change nothing that is another's.
package struct EmbedOrigins: Sendable {
    /// As browsers write them, in the order in which they were given.
    private let origins: [String]

    /// - Parameter texts: origins, as `https://blog.example` or `http://localhost:3000`.
    /// - Throws: ``SettingError`` for what is none.
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

    /// The origins whose frames may hold the page, as a source list of a content security policy.
    package var frameAncestors: String { origins.isEmpty ? "'none'" : origins.joined(separator: " ") }

    /// Headers that name these origins beside the rest of a policy.
    func headers(policy: String) -> [(name: String, value: String)] {
        let headers = [(name: "Content-Security-Policy", value: "\(policy); frame-ancestors \(frameAncestors)")]
        // X-Frame-Options can name no other origin.
        return isEmpty ? headers + [(name: "X-Frame-Options", value: "DENY")] : headers
    }

    /// Whether a page of one of these origins makes the request. Browsers alone write this header, and no page can.
    package func made(_ request: Request) -> Bool { origin(of: request) != nil }

    private func origin(of request: Request) -> String? {
        guard !origins.isEmpty, let origin = request.header("Origin"), origins.contains(origin) else { return nil }
        return origin
    }

    /// The scheme, host and port alone: lower case, without the scheme's own port (RFC 6454, section 6.2).
    private static func serialised(_ text: String) -> String? {
        guard let end = text.firstRange(of: "://"), let authority = Authority(origin: text) else { return nil }
        let scheme = text[..<end.lowerBound].lowercased()
        let isAddress = IPAddress(authority.host) != nil
        let isName = authority.host.utf8.allSatisfy {
            (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || "-._".utf8.contains($0)
        }
        guard isAddress || isName else { return nil }
        let host = authority.host.contains(":") ? "[\(authority.host)]" : authority.host
        return "\(scheme)://\(host)" + (authority.port.map { ":\($0)" } ?? "")
    }
}

// Answers to browsers' questions before a page of another origin may read its answers (fetch.spec.whatwg.org, CORS protocol).
extension EmbedOrigins {
    /// Seconds for which a browser need not ask again; Chromium heeds no more.
    private static let maxAge = 7200

    /// Returns the CORS headers of the answer to a request; none where no origin is named.
    func headers(for request: Request) -> [(name: String, value: String)] {
        if origins.isEmpty { return [] }
        // A cache keeps the answers to each apart.
        let vary = [(name: "Vary", value: "Origin")]
        guard let origin = origin(of: request) else { return vary }
        return vary + [
            ("Access-Control-Allow-Origin", origin), ("Access-Control-Allow-Credentials", "true"),
            ("Access-Control-Expose-Headers", "Content-Range, ETag, Location, Retry-After"),
        ]
    }

    /// The answer to a preflight of one of these origins; `nil` for any other request.
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
