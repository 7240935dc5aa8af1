import ArgumentParser
import Foundation
import Gallery
import JSON
import Logging

/// The flags that `serve` and `demo` share. What a flag leaves open comes from its environment variable, then from the
/// settings file, then from its default.
struct ServerOptions: ParsableArguments {
    @Option(help: "Address to listen on (default 127.0.0.1). Another than loopback needs a token.")
    var host: String?

    @Option(Settings.port) var port: Int?

    @Option(help: "Secret that lets people and scripts in, of at least \(AccessToken.minLength) characters.")
    var token: String?

    @Option(
        help: "File that holds the token alone: unlike flags, others on this machine do not see it.",
        completion: .file())
    var tokenFile: String?

    @Option(
        name: .customLong("allow-host"),
        help: "A name that the server is known by, behind a proxy or in the local network. May be repeated.")
    var allowedHosts: [String] = []

    @Option(
        name: .customLong("trusted-proxy"),
        help: "Address or network of a proxy whose X-Forwarded headers are believed. May be repeated.")
    var trustedProxies: [String] = []

    @Option(
        help: "File of settings, a JSON object with names as flags; --print-settings prints one.",
        completion: .file(extensions: ["json"]))
    var settings: String?

    @Flag(help: "Print the settings in force as a settings file, without the token, and exit.")
    var printSettings = false

    @Option(
        help: "What is logged: \(logLevels.joined(separator: ", ")) (default warning).", completion: .list(logLevels))
    var logLevel: String?

    @Option(
        help: """
            Folder of the stored thumbnails; "none" keeps them in memory (default: the user's cache folder; for the \
            demo, none).
            """, completion: .directory)
    var cacheDirectory: String?

    @Option(help: "Folder of the page (default: found beside the executable).", completion: .directory)
    var publicDirectory: String?

    @Option(Settings.maxConnections) var maxConnections: Int?
    @Option(Settings.maxConnectionsPerAddress) var maxConnectionsPerAddress: Int?
    @Option(Settings.maxStreams) var maxStreams: Int?
    @Option(Settings.maxStreamsPerSession) var maxStreamsPerSession: Int?
    @Option(Settings.maxSessions) var maxSessions: Int?
    @Option(Settings.maxGalleries) var maxGalleries: Int?
    @Option(Settings.maxItems) var maxItems: Int?
    @Option(Settings.maxUpdates) var maxUpdates: Int?
    @Option(Settings.sessionGrace) var sessionGrace: Double?
    @Option(Settings.maxHeader) var maxHeader: Int?
    @Option(Settings.requestTimeout) var requestTimeout: Double?
    @Option(Settings.readerTimeout) var readerTimeout: Double?
    @Option(Settings.maxBody) var maxBody: Int?
    @Option(Settings.maxUpload) var maxUpload: Int?
    @Option(Settings.maxDownloads) var maxDownloads: Int?
    @Option(Settings.maxDownloadsPerHost) var maxDownloadsPerHost: Int?
    @Option(Settings.renderWorkers) var renderWorkers: Int?
    @Option(Settings.renderQueue) var renderQueue: Int?
    @Option(Settings.smallTier) var smallTier: Int?
    @Option(Settings.maxBytes) var maxBytes: Int?
    @Option(Settings.maxPixels) var maxPixels: Int?
    @Option(Settings.memoryCache) var memoryCache: Int?
    @Option(Settings.diskCache) var diskCache: Int?

    @Option(
        name: .customLong("allow-address"),
        help: "A private network, as CIDR, that pictures may be downloaded from. May be repeated.")
    var allowedAddresses: [String] = []

    @Option(
        name: .customLong("allow-origin"),
        help: "An origin, HOST:PORT, that pictures may be downloaded from whatever its address. May be repeated.")
    var allowedOrigins: [String] = []

    @OptionGroup(title: "Downloads that fail") var fetching: FetchOptions
    @OptionGroup(title: "Downloads") var network: NetworkOptions
    @OptionGroup(title: "What runs at once") var pool: PoolOptions
    @OptionGroup(title: "Pictures") var pictures: PictureOptions
    @OptionGroup(title: "The store of thumbnails") var store: StoreOptions
    @OptionGroup(title: "Folders") var folders: FolderReadingOptions
    @OptionGroup(title: "Lists") var lists: ListOptions

    private static let logLevels = Logger.Level.allCases.map(\.rawValue)

    /// What is in force: settings for the server, how much it logs, and all of it as a settings file.
    struct Effective {
        var settings: Settings
        var logLevel: Logger.Level
        var document: JSONObject
    }

