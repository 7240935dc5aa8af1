/// A picture's header, read from its bytes without decoding any pixels.
public struct PictureHeader: Sendable, Equatable {
    public package(set) var kind: PictureKind
    /// Pixels as stored, before ``orientation``.
    public package(set) var width = 0
    /// Pixels as stored, before ``orientation``.
    public package(set) var height = 0
    public package(set) var orientation = Orientation.up
    /// How the decoder of a HEIC turns the picture by itself.
    package var decoderTurn = Orientation.up
    /// A progressive JPEG or an interlaced PNG or GIF.
    public package(set) var isProgressive = false
    public package(set) var isAnimated = false
    public package(set) var hasAlpha = false
    /// Colour components of a JPEG: 1, 3 or 4; 0 for other formats.
    public package(set) var components = 0
    /// Where the data of a JPEG's first scan begins, the end of the bytes where it has not come; where those of a HEIC or AVIF
    /// do; 0 for other formats.
    package var dataStart = 0
    /// Where the data of a HEIC or AVIF end, which may be beyond the bytes; 0 for other formats.
    package var dataEnd = 0
    /// The colour primaries that a HEIC, AVIF or PNG names, as ITU-T H.273 numbers them; 0 if it names none.
    package var primaries = 0
    /// The transfer function that a HEIC, AVIF or PNG names, as ITU-T H.273 numbers it; 0 if it names none.
    package var transfer = 0
    /// The pictures of a TIFF: the one to show first, then smaller ones of it.
    package var directories: [TIFFPicture] = []
    /// Where the pieces of the embedded ICC profile lie, in their order; of a PNG, the compressed iCCP chunk's data.
    public package(set) var profile: [Range<Int>] = []

    /// Pixels of the upright picture.
    public var uprightWidth: Int { orientation.swapsSides ? height : width }
    /// Pixels of the upright picture.
    public var uprightHeight: Int { orientation.swapsSides ? width : height }

    /// Pixels in all.
    package var pixels: Int { width * height }

    package var profileBytes: Int { profile.reduce(0) { $0 + $1.count } }

    /// The kind as errors name it.
    package var name: String {
        switch kind {
        case .jpeg where isProgressive: "progressive JPEG"
        case .png where isProgressive: "interlaced PNG"
        default: kind.rawValue
        }
    }

    /// Reads a header. The bytes may be only the beginning of a picture.
    ///
    /// - Throws: ``RenderError/truncated(_:)`` when the dimensions lie beyond the last byte, other cases when no more
    ///   bytes would help.
    public init(_ bytes: [UInt8]) throws(RenderError) {
        kind = try PictureKind(bytes)
        switch kind {
        case .jpeg: try readJPEG(bytes)
        case .png: try readPNG(bytes)
        case .webp: try readWebP(bytes)
        case .gif: try readGIF(bytes)
        case .heic, .avif: try readHEIF(bytes)
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
    /// Throws for sides that no decoder takes. The product of two sides fits an `Int` then.
    private func checkSides() throws(RenderError) {
        guard 1...Int(Int32.max) ~= width, 1...Int(Int32.max) ~= height else {
            throw .broken("\(width) x \(height) pixels")
        }
    }

    /// Reads the header of a TIFF file, whose directories may be at its end.
    init(tiff file: FilePieces) throws(RenderError) {
        kind = .tiff
        try readTIFF(file)
        try checkSides()
    }
}

extension RenderError {
    static func headerEnds(_ kind: PictureKind) -> RenderError {
        .truncated("the \(kind.rawValue) header is incomplete")
    }
}
