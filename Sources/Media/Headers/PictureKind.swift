/// The supported picture formats. A file's first bytes decide its format, never its name.
public enum PictureKind: String, Sendable, CaseIterable {
    case jpeg = "JPEG"
    case png = "PNG"
    case webp = "WebP"
    case gif = "GIF"
    /// HEIC and any other HEIF picture except AVIF, whatever its codec.
    case heic = "HEIC"
    case avif = "AVIF"
    case tiff = "TIFF"
    case bmp = "BMP"
    /// A camera's sensor data. The JPEG that the camera embedded is shown.
    case raw = "RAW"
    /// MP4 and QuickTime. The first frame is shown.
    case video
    /// Must stay at this position: the index of a folder stores a kind as its position in this list.
    case jxl = "JXL"

    public var mediaType: String {
        switch self {
        case .raw: "image/x-dcraw"
        case .video: "video/mp4"
        default: "image/\(rawValue.lowercased())"
        }
    }

    /// Whether this build can show pictures of this kind. The package's traits leave some formats out.
    public var isBuiltIn: Bool {
        switch self {
        case .heic, .avif, .tiff: Self.hasFormats
        case .jxl: Self.hasJXL
        case .video: Self.hasVideo
        default: true
        }
    }

    /// Whether files of this kind are listed. Videos are listed even if this build cannot show their first frame, because browsers play
    /// them.
    package var isListed: Bool { self == .video || isBuiltIn }

    #if Formats
        private static let hasFormats = true
    #else
        private static let hasFormats = false
    #endif
    #if LOOKAHEAD_JXL
        private static let hasJXL = true
    #else
        private static let hasJXL = false
    #endif
    #if Video
        private static let hasVideo = true
    #else
        private static let hasVideo = false
    #endif

    /// Detects the format. Reads the directories of a TIFF, because many RAW files differ from a TIFF only there.
    ///
    /// - Throws: ``RenderError/notAPicture(_:)`` or ``RenderError/unsupported(_:)`` with the format that the bytes look like.
    public init(_ bytes: [UInt8]) throws(RenderError) {
        let kind = try Self(magic: bytes)
        self = kind == .tiff && RAWPicture.isRAW(bytes) ? .raw : kind
    }

    /// Detects the format by the file's first 256 bytes or fewer, without parsing it. The server calls this for files that no worker has
    /// read. Takes RAW files that begin like a TIFF for a TIFF.
    ///
    /// - Throws: ``RenderError/notAPicture(_:)`` or ``RenderError/unsupported(_:)`` with the format that the bytes look like.
    package init(magic bytes: [UInt8]) throws(RenderError) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
            self = .gif
        } else if bytes.starts(with: [0xFF, 0x0A]) || bytes.dropFirst(4).starts(with: "JXL \r\n".utf8) {
            self = .jxl
        } else if bytes.starts(with: "BM".utf8), bytes.dropFirst(14).first.map({ $0 >= 12 }) ?? false {
            self = .bmp
        } else if TIFFStructure.isTIFF(bytes) {
            self = .tiff
        } else if RAWPicture.mayBe(bytes) {
            self = .raw
        } else if let kind = Self(brandsOf: bytes) {
            self = kind
        } else if VideoFile.mayBe(bytes) {
            self = .video
        } else {
            throw Self.unknownFormat(bytes)
        }
    }

    /// Reads the brands (ISO/IEC 14496-12, 4.3): the major brand, its version, then the compatible brands. Many files name the container
    /// first.
    private init?(brandsOf bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        guard let length = reader.number(4, bigEndian: true), reader.tag() == "ftyp" else { return nil }
        var brands: Set<FourCC> = []
        while reader.offset < min(length, 256), let brand = reader.tag() { brands.insert(brand) }
        if !brands.isDisjoint(with: ["avif", "avis"]) {
            self = .avif
        } else if !brands.isDisjoint(with: ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]) {
            self = .heic
        } else {
            return nil
        }
    }

    private static func unknownFormat(_ bytes: [UInt8]) -> RenderError {
        if bytes.isEmpty { return .notAPicture("the file is empty") }
        for (magic, name) in others where bytes.starts(with: magic) { return .unsupported(name) }
        let text = bytes.prefix(256).drop { $0 <= 0x20 || $0 >= 0xEF }.prefix(64)
        let start = String(decoding: text, as: UTF8.self).lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return .notAPicture("looks like HTML") }
        if start.hasPrefix("<svg") { return .unsupported("SVG") }
        if start.hasPrefix("<") { return .notAPicture("looks like XML") }
        if start.hasPrefix("{") || start.hasPrefix("[") { return .notAPicture("looks like JSON") }
        if bytes.starts(with: "%PDF".utf8) { return .notAPicture("looks like PDF") }
        return .notAPicture("unknown format")
    }

    private static let others: [([UInt8], String)] = [
        ([0, 0, 0, 0x0C, 0x6A, 0x50], "JPEG 2000"), ([0xFF, 0x4F, 0xFF, 0x51], "JPEG 2000"),
        (Array("8BPS".utf8), "Photoshop"), ([0, 0, 1, 0], "icon"),
    ]
}
