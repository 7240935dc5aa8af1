/// How pictures are rendered.
public struct RendererConfiguration: Sendable {
    /// The path of the program whose worker is started: one that calls ``RenderWorker/run()`` for ``arguments``.
    public var executable: String
    /// Default `render-worker`.
    public var arguments: [String]
    /// Worker processes, 1 or more. Default 2; more than the machine's cores help nothing.
    public var workers: Int
    public var limits: RenderLimits
    /// Whether no picture is rendered where a layer of the sandbox is missing. Default false.
    public var requiresSandbox = false

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
