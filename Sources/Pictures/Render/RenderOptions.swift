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

/// How pictures are rendered.
public struct RendererConfiguration: Sendable {
    /// The path of the program whose worker is started: one that calls ``RenderWorker/run()`` for ``arguments``.
    public var executable: String
    /// Default `render-worker`.
    public var arguments: [String]
    /// Worker processes of each kind, 1 or more; see ``Renderer``. Default 2; more than the machine's cores help nothing.
    public var workers: Int
    public var limits: RenderLimits
    /// 0...19; workers of a higher one leave the processor to others who want it. Default 0.
    public var niceness = 0
    /// Whether no picture is rendered where a layer of the sandbox is missing. Default false.
    public var requiresSandbox = false
    /// Seconds without a picture after which a worker of a rarer kind, or for metadata, ends: 0.01 or more. Default 10.
    public var heifIdleTime = 10.0
    /// The clock that ``RenderLimits/wallTime`` and ``RenderLimits/stallTime`` are measured by.
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
