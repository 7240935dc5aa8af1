import ArgumentParser
import Gallery
import Pipeline
import Terminal

/// Flags: where pictures may be downloaded from, how many at once, how long it may take and what is kept.
struct DownloadOptions: ParsableArguments {
    @Option(
        name: .customLong("allow-address"),
        help: "A private network, as CIDR, that pictures may be downloaded from. May be repeated.")
    var allowedAddresses: [String] = []

    @Option(
        name: .customLong("allow-origin"),
        help: "An origin, HOST:PORT, that pictures may be downloaded from whatever its address. May be repeated.")
    var allowedOrigins: [String] = []

    @Option(Settings.maxDownloads) var maxDownloads: Int?
    @Option(Settings.maxDownloadsPerHost) var maxDownloadsPerHost: Int?
    @Option(Settings.maxBytes) var maxBytes: Int?
    @Option(NetworkSettings.connectTimeout) var connectTimeout: Int?
    @Option(NetworkSettings.idleTimeout) var idleTimeout: Int?
    @Option(NetworkSettings.totalTimeout) var totalTimeout: Int?
    @Option(NetworkSettings.redirectLimit) var redirectLimit: Int?
    @Option(NetworkSettings.headerLimit) var headerLimit: Int?
    @Option(NetworkSettings.idleConnections) var idleConnections: Int?
    @Option(NetworkSettings.partialBytes) var partialBytes: Int?
    @Option(NetworkSettings.partialMinimum) var partialMinimum: Int?

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into settings: inout Settings) throws(SettingError) {
        settings.allowedAddresses = try reader.list(allowedAddresses, "allow-address")
        settings.allowedOrigins = try reader.list(allowedOrigins, "allow-origin")
        settings.maxDownloads = try reader.number(maxDownloads, Settings.maxDownloads)
        settings.maxDownloadsPerHost = try reader.number(maxDownloadsPerHost, Settings.maxDownloadsPerHost)
        settings.maxBytes = try reader.number(maxBytes, Settings.maxBytes)
        try readLimits(&reader, into: &settings.network)
    }

    private func readLimits(
        _ reader: inout SettingsReader, into limits: inout FetchConfiguration
    ) throws(SettingError) {
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
