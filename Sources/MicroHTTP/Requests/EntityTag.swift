/// Entity tags (RFC 9110 section 8.8.3).
public enum EntityTag {
    /// Whether an `If-None-Match` field contains the tag, by weak comparison as that section defines it.
    /// - Parameter tag: entity tag with its quotes.
    public static func matches(_ field: String, _ tag: String) -> Bool {
        let wanted = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
        for part in field.split(separator: ",") {
            let text = part.drop { $0 == " " || $0 == "\t" }
            let bare = text.hasPrefix("W/") ? text.dropFirst(2) : text
            let trimmed = bare.lastIndex(of: "\"").map { bare[...$0] } ?? bare
            if trimmed == wanted || text.split(separator: " ").first == "*" { return true }
        }
        return false
    }

    /// Returns a strong tag (RFC 9110, section 8.8.3) of bytes in memory: their 64-bit FNV-1a hash and their length.
    ///
    /// The tag does not resist deliberate collisions. This is not needed, because a tag only saves sending bytes that the client has.
    public static func of(_ bytes: [UInt8]) -> String {
        "\"\(String(hash(of: bytes), radix: 16))-\(String(bytes.count, radix: 16))\""
    }

    private static func hash(of bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
