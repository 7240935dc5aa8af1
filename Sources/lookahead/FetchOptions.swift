import ArgumentParser
import Gallery

/// The flags that say how downloads that fail are treated.
struct FetchOptions: ParsableArguments {
    @Option(name: .customLong(FetchSettings.attempts.name), help: FetchSettings.attempts.argumentHelp)
    var attempts: Int?
    @Option(name: .customLong(FetchSettings.retryWait.name), help: FetchSettings.retryWait.argumentHelp)
    var retryWait: Double?
    @Option(name: .customLong(FetchSettings.longestRetryWait.name), help: FetchSettings.longestRetryWait.argumentHelp)
    var longestRetryWait: Double?
    @Option(name: .customLong(FetchSettings.longestRetryAfter.name), help: FetchSettings.longestRetryAfter.argumentHelp)
    var longestRetryAfter: Double?
    @Option(name: .customLong(FetchSettings.hostFailures.name), help: FetchSettings.hostFailures.argumentHelp)
    var hostFailures: Int?
    @Option(name: .customLong(FetchSettings.hostRest.name), help: FetchSettings.hostRest.argumentHelp)
    var hostRest: Double?
    @Option(name: .customLong(FetchSettings.longestHostRest.name), help: FetchSettings.longestHostRest.argumentHelp)
    var longestHostRest: Double?
    @Option(name: .customLong(FetchSettings.maxFailures.name), help: FetchSettings.maxFailures.argumentHelp)
    var maxFailures: Int?
    @Option(name: .customLong(FetchSettings.missingLifetime.name), help: FetchSettings.missingLifetime.argumentHelp)
    var missingLifetime: Double?
    @Option(name: .customLong(FetchSettings.goneLifetime.name), help: FetchSettings.goneLifetime.argumentHelp)
    var goneLifetime: Double?
    @Option(name: .customLong(FetchSettings.brokenLifetime.name), help: FetchSettings.brokenLifetime.argumentHelp)
    var brokenLifetime: Double?

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
        return settings
    }
}
