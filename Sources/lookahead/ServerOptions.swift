import ArgumentParser
import Foundation
import Gallery

/// The flags that `serve` and `demo` share. What a flag leaves open comes from its environment variable, then from its
/// default.
struct ServerOptions: ParsableArguments {
    @Option(help: "Address to listen on. Another than loopback shows the gallery to the network.")
    var host = "127.0.0.1"

    @Option(help: "Port to listen on; 0 lets the system pick (default 8080, 0 to 65535).")
    var port: UInt16 = 8080

    @Option(help: "Folder of the stored thumbnails; \"none\" keeps them in memory (default: the user's cache folder; for the demo, none).")
    var cacheDirectory: String?

    @Option(help: "Folder of the page (default: found beside the executable).")
    var publicDirectory: String?

    @Option(name: .customLong(Settings.maxConnections.name), help: help(Settings.maxConnections))
    var maxConnections: Int?
    @Option(name: .customLong(Settings.maxConnectionsPerAddress.name), help: help(Settings.maxConnectionsPerAddress))
    var maxConnectionsPerAddress: Int?
    @Option(name: .customLong(Settings.maxStreams.name), help: help(Settings.maxStreams))
    var maxStreams: Int?
    @Option(name: .customLong(Settings.maxStreamsPerSession.name), help: help(Settings.maxStreamsPerSession))
    var maxStreamsPerSession: Int?
    @Option(name: .customLong(Settings.maxSessions.name), help: help(Settings.maxSessions))
    var maxSessions: Int?
    @Option(name: .customLong(Settings.maxGalleries.name), help: help(Settings.maxGalleries))
    var maxGalleries: Int?
    @Option(name: .customLong(Settings.maxItems.name), help: help(Settings.maxItems))
    var maxItems: Int?
    @Option(name: .customLong(Settings.sessionGrace.name), help: help(Settings.sessionGrace))
    var sessionGrace: Double?
    @Option(name: .customLong(Settings.maxBody.name), help: help(Settings.maxBody))
    var maxBody: Int?
    @Option(name: .customLong(Settings.maxUpload.name), help: help(Settings.maxUpload))
    var maxUpload: Int?
    @Option(name: .customLong(Settings.maxDownloads.name), help: help(Settings.maxDownloads))
    var maxDownloads: Int?
    @Option(name: .customLong(Settings.maxDownloadsPerHost.name), help: help(Settings.maxDownloadsPerHost))
    var maxDownloadsPerHost: Int?
    @Option(name: .customLong(Settings.renderWorkers.name), help: help(Settings.renderWorkers))
    var renderWorkers: Int?
    @Option(name: .customLong(Settings.maxBytes.name), help: help(Settings.maxBytes))
    var maxBytes: Int?
    @Option(name: .customLong(Settings.maxPixels.name), help: help(Settings.maxPixels))
    var maxPixels: Int?
    @Option(name: .customLong(Settings.memoryCache.name), help: help(Settings.memoryCache))
    var memoryCache: Int?
    @Option(name: .customLong(Settings.diskCache.name), help: help(Settings.diskCache))
    var diskCache: Int?

    @Option(
        name: .customLong("allow-address"),
        help: "A private network, as CIDR, that pictures may be downloaded from. May be repeated.")
    var allowedAddresses: [String] = []

    @Option(
        name: .customLong("allow-origin"),
        help: "An origin, HOST:PORT, that pictures may be downloaded from whatever its address. May be repeated.")
    var allowedOrigins: [String] = []

    @OptionGroup var fetching: FetchOptions

    private static func help<Value>(_ setting: Setting<Value>) -> ArgumentHelp { ArgumentHelp("\(setting.help).") }

    /// The settings in force.
    ///
    /// - Parameter defaultCache: the folder of thumbnails where none is given; `nil` keeps them in memory.
    /// - Throws: a validation error that names the flag or variable at fault.
    func settings(defaultCache: String? = Installation.cacheDirectory) throws -> Settings {
        let environment = ProcessInfo.processInfo.environment
        var settings = Settings(
            publicDirectory: try Installation.publicDirectory(
                given: publicDirectory ?? environment["LOOKAHEAD_PUBLIC_DIRECTORY"]),
            renderCommand: [try Installation.executable(), RenderWorkerCommand.name])
        settings.host = host
        settings.port = port
        switch cacheDirectory ?? environment["LOOKAHEAD_CACHE_DIRECTORY"] {
        case "none": settings.cacheDirectory = nil
        case let directory?: settings.cacheDirectory = directory
        case nil: settings.cacheDirectory = defaultCache
        }
        settings.allowedAddresses = allowedAddresses
        settings.allowedOrigins = allowedOrigins
        func take<Value>(
            _ flag: Value?, _ setting: Setting<Value>, _ path: WritableKeyPath<Settings, Value>
        ) throws {
            settings[keyPath: path] = try setting.value(flag, environment)
        }
        do {
            try take(maxConnections, Settings.maxConnections, \.maxConnections)
            try take(maxConnectionsPerAddress, Settings.maxConnectionsPerAddress, \.maxConnectionsPerAddress)
            try take(maxStreams, Settings.maxStreams, \.maxStreams)
            try take(maxStreamsPerSession, Settings.maxStreamsPerSession, \.maxStreamsPerSession)
            try take(maxSessions, Settings.maxSessions, \.maxSessions)
            try take(maxGalleries, Settings.maxGalleries, \.maxGalleries)
            try take(maxItems, Settings.maxItems, \.maxItems)
            try take(sessionGrace, Settings.sessionGrace, \.sessionGrace)
            try take(maxBody, Settings.maxBody, \.maxBody)
            try take(maxUpload, Settings.maxUpload, \.maxUpload)
            try take(maxDownloads, Settings.maxDownloads, \.maxDownloads)
            try take(maxDownloadsPerHost, Settings.maxDownloadsPerHost, \.maxDownloadsPerHost)
            try take(renderWorkers, Settings.renderWorkers, \.renderWorkers)
            try take(maxBytes, Settings.maxBytes, \.maxBytes)
            try take(maxPixels, Settings.maxPixels, \.maxPixels)
            try take(memoryCache, Settings.memoryCache, \.memoryCache)
            try take(diskCache, Settings.diskCache, \.diskCache)
            settings.fetching = try fetching.settings(environment)
        } catch let error as SettingError {
            throw ValidationError(error.description)
        }
        return settings
    }
}
