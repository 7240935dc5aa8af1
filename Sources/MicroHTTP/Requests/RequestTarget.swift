/// A request target (RFC 9112, section 3.2), split into its parts and decoded once.
struct RequestTarget: Sendable {
    struct Malformed: Error { let reason: String }

    private static let maxParameters = 100

    /// Decoded and normalised path. Begins with `/` and contains no empty, `.` or `..` segments and no NUL. `*` for `OPTIONS *`.
    let path: String
    /// The part after the `?` as sent, or empty if there is none.
    let query: [UInt8]
    /// Host and port of a target in absolute form. They replace the Host header.
    let authority: String?
    /// The target as sent.
    let raw: [UInt8]

    init(_ raw: [UInt8], method: Method) throws(Malformed) {
        self.raw = raw
        guard !raw.isEmpty else { throw Malformed(reason: "the request target is empty") }
        guard raw.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }) else {
            throw Malformed(reason: "the request target has bytes that must be percent-encoded")
        }
        if method == .options && raw.elementsEqual("*".utf8) {
            (path, query, authority) = ("*", [], nil)
            return
        }
        var rest = raw[...]
        var authority: String?
        if raw.first != UInt8(ascii: "/") {
            guard let host = Self.authority(of: &rest) else {
                throw Malformed(reason: "the request target is neither a path nor an http URL")
            }
            authority = host
        }
        self.authority = authority
        let mark = rest.firstIndex(of: UInt8(ascii: "?"))
        query = mark.map { Array(rest[($0 + 1)...]) } ?? []
        path = try Self.normalised(try Self.decoded(rest[..<(mark ?? rest.endIndex)]))
        if !query.isEmpty { _ = try Self.decoded(query[...]) }
        // The number must be small, because each lookup of a parameter searches all of them.
        guard query.count(where: { $0 == UInt8(ascii: "&") }) < Self.maxParameters else {
            throw Malformed(reason: "the query has more than \(Self.maxParameters) parameters")
        }
    }

    private static func authority(of rest: inout ArraySlice<UInt8>) -> String? {
        for scheme in ["http://", "https://"]
        where rest.prefix(scheme.utf8.count).lazy.map(ASCII.lowercased).elementsEqual(scheme.utf8) {
            rest = rest.dropFirst(scheme.utf8.count)
            let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
            let host = rest[..<end]
            rest = rest[end...]
            // Refuse user information in a target, as RFC 9110, section 4.2.4 allows.
            guard !host.isEmpty, !host.contains(UInt8(ascii: "@")) else { return nil }
            return String(decoding: host, as: UTF8.self)
        }
        return nil
    }

    /// Decodes percent-encoding. Leaves `+` unchanged.
    static func decoded(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> ArraySlice<UInt8> {
        guard bytes.contains(UInt8(ascii: "%")) else { return bytes }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = bytes.startIndex
        while at < bytes.endIndex {
            guard bytes[at] == UInt8(ascii: "%") else {
                out.append(bytes[at])
                at += 1
                continue
            }
            guard at + 2 < bytes.endIndex, let high = ASCII.hexValue(bytes[at + 1]),
                let low = ASCII.hexValue(bytes[at + 2])
            else { throw Malformed(reason: "the request target has a broken percent-encoding") }
            guard high | low != 0 else { throw Malformed(reason: "the request target has an encoded NUL") }
            out.append(high << 4 | low)
            at += 3
        }
        return out[...]
    }

    private static func normalised(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
        // The initializer replaces bytes that are not UTF-8.
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.elementsEqual(bytes) else { throw Malformed(reason: "the path is not UTF-8") }
        guard bytes.first != UInt8(ascii: "/") || Self.needsNormalising(bytes) else { return text }
        var segments: [Substring] = []
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        for part in parts {
            switch part {
            case "", ".": continue
            case "..": _ = segments.popLast()
            default: segments.append(part)
            }
        }
        let closes = !segments.isEmpty && ["", ".", ".."].contains(parts.last ?? "")
        return "/" + segments.joined(separator: "/") + (closes ? "/" : "")
    }

    private static func needsNormalising(_ bytes: ArraySlice<UInt8>) -> Bool {
        var afterSlash = false
        for byte in bytes {
            if afterSlash && (byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".")) { return true }
            afterSlash = byte == UInt8(ascii: "/")
        }
        return false
    }

    /// Returns the decoded value of the first query parameter with this name. Decodes `+` as a space.
    func parameter(_ name: String) -> String? {
        for pair in query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: true) {
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            // Skip longer names without decoding: each byte of the name takes at most three encoded bytes.
            guard equals - pair.startIndex <= 3 * name.utf8.count, Self.form(pair[..<equals]) == name else { continue }
            return Self.form(pair[equals...].dropFirst())
        }
        return nil
    }

    private static func form(_ bytes: ArraySlice<UInt8>) -> String {
        let spaced = bytes.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: (try? decoded(spaced[...])) ?? spaced[...], as: UTF8.self)
    }
}
