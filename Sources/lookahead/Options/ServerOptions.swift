import ArgumentParser
import Foundation
import Gallery
import JSON
import Terminal

/// The flags that `serve` and `demo` share. What a flag leaves open comes from its environment variable, then from the
/// settings file, then from its default.
struct ServerOptions: ParsableArguments {
    @OptionGroup(title: AccessSettings.title) var access: SettingFlags<AccessSettings>
    @OptionGroup(title: ViewerSettings.title) var viewers: SettingFlags<ViewerSettings>
    @OptionGroup(title: DownloadSettings.title) var downloads: SettingFlags<DownloadSettings>
    @OptionGroup(title: RenderSettings.title) var rendering: SettingFlags<RenderSettings>
    @OptionGroup(title: StoreSettings.title) var store: SettingFlags<StoreSettings>
    @OptionGroup(title: NodeSettings.title) var nodes: SettingFlags<NodeSettings>
    @OptionGroup(title: GallerySettings.title) var galleries: SettingFlags<GallerySettings>
    @OptionGroup(title: ProgramSettings.title) var program: SettingFlags<ProgramSettings>

    @Option(
        help: "Settings file: a JSON object with the flags' names as members; --print-settings prints one.",
        completion: .file(extensions: ["json"]))
    var settings: String?

    @Flag(help: "Print the current settings as a settings file, without secrets and the Redis address, and exit.")
    var printSettings = false

    @Flag(name: .customLong("open"), help: "Open the page in the default browser.")
    var opensBrowser = false

    /// The settings in force, for the server and as a settings file.
    struct Effective {
        var settings: Settings
        var document: JSONObject
    }

    /// - Parameter defaultCache: the folder of thumbnails where none is given; nil keeps them in memory.
    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func effective(defaultCache: String?) throws -> Effective {
        let groups = [
            access.given, viewers.given, downloads.given, rendering.given, store.given, nodes.given, galleries.given,
        ]
        let flags = groups.reduce(program.given) { $0.merging($1) { first, _ in first } }
        let environment = ProcessInfo.processInfo.environment
        let file = try (settings ?? environment[Setting.variable("settings")]).map(Self.file)
        var reader = SettingsReader(flags: flags, environment: environment, file: file)
        var settings = Settings(
            publicDirectory: try Installation.publicDirectory(given: try reader.text("public-directory")),
            renderCommand: try Installation.renderCommand())
        settings.cacheDirectory = defaultCache
        try reader.read(&settings)
        settings.token = try token(&reader)
        settings.viewToken = try Self.token(in: "view-token-file", &reader)
        return Effective(settings: settings, document: reader.effective)
    }

    /// The token, given as it is or in a file of its own. A file given by flag goes before a token of the environment.
    private func token(_ reader: inout SettingsReader) throws(SettingError) -> AccessToken? {
        let isFileByFlag = access.given["token-file"] != nil
        guard access.given["token"] == nil || !isFileByFlag else {
            throw SettingError("give --token or --token-file, not both")
        }
        if !isFileByFlag, let text = try reader.text("token", isSecret: true) { return try AccessToken(text) }
        return try Self.token(in: "token-file", &reader)
    }

    /// - Parameter setting: names the file.
    private static func token(
        in setting: String, _ reader: inout SettingsReader
    ) throws(SettingError) -> AccessToken? {
        guard let path = try reader.text(setting, isSecret: true) else { return nil }
        let text = String(decoding: try bytes(of: path, from: "--\(setting)"), as: UTF8.self)
        return try AccessToken(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    private static func file(_ path: String) throws(SettingError) -> SettingsFile {
        try SettingsFile(path: path, bytes: Array(try bytes(of: path, from: "--settings")))
    }

    private static func bytes(of path: String, from flag: String) throws(SettingError) -> Data {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw SettingError("\(flag): cannot read \(path)")
        }
        return bytes
    }
}
