import ArgumentParser
import Gallery
import Pipeline

/// Flags: how thumbnails are written.
struct StoreOptions: ParsableArguments {
    @Option(StoreSettings.batchCount) var batchCount: Int?
    @Option(StoreSettings.batchDelay) var batchDelay: Int?
    @Option(StoreSettings.maxPendingBytes) var maxPendingBytes: Int?
    @Option(StoreSettings.busyTimeout) var busyTimeout: Int?
    @Option(StoreSettings.retryAfter) var retryAfter: Int?

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into limits: inout StoreConfiguration) throws(SettingError) {
        limits.batchCount = try reader.number(batchCount, StoreSettings.batchCount)
        limits.batchDelay = try reader.number(batchDelay, StoreSettings.batchDelay)
        limits.maxPendingBytes = try reader.number(maxPendingBytes, StoreSettings.maxPendingBytes)
        limits.busyTimeout = try reader.number(busyTimeout, StoreSettings.busyTimeout)
        limits.retryAfter = try reader.number(retryAfter, StoreSettings.retryAfter)
    }
}