    /// - Parameter defaultCache: the folder of thumbnails where none is given, or "none".
    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func effective(defaultCache: String = Installation.cacheDirectory) throws -> Effective {
        let environment = ProcessInfo.processInfo.environment
        let file = try (settings ?? environment[SettingsReader.variable("settings")]).map(Self.file)
        var reader = SettingsReader(environment: environment, file: file)
        let host = try reader.text(host, "host", default: "127.0.0.1") ?? ""
        let port = try reader.number(port, Settings.port)
        let folder = try reader.text(publicDirectory, "public-directory")
        var settings = Settings(
            publicDirectory: try Installation.publicDirectory(given: folder),
            renderCommand: [try Installation.executable(), RenderWorkerCommand.name])
        settings.host = host
        settings.port = UInt16(port)
        settings.token = try token(&reader)
        settings.allowedHosts = try reader.list(allowedHosts, "allow-host")
        settings.trustedProxies = try reader.list(trustedProxies, "trusted-proxy")
        let cache = try reader.text(cacheDirectory, "cache-directory", default: defaultCache)
        settings.cacheDirectory = cache == "none" ? nil : cache
        settings.allowedAddresses = try reader.list(allowedAddresses, "allow-address")
        settings.allowedOrigins = try reader.list(allowedOrigins, "allow-origin")
        try readLimits(&settings, &reader)
        let logLevel = try self.logLevel(&reader)
        try reader.finish()
        return Effective(settings: settings, logLevel: logLevel, document: reader.effective)
    }

    private func readLimits(_ settings: inout Settings, _ reader: inout SettingsReader) throws(SettingError) {
        settings.maxConnections = try reader.number(maxConnections, Settings.maxConnections)
        settings.maxConnectionsPerAddress = try reader.number(
            maxConnectionsPerAddress, Settings.maxConnectionsPerAddress)
        settings.maxStreams = try reader.number(maxStreams, Settings.maxStreams)
        settings.maxStreamsPerSession = try reader.number(maxStreamsPerSession, Settings.maxStreamsPerSession)
        settings.maxSessions = try reader.number(maxSessions, Settings.maxSessions)
        settings.maxGalleries = try reader.number(maxGalleries, Settings.maxGalleries)
        settings.maxItems = try reader.number(maxItems, Settings.maxItems)
        settings.maxUpdates = try reader.number(maxUpdates, Settings.maxUpdates)
        settings.sessionGrace = try reader.number(sessionGrace, Settings.sessionGrace)
        settings.maxHeader = try reader.number(maxHeader, Settings.maxHeader)
        settings.requestTimeout = try reader.number(requestTimeout, Settings.requestTimeout)
        settings.readerTimeout = try reader.number(readerTimeout, Settings.readerTimeout)
        settings.maxBody = try reader.number(maxBody, Settings.maxBody)
        settings.maxUpload = try reader.number(maxUpload, Settings.maxUpload)
        settings.maxDownloads = try reader.number(maxDownloads, Settings.maxDownloads)
        settings.maxDownloadsPerHost = try reader.number(maxDownloadsPerHost, Settings.maxDownloadsPerHost)
        settings.renderWorkers = try reader.number(renderWorkers, Settings.renderWorkers)
        settings.renderQueue = try reader.number(renderQueue, Settings.renderQueue)
        settings.smallTier = try reader.number(smallTier, Settings.smallTier)
        settings.maxBytes = try reader.number(maxBytes, Settings.maxBytes)
        settings.maxPixels = try reader.number(maxPixels, Settings.maxPixels)
        settings.memoryCache = try reader.number(memoryCache, Settings.memoryCache)
        settings.diskCache = try reader.number(diskCache, Settings.diskCache)
        settings.fetching = try fetching.settings(&reader)
        try network.read(&reader, into: &settings.network)
        try pool.read(&reader, into: &settings.pool)
        try pictures.read(&reader, into: &settings.pictures)
        try store.read(&reader, into: &settings.store)
        try folders.read(&reader, into: &settings.folders)
        try lists.read(&reader, into: &settings.lists)
    }

    /// The token, given as it is or in a file of its own.
    private func token(_ reader: inout SettingsReader) throws(SettingError) -> AccessToken? {
        guard token == nil || tokenFile == nil else {
            throw SettingError("give --token or --token-file, not both")
        }
        // A file given by flag goes before a token of the environment.
        let path = try reader.text(tokenFile, "token-file", isSecret: true)
        let given = try reader.text(token, "token", isSecret: true)
        if let given, tokenFile == nil { return try AccessToken(given) }
        guard let path else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw SettingError("--token-file: \(path) cannot be read")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        return try AccessToken(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private func logLevel(_ reader: inout SettingsReader) throws(SettingError) -> Logger.Level {
        let name = try reader.text(logLevel, "log-level", default: Logger.Level.warning.rawValue) ?? ""
        guard let level = Logger.Level(rawValue: name) else {
            throw SettingError("--log-level must be one of \(Self.logLevels.joined(separator: ", ")), not \"\(name)\"")
        }
        return level
    }

    private static func file(_ path: String) throws(SettingError) -> SettingsFile {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw SettingError("--settings: \(path) cannot be read")
        }
        return try SettingsFile(path: path, bytes: Array(bytes))
    }
}
