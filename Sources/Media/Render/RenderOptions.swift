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

    public init() {}

    public init(format: ThumbnailFormat = .jpeg, quality: Int = 75, smallSide: Int = 0, acceptsPartial: Bool = false) {
        self.format = format
        self.quality = quality
        self.smallSide = smallSide
        self.acceptsPartial = acceptsPartial
    }
}

public struct WorkerConfiguration: Sendable {
    /// Path of the program that is started as a worker. With ``arguments``, the program must call `MediaWorker.run()`.
    public var executable: String
    /// Arguments of a worker. Default `media-worker`.
    public var arguments: [String]
    /// Number of pictures that are rendered at the same time, at least 1. See ``WorkerPool``. Default 2. More than the machine's cores have
    /// no benefit.
    public var workers: Int
    public var limits: RenderLimits
    /// Whether rendering is refused if a layer of the sandbox is missing. Default false.
    public var requiresSandbox = false
    /// Seconds without a request after which the idle workers end. At least 0.01. Default 60.
    public var idleTime = 60.0
    /// Clock for ``RenderLimits/wallTime`` and ``RenderLimits/stallTime``.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }

    public init(
        executable: String, arguments: [String] = [MediaWorker.command], workers: Int = 2,
        limits: RenderLimits = RenderLimits()
    ) {
        self.executable = executable
        self.arguments = arguments
        self.workers = max(1, workers)
        self.limits = limits
    }
}
