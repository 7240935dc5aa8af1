import Media

/// A host with or without a port (RFC 3986, section 3.2), such as `example.com`, `127.0.0.1:8081` or `[::1]:80`. Hosts are compared
/// without resolution: `localhost` and `127.0.0.1` are two hosts.
package struct Authority: Sendable, Hashable, CustomStringConvertible {
    /// In lower case, without the brackets of an IPv6 address.
    package var host: String
    /// 1...65535, or `nil` for the scheme's default port.
    package var port: UInt16?

    /// - Parameter host: a name or an address, with or without the brackets of an IPv6 address.
    package init(host: String, port: UInt16? = nil) {
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        self.host = bare.lowercased()
        self.port = port
    }

    /// Parses `HOST` or `HOST:PORT`. An IPv6 address needs brackets.
    ///
    /// - Returns: `nil` if the host or the port is malformed.
    package init?(_ text: some StringProtocol) {
        // In bytes, because each look-up of a thumbnail names its host.
        let bytes = text.utf8
        let isBracketed = bytes.first == UInt8(ascii: "[")
        let end =
            isBracketed
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { bytes.index(after: $0) }
            : bytes.firstIndex(of: UInt8(ascii: ":"))
        let (name, rest) = (bytes[..<(end ?? bytes.endIndex)], bytes[(end ?? bytes.endIndex)...])
        self.init(host: String(decoding: name, as: UTF8.self))
        let isHost =
            isBracketed
            ? IPAddress(host) != nil
            : !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 != 0x7f && !"/?#@[]".utf8.contains($0) }
        guard isHost else { return nil }
        guard let colon = rest.first else { return }
        let digits = rest.dropFirst()
        guard colon == UInt8(ascii: ":"), digits.allSatisfy({ 0x30...0x39 ~= $0 }),
            let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
        else { return nil }
        self.port = port
    }

    /// Parses a `Host` header. A full stop at the end of a name is removed.
    package init?(header text: some StringProtocol) {
        self.init(text)
        if host.last == "." { host.removeLast() }
        if host.isEmpty { return nil }
    }

    /// Parses the authority of an `Origin` header and drops the scheme's default port. `nil` for `null` and origins that are not http(s).
    package init?(origin: String) {
        let schemes: [(String, UInt16)] = [("http://", 80), ("https://", 443)]
        guard let (scheme, standard) = schemes.first(where: { origin.lowercased().hasPrefix($0.0) }) else { return nil }
        self.init(header: origin.dropFirst(scheme.count))
        if port == standard { port = nil }
    }

    package var description: String {
        (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "")
    }

    /// Returns host and port of an http or https URL in one normal form: in lower case, always with a port, without zeros before the
    /// port, without brackets and without a full stop at the end of a name.
    package static func name(in url: String) -> String {
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        var written = url.utf8[scheme.endIndex...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        if written.last == UInt8(ascii: ":") { written.removeLast() }
        let text = Substring(written)
        guard let authority = Authority(header: text) else { return text.lowercased() }
        return "\(authority.host):\(authority.port ?? (scheme.count == 5 ? 443 : 80))"
    }

    /// Whether both name the same host and port. Port 80, port 443 and no port count as equal.
    package func isSame(as other: Authority) -> Bool {
        func port(_ authority: Authority) -> UInt16? {
            authority.port == 80 || authority.port == 443 ? nil : authority.port
        }
        return host == other.host && port(self) == port(other)
    }

    /// Whether the host is this machine. No other machine can have these names and addresses.
    package var isLoopback: Bool {
        switch IPAddress(host) {
        case .v4(let value): value >> 24 == 127
        case .v6(let value): value == 1
        case nil: host == "localhost" || host.hasSuffix(".localhost")
        }
    }
}
