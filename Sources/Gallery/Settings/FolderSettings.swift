import Catalog

/// How folders are read.
public enum FolderSettings {
    private static let standard = FolderOptions()

    public static let maxDepth = Setting(
        "max-depth", "How deep subfolders are walked", unit: "folders", default: standard.maxDepth, in: 0...1_000)
    public static let maxFolders = Setting(
        "max-folders", "Folders of one gallery", unit: "folders", default: standard.maxFolders, in: 1...10_000_000)
    public static let settleTime = Setting(
        "settle-time", "How long changes are gathered before they appear", unit: "ms", default: standard.settleTime,
        in: 0...60_000)
    public static let publishInterval = Setting(
        "first-look", "When a folder that takes long to read first shows what was found", unit: "ms",
        default: standard.publishInterval, in: 0...60_000)
}
