import ArgumentParser
import Catalog
import Gallery

/// Flags: how folders are read.
struct FolderReadingOptions: ParsableArguments {
    @Flag(help: "Follow links that lead out of the folder; those that lead elsewhere in it are always followed.")
    var followLinks = false
    @Option(FolderSettings.maxDepth) var maxDepth: Int?
    @Option(FolderSettings.maxFolders) var maxFolders: Int?
    @Option(FolderSettings.settleTime) var settleTime: Int?
    @Option(FolderSettings.publishInterval) var publishInterval: Int?

    /// - Throws: ``SettingError`` that names the flag, variable or file at fault.
    func read(_ reader: inout SettingsReader, into limits: inout FolderOptions) throws(SettingError) {
        limits.followsLinks = try reader.toggle(followLinks, "follow-links")
        limits.maxDepth = try reader.number(maxDepth, FolderSettings.maxDepth)
        limits.maxFolders = try reader.number(maxFolders, FolderSettings.maxFolders)
        limits.settleTime = try reader.number(settleTime, FolderSettings.settleTime)
        limits.publishInterval = try reader.number(publishInterval, FolderSettings.publishInterval)
    }
}
