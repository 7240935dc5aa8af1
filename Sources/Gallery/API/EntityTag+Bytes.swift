import MicroHTTP

extension EntityTag {
    /// A strong tag (RFC 9110, section 8.8.3) of bytes held in memory: FNV-1a, 64 bit, and the length.
    ///
    /// Not a defence against chosen collisions; none is needed, as a tag only spares a client bytes that it has.
    static func of(_ bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return "\"\(String(hash, radix: 16))-\(String(bytes.count, radix: 16))\""
    }
}
