import ArgumentParser
import Gallery
import Terminal

/// Flags: how much viewers and scripts may ask for.
struct ViewerOptions: ParsableArguments {
    @Option(Settings.maxConnections) var maxConnections: Int?
    @Option(Settings.maxConnectionsPerAddress) var maxConnectionsPerAddress: Int?
    @Option(Settings.maxStreams) var maxStreams: Int?
    @Option(Settings.maxStreamsPerSession) var maxStreamsPerSession: Int?
    @Option(Settings.maxSessions) var maxSessions: Int?
    @Option(Settings.maxUpdates) var maxUpdates: Int?
    @Option(Settings.sessionGrace) var sessionGrace: Double?
    @Option(Settings.maxHeader) var maxHeader: Int?
    @Option(Settings.requestTimeout) var requestTimeout: Double?
    @Option(Settings.readerTimeout) var readerTimeout: Double?
    @Option(Settings.maxBody) var maxBody: Int?
    @Option(Settings.maxUpload) var maxUpload: Int?
    @Option(Settings.maxGalleries) var maxGalleries: Int?
    @Option(Settings.maxItems) var maxItems: Int?

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into settings: inout Settings) throws(SettingError) {
        settings.maxConnections = try reader.number(maxConnections, Settings.maxConnections)
        settings.maxConnectionsPerAddress = try reader.number(
            maxConnectionsPerAddress, Settings.maxConnectionsPerAddress)
        settings.maxStreams = try reader.number(maxStreams, Settings.maxStreams)
        settings.maxStreamsPerSession = try reader.number(maxStreamsPerSession, Settings.maxStreamsPerSession)
        settings.maxSessions = try reader.number(maxSessions, Settings.maxSessions)
        settings.maxUpdates = try reader.number(maxUpdates, Settings.maxUpdates)
        settings.sessionGrace = try reader.number(sessionGrace, Settings.sessionGrace)
        settings.maxHeader = try reader.number(maxHeader, Settings.maxHeader)
        settings.requestTimeout = try reader.number(requestTimeout, Settings.requestTimeout)
        settings.readerTimeout = try reader.number(readerTimeout, Settings.readerTimeout)
        settings.maxBody = try reader.number(maxBody, Settings.maxBody)
        settings.maxUpload = try reader.number(maxUpload, Settings.maxUpload)
        settings.maxGalleries = try reader.number(maxGalleries, Settings.maxGalleries)
        settings.maxItems = try reader.number(maxItems, Settings.maxItems)
    }
}
