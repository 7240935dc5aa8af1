/// A picture's header, read from its bytes without decoding any pixels.
public struct PictureHeader: Sendable, Equatable {
    public package(set) var kind: PictureKind
    /// Width in pixels as stored, before ``orientation`` is applied.
    public package(set) var width = 0
    /// Height in pixels as stored, before ``orientation`` is applied.
    public package(set) var height = 0
    public package(set) var orientation = Orientation.up
    /// The rotation that libheif itself applies to a HEIC.
    package var decoderTurn = Orientation.up
    /// Whether the picture is a progressive JPEG, or an interlaced PNG or GIF.
    public package(set) var isProgressive = false
    public package(set) var isAnimated = false
    public package(set) var hasAlpha = false
    /// Number of colour components of a JPEG: 1, 3 or 4. 0 for other formats.
    public package(set) var components = 0
    /// Offset of the picture data: for a JPEG, its first scan, or the end of the bytes if the scan has not arrived. For a HEIC or AVIF, its
    /// first data. 0 for other formats.
    package var dataStart = 0
    /// Offset of the end of the picture data of a HEIC or AVIF. May be beyond the available bytes. 0 for other formats.
    package var dataEnd = 0
    /// Colour primaries of a HEIC, AVIF or PNG, as numbered by ITU-T H.273. 0 if the file names none.
    package var primaries = 0
    /// Transfer function of a HEIC, AVIF or PNG, as numbered by ITU-T H.273. 0 if the file names none.
    package var transfer = 0
    /// The pictures of a TIFF: the main picture first, then smaller versions of it.
    package var directories: [TIFFPicture] = []
    /// Positions of the pieces of the embedded ICC profile, in order. For a PNG: the compressed data of the iCCP chunk.
    public package(set) var profile: [Range<Int>] = []

    public var uprightWidth: Int { orientation.swapsSides ? height : width }
    public var uprightHeight: Int { orientation.swapsSides ? width : height }

    package var pixels: Int { width * height }

    package var profileBytes: Int { profile.reduce(0) { $0 + $1.count } }

    /// Name of the kind in error messages.
    package var name: String {
        switch kind {
        case .jpeg where isProgressive: "progressive JPEG"
        case .png where isProgressive: "interlaced PNG"
        default: kind.rawValue
        }
    }

    /// Reads a header. The bytes may be only the beginning of a picture.
    ///
    /// - Throws: ``RenderError/truncated(_:)`` if the dimensions are beyond the last byte. Other cases if more bytes would not help.
    public init(_ bytes: [UInt8]) throws(RenderError) {
        kind = try PictureKind(bytes)
        switch kind {
        case .jpeg: try readJPEG(bytes)
        case .png: try readPNG(bytes)
        case .webp: try readWebP(bytes)
        case .gif: try readGIF(bytes)
        case .heic, .avif: readHEIF(try HEIFItems(FilePieces(bytes), kind))
        case .tiff: try readTIFF(FilePieces(bytes))
        case .bmp: try readBMP(bytes)
        case .raw: try readRAW(bytes)
        case .video: try readVideo(bytes)
        case .jxl: try readJXL(FilePieces(bytes))
        }
        try checkSides()
    }
}

extension PictureHeader {
    /// Throws if no decoder accepts the sides. After this check, the product of two sides fits an `Int`.
    private func checkSides() throws(RenderError) {
        guard 1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height else {
            throw .broken("\(width) x \(height) pixels")
        }
    }

    /// Reads the header of a TIFF file. Its directories may be at the file's end.
    init(tiff file: FilePieces) throws(RenderError) {
        kind = .tiff
        try readTIFF(file)
        try checkSides()
    }

    init(_ kind: PictureKind, _ items: HEIFItems) throws(RenderError) {
        self.kind = kind
        readHEIF(items)
        try checkSides()
    }
}

extension RenderError {
    static func headerEnds(_ kind: PictureKind) -> RenderError {
        .truncated("the \(kind.rawValue) header is incomplete")
    }
}
