import Numbers

/// The box, in device pixels, that a thumbnail must cover; 0 leaves a side free.
public struct ThumbnailSize: Sendable, Hashable {
    /// Pixels, 0 or more.
    public var width: Int
    /// Pixels, 0 or more.
    public var height: Int

    /// No thumbnail has a longer side, in pixels.
    public static let longestSide = 4096

    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// The size of the thumbnail of an upright picture of `width` x `height` pixels: the smallest of its proportions that
    /// covers the box, never larger than the picture, the longer side at most ``longestSide``. An empty box asks for
    /// the picture's own size.
    public func size(forPicture width: Int, _ height: Int) -> (width: Int, height: Int) {
        guard width > 0, height > 0 else { return (0, 0) }
        let pictureWidth = Double(width), pictureHeight = Double(height)
        var scale = max(Double(self.width) / pictureWidth, Double(self.height) / pictureHeight)
        if scale <= 0 || scale > 1 { scale = 1 }
        scale = min(scale, Double(Self.longestSide) / max(pictureWidth, pictureHeight))
        func scaled(_ side: Double) -> Int { max(1, Int(clamping: (side * scale).rounded())) }
        return (scaled(pictureWidth), scaled(pictureHeight))
    }
}

/// A rendered thumbnail: upright, in sRGB, encoded.
public struct Thumbnail: Sendable, Equatable {
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// `image/jpeg` or `image/webp`.
    public var mediaType: String
    public var bytes: [UInt8]
    /// 5 to 25 bytes; see ``ThumbHash``.
    public var thumbHash: [UInt8]
    /// Pixels of the upright original.
    public var sourceWidth: Int
    /// Pixels of the upright original.
    public var sourceHeight: Int
    /// A smaller tier of the same picture, of the same media type; empty when it was not asked for.
    public var small: [UInt8]
    /// Whether the picture's bytes end early or contradict themselves, so that it does not show all that the picture was.
    public var isDamaged: Bool
    /// Which version of a download it shows; nil for a file's.
    public var version: SourceVersion?
    /// The content it was made of, if known. The store does not keep it.
    public var content: ContentVersion?

    public init(
        width: Int, height: Int, mediaType: String, bytes: [UInt8], thumbHash: [UInt8], sourceWidth: Int,
        sourceHeight: Int, small: [UInt8] = [], isDamaged: Bool = false, version: SourceVersion? = nil
    ) {
        self.width = width
        self.height = height
        self.mediaType = mediaType
        self.bytes = bytes
        self.thumbHash = thumbHash
        self.sourceWidth = sourceWidth
        self.sourceHeight = sourceHeight
        self.small = small
        self.isDamaged = isDamaged
        self.version = version
    }

    /// The picture's average colour as 0xRRGGBB, read from its ThumbHash; nil without one.
    public var averageColor: UInt32? { ThumbHash(bytes: thumbHash)?.averageColor }
}
