/// Strong entity tags (RFC 9110, section 8.8.3) of bytes held in memory.
enum EntityTag {
    /// FNV-1a, 64 bit, and the length: equal bytes, equal tags. Not a defence against chosen collisions; none is needed,
    /// as a tag only spares a client bytes that it has.
    static func of(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))-\(String(bytes.count, radix: 16))\""
    }

    /// Whether an `If-None-Match` field names the tag; the weak comparison that the field calls for.
    static func matches(_ field: String, _ tag: String) -> Bool {
        field.split(separator: ",").contains { candidate in
            var candidate = candidate.drop { $0 == " " || $0 == "\t" }
            while let last = candidate.last, last == " " || last == "\t" { candidate.removeLast() }
            if candidate == "*" { return true }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == tag
        }
    }
}
