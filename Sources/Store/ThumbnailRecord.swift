import Media

/// A thumbnail as bytes, for a store that others can write to. The bytes are checked before they are used.
///
/// | bytes | content |
/// | --- | --- |
/// | 8 | time of the last response from the origin, as a big-endian double, seconds since 1970; 0 for a file |
/// | 4 | `LKT1` |
/// | 1 | bits: 1 damaged, 2 from a download, 4 with an ETag, 8 with a Last-Modified, 16 WebP instead of JPEG, 32 with a lifetime |
/// | 4 x 4 | width, height, width of the original, height of the original, big-endian |
/// | 5 x 4 and the bytes | ETag, Last-Modified, ThumbHash, small tier, picture, each after its length |
/// | 8 | lifetime as a big-endian double, in seconds, if there is one |
/// | 8 | checksum of all bytes before it |
package enum ThumbnailRecord {
    private static let magic: [UInt8] = Array("LKT1".utf8)
    /// Maximum length of a record in bytes.
    package static let longest = 8 << 20
    /// Maximum length of a side in pixels.
    private static let longestSide = 1 << 20

    package static func encode(_ thumbnail: Thumbnail) -> [UInt8] {
        let validators = thumbnail.version?.validators
        let isWebP = thumbnail.mediaType == ThumbnailFormat.webp.mediaType
        var bytes: [UInt8] = []
        bytes.reserveCapacity(thumbnail.bytes.count + thumbnail.small.count + 256)
        append((thumbnail.version?.confirmed ?? 0).bitPattern, to: &bytes)
        bytes += magic
        bytes.append(
            (thumbnail.isDamaged ? 1 : 0) | (thumbnail.version != nil ? 2 : 0) | (validators?.etag != nil ? 4 : 0)
                | (validators?.lastModified != nil ? 8 : 0) | (isWebP ? 16 : 0)
                | (thumbnail.version?.lifetime != nil ? 32 : 0))
        for side in [thumbnail.width, thumbnail.height, thumbnail.sourceWidth, thumbnail.sourceHeight] {
            append(UInt32(clamping: side), to: &bytes)
        }
        for part in [
            Array((validators?.etag ?? "").utf8), Array((validators?.lastModified ?? "").utf8), thumbnail.thumbHash,
            thumbnail.small, thumbnail.bytes,
        ] {
            append(UInt32(clamping: part.count), to: &bytes)
            bytes += part
        }
        if let lifetime = thumbnail.version?.lifetime { append(lifetime.bitPattern, to: &bytes) }
        append(bytes.withUnsafeBytes { Checksum.of($0) }, to: &bytes)
        return bytes
    }

    /// - Returns: `nil` if the bytes are not a valid result of ``encode(_:)``.
    package static func decode(_ bytes: [UInt8]) -> Thumbnail? {
        guard bytes.count <= longest, bytes.count > 8 else { return nil }
        let end = bytes.count - 8
        var tail = bytes[end...]
        var rest = bytes[..<end]
        guard bytes.withUnsafeBytes({ Checksum.of(.init(rebasing: $0[..<end])) }) == number(&tail, of: UInt64.self),
            let time = number(&rest, of: UInt64.self), rest.prefix(4).elementsEqual(magic)
        else { return nil }
        rest = rest.dropFirst(4)
        guard let flags = rest.popFirst(), flags < 64 else { return nil }
        var sides: [Int] = []
        for _ in 0..<4 {
            guard let side = number(&rest, of: UInt32.self), (1...longestSide).contains(Int(side)) else { return nil }
            sides.append(Int(side))
        }
        var parts: [[UInt8]] = []
        for _ in 0..<5 {
            guard let count = number(&rest, of: UInt32.self), count <= rest.count else { return nil }
            parts.append(Array(rest.prefix(Int(count))))
            rest = rest.dropFirst(Int(count))
        }
        var lifetime: Double?
        if flags & 32 != 0 {
            lifetime = number(&rest, of: UInt64.self).map(Double.init(bitPattern:))
            guard let lifetime, lifetime.isFinite, lifetime >= 0 else { return nil }
        }
        let format: ThumbnailFormat = flags & 16 == 0 ? .jpeg : .webp
        let confirmed = Double(bitPattern: time)
        guard rest.isEmpty, confirmed.isFinite, confirmed >= 0,
            parts[2].isEmpty || ThumbHash(bytes: parts[2]) != nil,
            isPicture(parts[4], format), parts[3].isEmpty || isPicture(parts[3], format),
            let etag = String(validating: parts[0], as: UTF8.self),
            let lastModified = String(validating: parts[1], as: UTF8.self)
        else { return nil }
        return Thumbnail(
            width: sides[0], height: sides[1], mediaType: format.mediaType, bytes: parts[4], thumbHash: parts[2],
            sourceWidth: sides[2], sourceHeight: sides[3], small: parts[3], isDamaged: flags & 1 != 0,
            version: flags & 2 == 0
                ? nil
                : SourceVersion(
                    validators: Validators(
                        etag: flags & 4 == 0 ? nil : etag, lastModified: flags & 8 == 0 ? nil : lastModified),
                    confirmed: confirmed, lifetime: lifetime))
    }

    private static func isPicture(_ bytes: [UInt8], _ format: ThumbnailFormat) -> Bool {
        switch format {
        case .jpeg: bytes.starts(with: [0xFF, 0xD8, 0xFF])
        case .webp: bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WEBP".utf8))
        }
    }

    private static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: inout ArraySlice<UInt8>, of: Number.Type) -> Number?
    {
        let size = MemoryLayout<Number>.size
        guard bytes.count >= size else { return nil }
        let value = bytes.prefix(size).reduce(Number(0)) { $0 << 8 | Number(truncatingIfNeeded: $1) }
        bytes = bytes.dropFirst(size)
        return value
    }
}

/// A fast checksum, to detect damage that the database cannot detect. SQLite checks the structure of its pages, not their contents. The
/// checksum does not protect from attackers, who could change the checksum, too.
///
/// Processes eight bytes at a time with the multiply-and-fold step of wyhash (Wang Yi, 2019).
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
        let lifetime = version.lifetime.map { "\($0.bitPattern)|" } ?? ""
        let words =
            "\(lifetime)\(version.confirmed.bitPattern)|\(version.validators.etag ?? "")|\(version.validators.lastModified ?? "")"
        return Array(words.utf8).withUnsafeBytes { of($0, seed: fourth) }
    }

    private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }
}
