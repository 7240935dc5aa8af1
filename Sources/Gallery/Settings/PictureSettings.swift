import Pipeline

/// What one picture may cost, and the processes that render it.
public enum PictureSettings {
    private static let standard = RenderLimits()

    public static let maxSide = Setting(
        "max-side", "Longer side of a picture", unit: "pixels", default: standard.maxSide, in: 1...65_535)
    public static let maxProgressivePixels = Setting(
        "max-progressive-pixels", "Size of a progressive JPEG, whose coefficients are all held", unit: "pixels",
        default: standard.maxProgressivePixels, in: 1...1_000_000_000)
    public static let maxPNGPixels = Setting(
        "max-png-pixels", "Size of a PNG", unit: "pixels", default: standard.maxPNGPixels, in: 1...1_000_000_000)
    public static let maxInterlacedPNGPixels = Setting(
        "max-interlaced-png-pixels", "Size of an interlaced PNG", unit: "pixels",
        default: standard.maxInterlacedPNGPixels, in: 1...1_000_000_000)
    public static let maxWebPPixels = Setting(
        "max-webp-pixels", "Size of a WebP", unit: "pixels", default: standard.maxWebPPixels, in: 1...1_000_000_000)
    public static let maxGIFPixels = Setting(
        "max-gif-pixels", "Size of a GIF's screen, and of its first frame", unit: "pixels",
        default: standard.maxGIFPixels, in: 1...1_000_000_000)
    public static let maxScans = Setting(
        "max-scans", "Scans of a JPEG", unit: "scans", default: standard.maxScans, in: 1...10_000)
    public static let progressiveStop = Setting(
        "progressive-stop", "Scan after which a progressive JPEG, and its download, may stop", unit: "scans",
        default: standard.progressiveStop, in: 1...10_000)
    public static let maxProfileBytes = Setting(
        "max-profile", "Size of a colour profile; a larger one is ignored", unit: "bytes",
        default: standard.maxProfileBytes, in: 0...(64 << 20))
    public static let cpuTime = Setting(
        "render-cpu-time", "CPU time one picture may take", unit: "seconds", default: standard.cpuTime, in: 0.01...3_600
    )
    public static let wallTime = Setting(
        "render-time", "Time one picture may take in all; then its process is replaced", unit: "seconds",
        default: standard.wallTime, in: 0.1...3_600)
    public static let workerMemory = Setting(
        "worker-memory", "Address space of a process that renders, 0 for no limit", unit: "bytes",
        default: standard.workerMemory, in: 0...(64 << 30))
    public static let workerRetention = Setting(
        "worker-retention", "Resident memory above which such a process is replaced after its picture", unit: "bytes",
        default: standard.workerRetention, in: (1 << 20)...(64 << 30))
}
