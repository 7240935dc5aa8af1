/// The picture formats read here, told by their first bytes, never by a name.
public enum PictureKind: String, Sendable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case gif = "GIF"

    public var mediaType: String { "image/\(rawValue.lowercased())" }

    /// Reads the magic bytes.
    ///
    /// - Throws: ``RenderError/notAPicture(_:)`` or ``RenderError/unsupported(_:)``, saying what the bytes look like.
    public init(_ bytes: [UInt8]) throws(RenderError) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            self = .gif
        } else {
            throw Self.stranger(bytes)
        }
    }

    private static func stranger(_ bytes: [UInt8]) -> RenderError {
        if bytes.isEmpty { return .notAPicture("it is empty") }
        if bytes.dropFirst(4).starts(with: "ftyp".utf8) {
            let brand = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
            switch brand {
            case "avif", "avis": return .unsupported("AVIF")
            case "heic", "heix", "hevc", "mif1", "msf1": return .unsupported("HEIF")
            default: return .notAPicture("starts like a video")
            }
        }
        for (magic, name) in others where bytes.starts(with: magic) { return .unsupported(name) }
        let text = bytes.prefix(256).drop { $0 <= 0x20 || $0 >= 0xEF }.prefix(64)
        let start = String(decoding: text, as: UTF8.self).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .notAPicture("starts like HTML") }
        if start.hasPrefix("<svg") { return .unsupported("SVG") }
        if start.hasPrefix("<") { return .notAPicture("starts like XML") }
        if start.hasPrefix("{") || start.hasPrefix("[") { return .notAPicture("starts like JSON") }
        if bytes.starts(with: "%PDF".utf8) { return .notAPicture("starts like PDF") }
        return .notAPicture("its first bytes are of no known format")
    }

    private static let others: [([UInt8], String)] = [
        (Array("BM".utf8), "BMP"), ([0x49, 0x49, 0x2A, 0], "TIFF"), ([0x4D, 0x4D, 0, 0x2A], "TIFF"),
        ([0, 0, 0, 0x0C, 0x6A, 0x50], "JPEG 2000"), ([0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000"),
        ([0, 0, 0, 0x0C, 0x4A, 0x58], "JPEG XL"), ([0xFF, 0x0A], "JPEG XL"), (Array("8BPS".utf8), "Photoshop"),
        ([0, 0, 1, 0], "icon"),
    ]
}
