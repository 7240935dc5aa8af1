import ArgumentParser
import Foundation
import Gallery
import JSON
import Logging
import Terminal

/// The flags that `serve` and `demo` share. What a flag leaves open comes from its environment variable, then from the
/// settings file, then from its default.
struct ServerOptions: ParsableArguments {
    @OptionGroup(title: "Where it listens, and whom it lets in") var listening: ListeningOptions
    @OptionGroup(title: "Viewers and scripts") var viewers: ViewerOptions
    @OptionGroup(title: "Downloads") var downloads: DownloadOptions
    @OptionGroup(title: "Downloads that fail") var fetching: FetchOptions
    @OptionGroup(title: "What runs at once") var pool: PoolOptions
    @OptionGroup(title: "Pictures") var pictures: PictureOptions
    @OptionGroup(title: "The store of thumbnails") var store: StoreOptions
    @OptionGroup(title: "Folders") var folders: FolderReadingOptions
    @OptionGroup(title: "Lists") var lists: ListOptions

    @Option(help: "Folder of the page (default: found beside the executable).", completion: .directory)
    var publicDirectory: String?

    @Option(
        help: "File of settings, a JSON object with names as flags; --print-settings prints one.",
        completion: .file(extensions: ["json"]))
    var settings: String?

    @Flag(help: "Print the settings in force as a settings file, without the token, and exit.")
    var printSettings = false

    @Option(
        help: "What is logged: \(logLevels.joined(separator: ", ")) (default warning).", completion: .list(logLevels))
    var logLevel: String?

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
        let folder = try reader.text(publicDirectory, "public-directory")
        var settings = Settings(
            publicDirectory: try Installation.publicDirectory(given: folder),
            renderCommand: try Installation.renderCommand())
        try listening.read(&reader, into: &settings)
        try viewers.read(&reader, into: &settings)
        try downloads.read(&reader, into: &settings)
        settings.fetching = try fetching.settings(&reader)
        try pool.read(&reader, into: &settings.pool)
        try pictures.read(&reader, into: &settings)
        try store.read(&reader, into: &settings, defaultFolder: defaultCache)
        try folders.read(&reader, into: &settings.folders)
        try lists.read(&reader, into: &settings.lists)
        let logLevel = try self.logLevel(&reader)
        try reader.finish()
        return Effective(settings: settings, logLevel: logLevel, document: reader.effective)
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
