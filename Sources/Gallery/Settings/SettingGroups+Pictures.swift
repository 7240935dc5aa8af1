import Catalog
import Logging

public enum RenderSettings: SettingGroup {
    public static let title = "Pictures"

    public static var flags: [Setting] {
        number("render-workers", \.renderWorkers, 1...64, "processes", "Processes that render thumbnails")
        toggle(
            "require-sandbox", \.requiresSandbox,
            "Refuse to start if the render workers cannot be sandboxed; otherwise the server only warns")
        number(
            "max-pixels", \.maxPixels, 1...1_000_000_000, "pixels",
            "Largest picture; some formats allow fewer pixels")
        number(
            "max-raw-bytes", \.pictures.maxRAWBytes, 1024...(16 << 30), "bytes",
            "Largest RAW file or video of a folder that the page may download; showing one reads only a part of it")
    }
}

public enum StoreSettings: SettingGroup {
    public static let title = "Thumbnail cache"

    public static var flags: [Setting] {
        Setting(
            "cache-directory",
            "Folder of the thumbnails; \"none\" keeps them in memory only", .folder,
            standard: "the user's cache folder; none for the demo"
        ) { reader, settings in
            let folder = reader.text("cache-directory") ?? settings.cacheDirectory
            settings.cacheDirectory = folder == "none" ? nil : folder
        }
        number("memory-cache", \.memoryCache, 0...(64 << 30), "bytes", "Memory for thumbnails")
        number("disk-cache", \.diskCache, 0...(1 << 40), "bytes", "Disk space for thumbnails")
    }
}

public enum GallerySettings: SettingGroup {
    public static let title = "Galleries: folders and lists"

    public static var flags: [Setting] {
        number("max-galleries", \.maxGalleries, 1...10_000, "galleries", "Maximum number of galleries served at once")
        number("max-items", \.maxItems, 1...Settings.maximumItems, "items", "Maximum number of items in one gallery")
        toggle(
            "follow-links", \.folders.followsLinks,
            "Follow links that lead out of the folder; links inside the folder are always followed")
        Setting(
            "exclude", "Pattern of files and folders to leave out of folders, with the syntax of .gitignore files",
            .list
        ) { reader, settings throws(SettingError) in
            do throws(ExcludePatterns.Problem) {
                settings.folders.excludes = try ExcludePatterns(reader.list("exclude", byLine: true))
            } catch {
                throw SettingError("\(reader.place(of: "exclude")): \(error)")
            }
        }
    }
}

public enum ProgramSettings: SettingGroup {
    public static let title = "Program"

    public static var flags: [Setting] {
        text("public-directory", "Folder of the page; by default the one beside the executable", .folder)
        Setting(
            "log-level", "Least severe level to log", .choice(Logger.Level.allCases.map(\.rawValue)),
            standard: Settings.standard.logLevel.rawValue
        ) { reader, settings throws(SettingError) in
            settings.logLevel = try reader.choice("log-level", default: settings.logLevel)
        }
    }
}
