import ArgumentParser
import Foundation
import Gallery
import Terminal

/// The flags that `serve` and `demo` share.
struct ServerOptions: ParsableArguments {
    @OptionGroup(title: AccessSettings.title) var access: SettingFlags<AccessSettings>
    @OptionGroup(title: ViewerSettings.title) var viewers: SettingFlags<ViewerSettings>
    @OptionGroup(title: DownloadSettings.title) var downloads: SettingFlags<DownloadSettings>
    @OptionGroup(title: RenderSettings.title) var rendering: SettingFlags<RenderSettings>
    @OptionGroup(title: StoreSettings.title) var store: SettingFlags<StoreSettings>
    @OptionGroup(title: NodeSettings.title) var nodes: SettingFlags<NodeSettings>
    @OptionGroup(title: GallerySettings.title) var galleries: SettingFlags<GallerySettings>
    @OptionGroup(title: ProgramSettings.title) var program: SettingFlags<ProgramSettings>

    @Flag(name: .customLong("open"), help: "Open the page in the default browser.")
    var opensBrowser = false

    /// - Parameter defaultCache: Folder of the thumbnails if none is given. `nil` keeps thumbnails in memory only.
    /// - Throws: ``SettingError`` that names the flag or variable at fault.
    func settings(defaultCache: String?) throws -> Settings {
        let groups = [
            access.given, viewers.given, downloads.given, rendering.given, store.given, nodes.given, galleries.given,
        ]
        let flags = groups.reduce(program.given) { $0.merging($1) { first, _ in first } }
        let reader = SettingsReader(flags: flags, environment: ProcessInfo.processInfo.environment)
        var settings = Settings(
            publicDirectory: try Installation.publicDirectory(given: reader.text("public-directory")),
            renderCommand: try Installation.renderCommand())
        settings.cacheDirectory = defaultCache
        try reader.read(&settings)
        settings.token = try token(reader)
        settings.viewToken = try Self.token(in: "view-token-file", reader)
        return settings
    }

    /// Returns the token, given directly or in a file. A file given by flag takes precedence over a token from the environment.
    private func token(_ reader: SettingsReader) throws(SettingError) -> AccessToken? {
        let isFileByFlag = access.given["token-file"] != nil
        guard access.given["token"] == nil || !isFileByFlag else {
            throw SettingError("give --token or --token-file, not both")
        }
        if !isFileByFlag, let text = reader.text("token") { return try AccessToken(text) }
        return try Self.token(in: "token-file", reader)
    }

    /// Returns the token in a file, or `nil` if no file is given.
    private static func token(in setting: String, _ reader: SettingsReader) throws(SettingError) -> AccessToken? {
        guard let path = reader.text(setting) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw SettingError("--\(setting): cannot read \(path)")
        }
        return try AccessToken(
            String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
