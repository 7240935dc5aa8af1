import ArgumentParser
import Gallery
import Pipeline

/// Flags: how long downloads may take, and what they keep.
struct NetworkOptions: ParsableArguments {
    @Option(NetworkSettings.connectTimeout) var connectTimeout: Int?
    @Option(NetworkSettings.idleTimeout) var idleTimeout: Int?
    @Option(NetworkSettings.totalTimeout) var totalTimeout: Int?
    @Option(NetworkSettings.redirectLimit) var redirectLimit: Int?
    @Option(NetworkSettings.headerLimit) var headerLimit: Int?
    @Option(NetworkSettings.idleConnections) var idleConnections: Int?
    @Option(NetworkSettings.partialBytes) var partialBytes: Int?
    @Option(NetworkSettings.partialMinimum) var partialMinimum: Int?

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into limits: inout FetchConfiguration) throws(SettingError) {
        limits.connectTimeout = try reader.number(connectTimeout, NetworkSettings.connectTimeout)
        limits.idleTimeout = try reader.number(idleTimeout, NetworkSettings.idleTimeout)
        limits.totalTimeout = try reader.number(totalTimeout, NetworkSettings.totalTimeout)
        limits.redirectLimit = try reader.number(redirectLimit, NetworkSettings.redirectLimit)
        limits.headerLimit = try reader.number(headerLimit, NetworkSettings.headerLimit)
        limits.idleConnections = try reader.number(idleConnections, NetworkSettings.idleConnections)
        limits.partialBytes = try reader.number(partialBytes, NetworkSettings.partialBytes)
        limits.partialMinimum = try reader.number(partialMinimum, NetworkSettings.partialMinimum)
    }
}
