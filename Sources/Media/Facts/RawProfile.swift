import CZlib

/// Metadata in a PNG's text, as ImageMagick writes it (its `coders/png.c`): the keyword `Raw profile type exif`, a zero byte, the kind
/// again, the number of bytes, and the bytes as hexadecimal digits. In a `zTXt` chunk, the text is compressed.
enum RawProfile {
    case exif([UInt8])
    case xmp([UInt8])
    case iptc([UInt8])

    /// Maximum length of the text in bytes. Two digits encode one byte of the profile.
    private static let longestText = 1 << 20

    private static let keyword = Array("Raw profile type ".utf8)
    /// Maximum length of a keyword and the zero byte after it (W3C PNG, 11.3.4).
    static let longestKeyword = 80

    /// Whether a text with this beginning is a profile of a supported kind.
    static func isKeyword(_ beginning: [UInt8]) -> Bool {
        let name = beginning.prefix { $0 != 0 }
        guard name.starts(with: keyword) else { return false }
        return ["exif", "xmp", "APP1", "iptc", "8bim"].contains(
            String(decoding: name.dropFirst(Self.keyword.count), as: UTF8.self))
    }

    /// - Parameter chunk: contents of a `tEXt` chunk, or of a `zTXt` chunk if it is compressed.
    init?(_ chunk: [UInt8], isCompressed: Bool) {
        guard let end = chunk.prefix(Self.longestKeyword).firstIndex(of: 0), Self.isKeyword(Array(chunk[..<end])),
            let text = isCompressed
                // Skips the number of the compression method. There is only one.
                ? Self.expanded(Array(chunk.dropFirst(end + 2))) : Array(chunk.dropFirst(end + 1)),
            let bytes = Self.bytes(text)
        else { return nil }
        let address = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        switch String(decoding: chunk[..<end].dropFirst(Self.keyword.count), as: UTF8.self) {
        case "exif": self = .exif(bytes)
        case "xmp": self = .xmp(bytes)
        // `APP1` is a JPEG segment, which contains either EXIF or XMP.
        case "APP1": self = bytes.starts(with: address) ? .xmp(Array(bytes.dropFirst(address.count))) : .exif(bytes)
        case "iptc", "8bim": self = .iptc(bytes)
        default: return nil
        }
    }

    /// Inflates zlib data. Returns `nil` if the data is invalid, or if the text is larger than a megabyte.
    static func expanded(_ bytes: [UInt8]) -> [UInt8]? {
        // Deflate compresses at most 1,032 to 1.
        var text = [UInt8](repeating: 0, count: min(longestText, bytes.count * 1_032))
        var count = text.count
        guard czlib_expand(bytes, bytes.count, &text, &count) else { return nil }
        return Array(text.prefix(count))
    }

    /// Decodes a text's hexadecimal digits. Returns `nil` if there are fewer bytes than the text says.
    private static func bytes(_ text: [UInt8]) -> [UInt8]? {
        let lines = text.split(separator: 0x0A, maxSplits: 2)
        guard lines.count == 3,
            let count = Int(String(decoding: lines[1], as: UTF8.self).drop { $0 == " " }), 1...longestText ~= count
        else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in lines[2] where bytes.count < count {
            let digit: UInt8
            switch character {
            case 0x30...0x39: digit = character - 0x30
            case 0x61...0x66: digit = character - 0x61 + 10
            case 0x41...0x46: digit = character - 0x41 + 10
            case 0x0A, 0x0D, 0x20: continue
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes.count == count ? bytes : nil
    }
}
