import PhotoFacts

public enum ThumbnailFormat: UInt8, Sendable, CaseIterable {
    case jpeg
    /// A quarter smaller than JPEG, with fifteen times the encoding time.
    case webp

    public var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .webp: "image/webp"
        }
    }
}

/// Options of a thumbnail other than its size.
public struct RenderOptions: Sendable, Equatable {
    /// Default JPEG.
    public var format = ThumbnailFormat.jpeg
    /// 1 to 100. Default 75.
    public var quality = 75
    /// Longer side in pixels of a second, smaller thumbnail from the same decode. 0 means none. Default 0. A suitable value is 64.
    public var smallSide = 0
    /// Whether ``ProgressiveStop`` ended the bytes early on purpose. Default false: a picture that ends early counts as damaged.
    public var acceptsPartial = false
    /// The picture whose preview the bytes contain, or `nil` for other bytes. A preview keeps its own size and ignores the requested size.
    public var preview: PreviewFrame?

    public init() {}

    public init(format: ThumbnailFormat = .jpeg, quality: Int = 75, smallSide: Int = 0, acceptsPartial: Bool = false) {
        self.format = format
        self.quality = quality
        self.smallSide = smallSide
        self.acceptsPartial = acceptsPartial
    }
}

public struct RendererConfiguration: Sendable {
    /// Path of the program that is started as a worker. With ``arguments``, the program must call ``RenderWorker/run()``.
    public var executable: String
    /// Arguments of a worker. Default `render-worker`.
    public var arguments: [String]
    /// Number of worker processes of each kind, at least 1. See ``Renderer``. Default 2. More than the machine's cores have no benefit.
    public var workers: Int
    public var limits: RenderLimits
    /// Niceness of the workers, 0...19. Workers with a higher value yield the processor to other processes. Default 0.
    public var niceness = 0
    /// Whether rendering is refused if a layer of the sandbox is missing. Default false.
    public var requiresSandbox = false
    /// Seconds without a picture after which a worker of a rarer kind, or a worker for metadata, ends. At least 0.01. Default 10.
    public var heifIdleTime = 10.0
    /// Clock for ``RenderLimits/wallTime`` and ``RenderLimits/stallTime``.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    public init(
        executable: String, arguments: [String] = [RenderWorker.command], workers: Int = 2,
        limits: RenderLimits = RenderLimits()
    ) {
        self.executable = executable
        self.arguments = arguments
        self.workers = max(1, workers)
        self.limits = limits
    }
}
