/// A quick fingerprint of bytes, to notice damage that the database cannot: it checks its pages' structure, not what
/// they hold. Not against an adversary, who could write the fingerprint too.
///
/// Eight bytes at a time through the multiply-and-fold step of wyhash (Wang Yi, 2019).
enum Checksum {
    static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var hash = seed ^ (UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15)
        var offset = 0
        while offset + 8 <= bytes.count {
            hash = fold(hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self), 0xA076_1D64_78BD_642F)
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes[offset])
            offset += 1
        }
        return fold(hash ^ rest, 0xE703_7ED1_A0B4_28DB)
    }

    static func of(_ thumbnail: Thumbnail) -> UInt64 {
        let shape = UInt64(truncatingIfNeeded: thumbnail.width) << 32 ^ UInt64(truncatingIfNeeded: thumbnail.height)
        let first = thumbnail.bytes.withUnsafeBytes { of($0, seed: shape) }
        let second = thumbnail.small.withUnsafeBytes { of($0, seed: first) }
        let third = thumbnail.thumbHash.withUnsafeBytes { of($0, seed: second) }
        let fourth = thumbnail.isDamaged ? ~third : third
        guard let version = thumbnail.version else { return fourth }
        let words =
            "\(version.confirmed.bitPattern)|\(version.validators.etag ?? "")|\(version.validators.lastModified ?? "")"
        return Array(words.utf8).withUnsafeBytes { of($0, seed: fourth) }
    }

    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
