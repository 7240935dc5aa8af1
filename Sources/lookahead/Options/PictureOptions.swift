import ArgumentParser
import Gallery
import Pipeline
import Terminal

/// Flags: what one picture may cost, and the processes that render it.
struct PictureOptions: ParsableArguments {
    @Option(Settings.renderWorkers) var renderWorkers: Int?
    @Option(Settings.renderQueue) var renderQueue: Int?
    @Flag(help: "Refuse to start where the processes that render cannot be sandboxed, instead of a warning.")
    var requireSandbox = false
    @Option(Settings.smallTier) var smallTier: Int?
    @Option(Settings.maxPixels) var maxPixels: Int?
    @Option(PictureSettings.maxSide) var maxSide: Int?
    @Option(PictureSettings.maxProgressivePixels) var maxProgressivePixels: Int?
    @Option(PictureSettings.maxPNGPixels) var maxPNGPixels: Int?
    @Option(PictureSettings.maxInterlacedPNGPixels) var maxInterlacedPNGPixels: Int?
    @Option(PictureSettings.maxWebPPixels) var maxWebPPixels: Int?
    @Option(PictureSettings.maxGIFPixels) var maxGIFPixels: Int?
    @Option(PictureSettings.maxScans) var maxScans: Int?
    @Option(PictureSettings.progressiveStop) var progressiveStop: Int?
    @Option(PictureSettings.maxProfileBytes) var maxProfileBytes: Int?
    @Option(PictureSettings.cpuTime) var cpuTime: Double?
    @Option(PictureSettings.wallTime) var wallTime: Double?
    @Option(PictureSettings.workerMemory) var workerMemory: Int?
    @Option(PictureSettings.workerRetention) var workerRetention: Int?

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into settings: inout Settings) throws(SettingError) {
        settings.renderWorkers = try reader.number(renderWorkers, Settings.renderWorkers)
        settings.requiresSandbox = try reader.toggle(requireSandbox, "require-sandbox")
        settings.renderQueue = try reader.number(renderQueue, Settings.renderQueue)
        settings.smallTier = try reader.number(smallTier, Settings.smallTier)
        settings.maxPixels = try reader.number(maxPixels, Settings.maxPixels)
        try readLimits(&reader, into: &settings.pictures)
    }

    private func readLimits(
        _ reader: inout SettingsReader, into limits: inout RenderLimits
    ) throws(SettingError) {
        limits.maxSide = try reader.number(maxSide, PictureSettings.maxSide)
        limits.maxProgressivePixels = try reader.number(maxProgressivePixels, PictureSettings.maxProgressivePixels)
        limits.maxPNGPixels = try reader.number(maxPNGPixels, PictureSettings.maxPNGPixels)
        limits.maxInterlacedPNGPixels = try reader.number(
            maxInterlacedPNGPixels, PictureSettings.maxInterlacedPNGPixels)
        limits.maxWebPPixels = try reader.number(maxWebPPixels, PictureSettings.maxWebPPixels)
        limits.maxGIFPixels = try reader.number(maxGIFPixels, PictureSettings.maxGIFPixels)
        limits.maxScans = try reader.number(maxScans, PictureSettings.maxScans)
        limits.progressiveStop = try reader.number(progressiveStop, PictureSettings.progressiveStop)
        limits.maxProfileBytes = try reader.number(maxProfileBytes, PictureSettings.maxProfileBytes)
        limits.cpuTime = try reader.number(cpuTime, PictureSettings.cpuTime)
        limits.wallTime = try reader.number(wallTime, PictureSettings.wallTime)
        limits.workerMemory = try reader.number(workerMemory, PictureSettings.workerMemory)
        limits.workerRetention = try reader.number(workerRetention, PictureSettings.workerRetention)
    }
}
