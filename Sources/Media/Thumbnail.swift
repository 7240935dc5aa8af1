import Numbers

/// The box in device pixels that a thumbnail must cover. 0 leaves a side free.
public struct ThumbnailSize: Sendable, Hashable {
    /// In pixels, 0 or more.
    public var width: Int
    /// In pixels, 0 or more.
    public var height: Int

    /// Maximum length of a thumbnail's side in pixels.
    public static let longestSide = 4096

    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// Returns the size of the thumbnail for an upright picture of `width` x `height` pixels. This is the smallest size with the picture's
    /// proportions that covers the box. It is never larger than the picture, and its longer side is at most ``longestSide``. An empty box
    /// requests the picture's own size.
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
    /// In pixels.
    public var width: Int
    /// In pixels.
    public var height: Int
    /// `image/jpeg` or `image/webp`.
    public var mediaType: String
    public var bytes: [UInt8]
    /// 5 to 25 bytes. See ``ThumbHash``.
    public var thumbHash: [UInt8]
    /// Width of the upright original in pixels.
    public var sourceWidth: Int
    /// Height of the upright original in pixels.
    public var sourceHeight: Int
    /// A smaller thumbnail of the same picture with the same media type. Empty if none was requested.
    public var small: [UInt8]
    /// Whether the picture's bytes are incomplete or invalid, so that the thumbnail does not show everything.
    public var isDamaged: Bool
    /// Whether the picture's file contains a preview. Not stored.
    public var hasPreview = false
    /// Version of the download that the thumbnail shows. `nil` for a file.
    public var version: SourceVersion?
    /// Content from which the thumbnail was rendered, if known. Not stored.
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

    /// Average colour of the picture as 0xRRGGBB, from its ThumbHash. `nil` if there is no ThumbHash.
    public var averageColor: UInt32? { ThumbHash(bytes: thumbHash)?.averageColor }
}
