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
    func settings(_ environment: [String: String]) throws(SettingError) -> FetchSettings {
        var settings = FetchSettings()
        settings.attempts = try FetchSettings.attempts.value(attempts, environment)
        settings.retryWait = try FetchSettings.retryWait.value(retryWait, environment)
        settings.longestRetryWait = try FetchSettings.longestRetryWait.value(longestRetryWait, environment)
        settings.longestRetryAfter = try FetchSettings.longestRetryAfter.value(longestRetryAfter, environment)
        settings.hostFailures = try FetchSettings.hostFailures.value(hostFailures, environment)
        settings.hostRest = try FetchSettings.hostRest.value(hostRest, environment)
        settings.longestHostRest = try FetchSettings.longestHostRest.value(longestHostRest, environment)
        settings.maxFailures = try FetchSettings.maxFailures.value(maxFailures, environment)
        settings.missingLifetime = try FetchSettings.missingLifetime.value(missingLifetime, environment)
        settings.goneLifetime = try FetchSettings.goneLifetime.value(goneLifetime, environment)
        settings.brokenLifetime = try FetchSettings.brokenLifetime.value(brokenLifetime, environment)
        return settings
    }
}

extension Setting {
    var argumentHelp: ArgumentHelp { ArgumentHelp("\(help).") }
}
