import CMicroHTTPD

/// A document that is sent many times. Clients get it uncompressed, or compressed if they accept that (RFC 9110, section 8.4.1.3), or as
/// 304 if they have it (section 13.2.2).
public struct ConditionalDocument: Sendable {
    private struct Variant: Sendable {
        let found: Response
        let unchanged: Response
    }

    /// Minimum size for compression. A shorter document fits into one packet.
    private static let minimumCompressed = 1200

    private let tag: String
    private let modified: Int?
    private let plain: Variant
    private let compressed: Variant?

    /// The uncompressed document.
    public var found: Response { plain.found }

    /// - Parameters:
    ///   - type: media type. Text, JSON and XML are compressed.
    ///   - tag: strong entity tag of the uncompressed document, with quotes. The compressed document gets the weak tag.
    ///   - modified: seconds since 1970, or `nil` if unknown.
    ///   - headers: headers of every response, including 304.
    ///   - body: uncompressed bytes of the document.
    public init(
        type: String, tag: String, modified: Int? = nil, headers: [(name: String, value: String)], body: [UInt8]
    ) {
        let isText = Self.isText(type) && body.count >= Self.minimumCompressed
        let vary = isText ? [(name: "Vary", value: "Accept-Encoding")] : []
        func variant(_ tag: String, _ encoding: [(name: String, value: String)], _ body: [UInt8]) -> Variant {
            let common = Self.validators(tag, modified) + headers + vary
            return Variant(
                found: Response(headers: [("Content-Type", type)] + encoding + common, body: body),
                unchanged: Response(status: 304, headers: common))
        }
        (self.tag, self.modified) = (tag, modified)
        plain = variant(tag, [], body)
        let smaller = isText ? Self.gzip(body) : nil
        compressed = smaller.map { variant("W/\(tag)", [("Content-Encoding", "gzip")], $0) }
    }

    /// Returns the response to a GET or HEAD request.
    public func response(to request: Request) -> Response {
        let variant = compressed.flatMap { Self.takesGzip(request) ? $0 : nil } ?? plain
        return Self.isKnown(tag, modified, to: request) ? variant.unchanged : variant.found
    }

    /// Returns the response to a GET or HEAD request for a document that is made for this request only.
    ///
    /// - Parameters:
    ///   - tag: strong entity tag of the document, with quotes.
    ///   - headers: headers of 200 and 304, without `ETag`.
    ///   - found: returns the response with the document, from its headers.
    public static func response(
        to request: Request, tag: String, headers: [(name: String, value: String)],
        found: ([(name: String, value: String)]) -> Response
    ) -> Response {
        let headers = validators(tag, nil) + headers
        return isKnown(tag, nil, to: request) ? Response(status: 304, headers: headers) : found(headers)
    }

    /// Whether the client has the document. `If-Modified-Since` counts only without `If-None-Match`.
    private static func isKnown(_ tag: String, _ modified: Int?, to request: Request) -> Bool {
        if let tags = request.header("if-none-match") { return EntityTag.matches(tags, tag) }
        guard let modified, let date = request.header("if-modified-since"), let seconds = HTTPDate.seconds(date) else {
            return false
        }
        return modified <= seconds
    }

    private static func validators(_ tag: String, _ modified: Int?) -> [(name: String, value: String)] {
        [(name: "ETag", value: tag)] + (modified.map { [(name: "Last-Modified", value: HTTPDate.text($0))] } ?? [])
    }

    private static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || ["json", "svg+xml", "xml"].contains { type.hasSuffix($0) }
    }

    /// Whether `Accept-Encoding` lists gzip without a weight or with a weight above 0 (RFC 9110, section 12.5.3).
    private static func takesGzip(_ request: Request) -> Bool {
        guard let field = request.header("accept-encoding") else { return false }
        return field.utf8.split(separator: UInt8(ascii: ",")).contains { part in
            let words = part.split { " \t;".utf8.contains($0) }
            guard let coding = words.first, ASCII.areEqual(coding, "gzip".utf8) else { return false }
            let weight = words.dropFirst().first { ASCII.areEqual($0.prefix(2), "q=".utf8) }
            return weight.map { $0.dropFirst(2).contains { UInt8(ascii: "1")...UInt8(ascii: "9") ~= $0 } } ?? true
        }
    }

    /// - Returns: the compressed bytes, or `nil` if they would not be smaller.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let written = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            count = micro_gzip(bytes, bytes.count, buffer.baseAddress, bytes.count - 1)
        }
        return written.isEmpty ? nil : written
    }
}
