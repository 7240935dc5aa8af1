import CMicroHTTPD

/// A document that is sent many times: as it is, compressed to clients that take that (RFC 9110, section 8.4.1.3), and as
/// 304 to those that have it (section 13.2.2).
public struct ConditionalDocument: Sendable {
    private struct Variant: Sendable {
        let found: Response
        let unchanged: Response
    }

    /// A shorter one is sent as it is: it fits into one packet.
    private static let leastCompressed = 1200

    private let tag: String
    private let modified: Int?
    private let plain: Variant
    private let compressed: Variant?

    /// The document as it is.
    public var found: Response { plain.found }

    /// - Parameters:
    ///   - type: the media type; text is compressed, and whatever else is written in words.
    ///   - tag: strong, with its quotes. That of the compressed document is the weak one.
    ///   - modified: seconds since 1970; left out where nothing is known of it.
    ///   - headers: sent with every answer, 304 included.
    ///   - body: as it is sent to who takes no compressed one.
    public init(
        type: String, tag: String, modified: Int? = nil, headers: [(name: String, value: String)], body: [UInt8]
    ) {
        let isText = Self.isText(type) && body.count >= Self.leastCompressed
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

    /// The answer to a GET or HEAD request.
    public func response(to request: Request) -> Response {
        let variant = compressed.flatMap { Self.takesGzip(request) ? $0 : nil } ?? plain
        return isKnown(to: request) ? variant.unchanged : variant.found
    }

    /// If-None-Match, and only without it If-Modified-Since.
    private func isKnown(to request: Request) -> Bool {
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

    /// Whether Accept-Encoding names gzip, with a weight above 0 where it has one (RFC 9110, section 12.5.3).
    private static func takesGzip(_ request: Request) -> Bool {
        guard let field = request.header("accept-encoding") else { return false }
        return field.split(separator: ",").contains { part in
            let words = part.split { " \t;".contains($0) }
            guard let coding = words.first, ASCII.lowercased(String(coding)) == "gzip" else { return false }
            let weight = words.dropFirst().first { $0.hasPrefix("q=") || $0.hasPrefix("Q=") }
            return weight.map { $0.dropFirst(2).contains { ("1"..."9").contains($0) } } ?? true
        }
    }

    /// - Returns: nil where it would not be smaller.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
        let written = [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
            count = micro_gzip(bytes, bytes.count, buffer.baseAddress, bytes.count - 1)
        }
        return written.isEmpty ? nil : written
    }
}
