import Media

/// A header that the operator adds to the requests to one host, such as an access token. Its value is a secret: no text
/// from this type contains the value.
public struct OriginHeader: Sendable, Equatable, CustomStringConvertible {
    /// Why a text is not a valid header, and how to fix it. Never contains the value.
    public struct Refusal: Error, Sendable, Equatable, CustomStringConvertible {
        public let description: String
    }

    private static let maximumBytes = 8 << 10
    private static let ownNames: Set = [
        "host", "content-length", "transfer-encoding", "connection", "range", "if-range", "if-none-match",
        "if-modified-since", "accept-encoding",
    ]

    /// In the form of ``Authority/host``.
    let host: String
    /// `nil` for all ports.
    let port: UInt16?
    public let name: String
    let value: String

    /// Parses `HOST: NAME: VALUE` or `HOST:PORT: NAME: VALUE`.
    public init(_ text: String) throws(Refusal) {
        guard text.utf8.count <= Self.maximumBytes else {
            throw Refusal(description: "a header is longer than 8 KiB: shorten it")
        }
        guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw Refusal(description: "a header has control characters or line breaks: remove them")
        }
        // Skip the colons inside an IPv6 address, which are no separators.
        let bracket = text.first == "[" ? text.firstIndex(of: "]") : nil
        var parts = Self.split(text[(bracket ?? text.startIndex)...])
        guard parts.count == 2 else { throw Self.incomplete }
        let place = text[..<parts[0].endIndex]
        parts = Self.split(parts[1])
        // A port follows its colon without a space.
        if let digits = parts.first, !digits.isEmpty, digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) {
            guard let number = UInt16(digits), number > 0 else {
                throw Refusal(description: "a header's port is not from 1 to 65535: correct or remove it")
            }
            port = number
            parts = parts.count == 2 ? Self.split(parts[1]) : []
        } else {
            port = nil
        }
        guard parts.count == 2 else { throw Self.incomplete }
        let (name, value) = (Self.trimmed(parts[0]), Self.trimmed(parts[1]))
        guard !name.isEmpty, !value.isEmpty, !place.isEmpty else { throw Self.incomplete }
        // Parsed like the hosts of requests, so that both have the same form.
        guard !place.contains(where: { " /@?#\\".contains($0) }), let url = try? WebURL("http://\(place)/") else {
            throw Refusal(description: "a header's host is neither a name nor an address: give HOST or HOST:PORT")
        }
        guard RequestHeaders.isSound(name, value) else {
            throw Refusal(description: "a header's name is not letters, digits and hyphens: \(Self.form)")
        }
        guard !Self.ownNames.contains(name.lowercased()) else {
            throw Refusal(description: "the header \(name) is set by Lookahead itself: remove it")
        }
        (host, self.name, self.value) = (url.origin.host, name, value)
    }

    /// Whether to send the header with a request. Not sent over plain HTTP after a redirect from HTTPS. A header without a port
    /// does not follow a redirect to another port of its host, unless that port is the HTTPS port.
    ///
    /// - Parameter first: The requested URL, before redirects.
    func covers(_ url: WebURL, askedFor first: WebURL?) -> Bool {
        guard url.origin.host == host, port.map({ $0 == url.origin.port }) ?? true else { return false }
        guard let first, first != url else { return true }
        guard url.isSecure || !first.isSecure else { return false }
        return port != nil || first.origin.host != host || first.origin == url.origin
            || url.isSecure && url.origin.port == 443
    }

    /// Never contains the value, because descriptions end up in logs.
    public var description: String { "\(Authority(host: host, port: port)): \(name)" }

    private static let form = "give HOST: NAME: VALUE, such as nas.local: Authorization: Bearer TOKEN"
    private static let incomplete = Refusal(description: "a header lacks its host, name or value: \(form)")

    /// Splits at the first colon.
    private static func split(_ text: Substring) -> [Substring] {
        text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
