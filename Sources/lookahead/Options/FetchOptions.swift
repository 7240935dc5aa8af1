import ArgumentParser
import Gallery

/// The flags that say how downloads that fail are treated.
struct FetchOptions: ParsableArguments {
    @Option(FetchSettings.attempts) var attempts: Int?
    @Option(FetchSettings.retryWait) var retryWait: Double?
    @Option(FetchSettings.longestRetryWait) var longestRetryWait: Double?
    @Option(FetchSettings.longestRetryAfter) var longestRetryAfter: Double?
    @Option(FetchSettings.hostFailures) var hostFailures: Int?
    @Option(FetchSettings.hostRest) var hostRest: Double?
    @Option(FetchSettings.longestHostRest) var longestHostRest: Double?
    @Option(FetchSettings.maxFailures) var maxFailures: Int?
    @Option(FetchSettings.missingLifetime) var missingLifetime: Double?
    @Option(FetchSettings.goneLifetime) var goneLifetime: Double?
    @Option(FetchSettings.brokenLifetime) var brokenLifetime: Double?
    @Option(FetchSettings.revalidateAfter) var revalidateAfter: Double?
    @Option(FetchSettings.unrenderedMemory) var unrenderedMemory: Int?
    @Option(FetchSettings.earlyStopSaving) var earlyStopSaving: Int?
    @Option(FetchSettings.knownItems) var knownItems: Int?

    /// - Throws: ``SettingError`` that names the flag or variable at fault.
    func settings(_ reader: inout SettingsReader) throws(SettingError) -> FetchSettings {
        var settings = FetchSettings()
        settings.attempts = try reader.number(attempts, FetchSettings.attempts)
        settings.retryWait = try reader.number(retryWait, FetchSettings.retryWait)
        settings.longestRetryWait = try reader.number(longestRetryWait, FetchSettings.longestRetryWait)
        settings.longestRetryAfter = try reader.number(longestRetryAfter, FetchSettings.longestRetryAfter)
        settings.hostFailures = try reader.number(hostFailures, FetchSettings.hostFailures)
        settings.hostRest = try reader.number(hostRest, FetchSettings.hostRest)
        settings.longestHostRest = try reader.number(longestHostRest, FetchSettings.longestHostRest)
        settings.maxFailures = try reader.number(maxFailures, FetchSettings.maxFailures)
        settings.missingLifetime = try reader.number(missingLifetime, FetchSettings.missingLifetime)
        settings.goneLifetime = try reader.number(goneLifetime, FetchSettings.goneLifetime)
        settings.brokenLifetime = try reader.number(brokenLifetime, FetchSettings.brokenLifetime)
        settings.revalidateAfter = try reader.number(revalidateAfter, FetchSettings.revalidateAfter)
        settings.unrenderedMemory = try reader.number(unrenderedMemory, FetchSettings.unrenderedMemory)
        settings.earlyStopSaving = try reader.number(earlyStopSaving, FetchSettings.earlyStopSaving)
        settings.knownItems = try reader.number(knownItems, FetchSettings.knownItems)
        return settings
    }
}
