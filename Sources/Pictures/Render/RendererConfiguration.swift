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
    /// Seconds without a picture after which a worker for HEIC and AVIF, or for videos, ends, 0.01 or more. Default 10.
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
