/// A host and a port, such as `127.0.0.1:8081` or `[::1]:80`, that the operator trusts by name: its address is not
/// judged. Hosts are compared without regard to case, and not resolved: `localhost` and `127.0.0.1` are two origins.
public struct WebOrigin: Sendable, Hashable, CustomStringConvertible {
    /// Lower case; an IPv6 address without its brackets.
    public let host: String
    /// 1...65535.
    public let port: UInt16

    public init(host: String, port: UInt16) {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.host = bare.lowercased()
        self.port = port
    }

    /// Reads `HOST:PORT`; nil when either is missing or malformed.
    public init?(_ text: some StringProtocol) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let (host, digits) = (String(text[..<colon]), text[text.index(after: colon)...])
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard !host.isEmpty, host.contains(":") == isBracketed, !host.contains(where: { "/@?# ".contains($0) }),
            digits.utf8.allSatisfy({ 48...57 ~= $0 }), let port = UInt16(digits), port > 0
        else { return nil }
        self.init(host: host, port: port)
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
