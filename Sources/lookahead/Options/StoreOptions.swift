import ArgumentParser
import Gallery
import Pipeline
import Terminal

/// Flags: where thumbnails are kept, how many, and how they are written.
struct StoreOptions: ParsableArguments {
    @Option(
        help: """
            Folder of the stored thumbnails; "none" keeps them in memory (default: the user's cache folder; for the \
            demo, none).
            """, completion: .directory)
    var cacheDirectory: String?

    @Option(Settings.memoryCache) var memoryCache: Int?
    @Option(Settings.diskCache) var diskCache: Int?
    @Option(StoreSettings.batchCount) var batchCount: Int?
    @Option(StoreSettings.batchDelay) var batchDelay: Int?
    @Option(StoreSettings.maxPendingBytes) var maxPendingBytes: Int?
    @Option(StoreSettings.busyTimeout) var busyTimeout: Int?
    @Option(StoreSettings.retryAfter) var retryAfter: Int?

    /// - Parameter defaultFolder: where thumbnails are kept when nothing says so, or "none".
    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(
        _ reader: inout SettingsReader, into settings: inout Settings, defaultFolder: String
    ) throws(SettingError) {
        let folder = try reader.text(cacheDirectory, "cache-directory", default: defaultFolder)
        settings.cacheDirectory = folder == "none" ? nil : folder
        settings.memoryCache = try reader.number(memoryCache, Settings.memoryCache)
        settings.diskCache = try reader.number(diskCache, Settings.diskCache)
        try readLimits(&reader, into: &settings.store)
    }

    private func readLimits(
        _ reader: inout SettingsReader, into limits: inout StoreConfiguration
    ) throws(SettingError) {
        limits.batchCount = try reader.number(batchCount, StoreSettings.batchCount)
        limits.batchDelay = try reader.number(batchDelay, StoreSettings.batchDelay)
        limits.maxPendingBytes = try reader.number(maxPendingBytes, StoreSettings.maxPendingBytes)
        limits.busyTimeout = try reader.number(busyTimeout, StoreSettings.busyTimeout)
        limits.retryAfter = try reader.number(retryAfter, StoreSettings.retryAfter)
    }
}
