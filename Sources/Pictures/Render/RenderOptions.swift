import PhotoFacts

/// How a thumbnail is encoded.
public enum ThumbnailFormat: UInt8, Sendable, CaseIterable {
    case jpeg
    /// A quarter fewer bytes for fifteen times the encoding time.
    case webp

    public var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        }
    }
}

/// Options of a thumbnail besides its size.
public struct RenderOptions: Sendable, Equatable {
    /// Default JPEG.
    public var format = ThumbnailFormat.jpeg
    /// 1 to 100. Default 75.
    public var quality = 75
    /// Pixels of the longer side of a second, smaller tier from the same decode; 0 for none. Default 0; 64 is apt.
    public var smallSide = 0
    /// Whether the picture was ended early on purpose, by ``ProgressiveStop``. Default false: one that ends early is
    /// damaged.
    public var acceptsPartial = false
    /// The picture whose preview the bytes are: the preview is shown at its own size, whatever size is asked for. Default none.
    public var preview: PreviewFrame?

    public init() {}

    public init(format: ThumbnailFormat = .jpeg, quality: Int = 75, smallSide: Int = 0, acceptsPartial: Bool = false) {
        self.format = format
        self.quality = quality
        self.smallSide = smallSide
        self.acceptsPartial = acceptsPartial
    }
}
