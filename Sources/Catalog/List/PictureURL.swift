/// Checks the form of an address in a list. The resolved address is checked when the picture is fetched.
enum PictureURL {
    /// Returns the reason why a text cannot be an item's address, or `nil` if it can.
    static func fault(in text: String, maxBytes: Int) -> String? {
        guard !text.isEmpty else { return "is empty" }
        guard text.utf8.count <= maxBytes else { return "is longer than \(maxBytes) bytes" }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return "holds a space or a control character" }
        guard let rest = afterScheme(text) else { return "is not an http or https URL" }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        guard !authority.contains(UInt8(ascii: "@")) else { return "holds a user name or password" }
        guard !authority.contains(UInt8(ascii: "\\")) else { return "has no valid host" }
        return hasHost(authority) ? nil : "has no valid host"
    }

    private static func afterScheme(_ text: String) -> Substring.UTF8View? {
        for scheme in ["http://", "https://"] where text.utf8.count > scheme.utf8.count {
            let start = text.utf8.prefix(scheme.utf8.count)
            if zip(start, scheme.utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }) {
                return text.utf8.dropFirst(scheme.utf8.count)
            }
        }
        return nil
    }

    private static func hasHost(_ authority: Substring.UTF8View) -> Bool {
        var host = authority
        if host.first == UInt8(ascii: "[") {
            guard let close = host.firstIndex(of: UInt8(ascii: "]")) else { return false }
            let port = host[host.index(after: close)...]
            return host.distance(from: host.startIndex, to: close) > 2 && (port.isEmpty || isPort(port))
        }
        if let colon = host.firstIndex(of: UInt8(ascii: ":")) {
            guard isPort(host[colon...]) else { return false }
            host = host[..<colon]
        }
        return !host.isEmpty
    }

    /// Returns whether the text is `:` and a port, or only `:`.
    private static func isPort(_ text: Substring.UTF8View) -> Bool {
        let digits = text.dropFirst()
        guard text.first == UInt8(ascii: ":"), digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return false }
        return digits.isEmpty || UInt16(Substring(digits)).map { $0 > 0 } ?? false
    }
}
