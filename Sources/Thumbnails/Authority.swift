import Catalog
import Fetch
import Media

/// A host with or without a port, as in the Host and Origin headers.
package struct Authority: Equatable {
    /// In lower case, without the brackets of an IPv6 address and without a full stop at the end of a name.
    package var host: String
    /// `nil` for the scheme's default port.
    package var port: Int?

    /// - Returns: `nil` if the text names no host.
    package init?(_ text: some StringProtocol) {
        var rest = text[...]
        if rest.first == "[" {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            host = rest[rest.index(after: rest.startIndex)..<end].lowercased()
            guard IPAddress(host) != nil else { return nil }
            rest = rest[rest.index(after: end)...]
        } else {
            let end = rest.firstIndex(of: ":") ?? rest.endIndex
            host = rest[..<end].lowercased()
            if host.last == "." { host.removeLast() }
            rest = rest[end...]
        }
        guard !host.isEmpty else { return nil }
        guard !rest.isEmpty else { return }
        guard rest.first == ":", let port = Self.port(rest.dropFirst()) else { return nil }
        self.port = port
    }

    private static func port(_ digits: some StringProtocol) -> Int? {
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits).flatMap { 1...65535 ~= $0 ? $0 : nil }
    }

    /// Parses the authority of an `Origin` header and drops the scheme's default port. `nil` for `null` and origins that are not http(s).
    package init?(origin: String) {
        let schemes = [("http://", 80), ("https://", 443)]
        guard let (scheme, standard) = schemes.first(where: { origin.lowercased().hasPrefix($0.0) }) else { return nil }
        self.init(origin.dropFirst(scheme.count))
        if port == standard { port = nil }
    }

    /// Returns host and port of an http or https URL in one normal form: in lower case, always with a port, without zeros before the
    /// port and without a full stop at the end of a name.
    package static func name(in url: String) -> String {
        let scheme = url.utf8.prefix { $0 != UInt8(ascii: ":") }
        var written = url.utf8[scheme.endIndex...].dropFirst(3).prefix { !"/?#".utf8.contains($0) }
        if written.last == UInt8(ascii: ":") { written.removeLast() }
        let text = Substring(written)
        guard let authority = Authority(text) else { return text.lowercased() }
        return "\(authority.host):\(authority.port ?? (scheme.count == 5 ? 443 : 80))"
    }

    /// Whether both name the same host and port. Port 80, port 443 and no port count as equal.
    package func isSame(as other: Authority) -> Bool {
        func port(_ authority: Authority) -> Int? {
            authority.port == 80 || authority.port == 443 ? nil : authority.port
        }
        return host == other.host && port(self) == port(other)
    }

    /// Whether the host is this machine. No other machine can have these names and addresses.
    package var isLoopback: Bool { Self.isLoopback(host) }

    package static func isLoopback(_ host: String) -> Bool {
        switch IPAddress(host) {
        case .v4(let value): value >> 24 == 127
        case .v6(let value): value == 1
        case nil: host == "localhost" || host.hasSuffix(".localhost")
        }
    }
}

extension Locator {
    /// Host name and port of a URL, or `nil` for a file.
    package var host: String? { if case .url(let url) = self { Authority.name(in: url) } else { nil } }
}
