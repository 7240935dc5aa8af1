import Logging

public enum RenderSettings: SettingGroup {
    public static let title = "Pictures"

    public static var flags: [Setting] {
        number("render-workers", \.renderWorkers, 1...64, "processes", "Processes that render thumbnails")
        toggle(
            "require-sandbox", \.requiresSandbox,
            "Refuse to start where the processes that render cannot be sandboxed, instead of a warning")
        number("max-pixels", \.maxPixels, 1...1_000_000_000, "pixels", "Size of one picture")
    }

    public static var withoutFlag: [Setting] {
        number("max-side", \.pictures.maxSide, 1...65_535, "pixels", "Longer side of a picture")
        number(
            "max-progressive-pixels", \.pictures.maxProgressivePixels, 1...1_000_000_000, "pixels",
            "Size of a progressive JPEG, whose coefficients are all held")
        number("max-png-pixels", \.pictures.maxPNGPixels, 1...1_000_000_000, "pixels", "Size of a PNG or BMP")
        number(
            "max-interlaced-png-pixels", \.pictures.maxInterlacedPNGPixels, 1...1_000_000_000, "pixels",
            "Size of an interlaced PNG")
        number("max-webp-pixels", \.pictures.maxWebPPixels, 1...1_000_000_000, "pixels", "Size of a WebP")
        number(
            "max-gif-pixels", \.pictures.maxGIFPixels, 1...1_000_000_000, "pixels",
            "Size of a GIF's screen, and of its first frame")
        number("max-heif-pixels", \.pictures.maxHEIFPixels, 1...1_000_000_000, "pixels", "Size of a HEIC or AVIF")
        number("max-video-pixels", \.pictures.maxVideoPixels, 1...1_000_000_000, "pixels", "Size of a video's frame")
        number("max-tiff-pixels", \.pictures.maxTIFFPixels, 1...1_000_000_000, "pixels", "Size of a TIFF")
        number(
            "max-raw-bytes", \.pictures.maxRAWBytes, 1024...(16 << 30), "bytes",
            "Size of a RAW file or a video in a folder that is downloaded; to show it only a part of it is read")
        number("render-cpu-time", \.pictures.cpuTime, 0.01...3_600, "seconds", "CPU time one picture may take")
        number(
            "render-time", \.pictures.wallTime, 0.1...3_600, "seconds",
            "Time one picture may take in all; then its process is replaced")
        number(
            "worker-memory", \.pictures.workerMemory, 0...(64 << 30), "bytes",
            "Address space of a process that renders, 0 for no limit")
        number(
            "heif-worker-memory", \.pictures.heifWorkerMemory, 0...(64 << 30), "bytes",
            "Address space of a process that renders HEIC and AVIF, or videos, 0 for no limit")
        number(
            "worker-retention", \.pictures.workerRetention, (1 << 20)...(64 << 30), "bytes",
            "Resident memory above which such a process is replaced after its picture")
        number(
            "max-carried", \.pool.carriedBytes, (1 << 20)...(64 << 30), "bytes",
            "Pictures fetched and not yet rendered; visible ones may go a quarter over it")
        number(
            "unrendered-memory", \.memory.unrenderedMemory, 0...(16 << 30), "bytes",
            "Pictures that came when they were no longer wanted, kept for a scroll back")
        number(
            "broken-lifetime", \.memory.brokenLifetime, 0...604_800, "seconds",
            "How long a picture that cannot be decoded is not tried again")
        number(
            "small-tier", \.smallTier, 0...256, "pixels",
            "Longer side of the small pictures that a page which is behind gets first, 0 for none")
    }
}

public enum StoreSettings: SettingGroup {
    public static let title = "The store of thumbnails"

    public static var flags: [Setting] {
        Setting(
            "cache-directory",
            "Folder of the stored thumbnails; none keeps them in memory", .folder,
            standard: "the user's cache folder; for the demo, none"
        ) { reader, settings throws(SettingError) in
            let folder = try reader.text("cache-directory", default: settings.cacheDirectory ?? "none")
            settings.cacheDirectory = folder == "none" ? nil : folder
        }
        number("memory-cache", \.memoryCache, 0...(64 << 30), "bytes", "Thumbnails kept in memory")
        number("disk-cache", \.diskCache, 0...(1 << 40), "bytes", "Thumbnails kept on disk")
    }

    public static var withoutFlag: [Setting] {
        number(
            "max-unwritten", \.store.maxPendingBytes, 0...(16 << 30), "bytes",
            "Thumbnails that may wait to be written; beyond that the oldest are not")
        number(
            "revalidate-after", \.memory.revalidateAfter, 0...31_536_000, "seconds",
            "After how long an origin is asked whether a stored picture is still the same, 0 for never")
        number(
            "known-items", \.memory.knownItems, 1...10_000_000, "pictures",
            "Pictures whose state and placeholder are remembered")
    }
}

public enum GallerySettings: SettingGroup {
    public static let title = "Galleries: folders and lists"

    public static var flags: [Setting] {
        number("max-galleries", \.maxGalleries, 1...10_000, "galleries", "Galleries served at once")
        number("max-items", \.maxItems, 1...Settings.mostItems, "items", "Items of one gallery")
        toggle(
            "follow-links", \.folders.followsLinks,
            "Follow links that lead out of the folder; those that lead elsewhere in it are always followed")
        toggle(
            "write-sidecars", \.writesSidecars,
            "Keep favourites as stars in XMP files beside the pictures of a folder, where otherwise nothing is ever written"
        )
    }

    public static var withoutFlag: [Setting] {
        number("max-depth", \.folders.maxDepth, 0...1_000, "folders", "How deep subfolders are walked")
        number("max-folders", \.folders.maxFolders, 1...10_000_000, "folders", "Folders of one gallery")
        number(
            "settle-time", \.folders.settleTime, 0...60_000, "ms", "How long changes are gathered before they appear")
        number(
            "max-line", \.lists.maxLineBytes, 16...(16 << 20), "bytes", "Size of one line, record or element of a list")
        number("max-url", \.lists.maxURLBytes, 16...65_536, "bytes", "Size of one address")
    }
}

public enum ProgramSettings: SettingGroup {
    public static let title = "The program"

    public static var flags: [Setting] {
        text("public-directory", "Folder of the page, found beside the executable where it is not given", .folder)
        Setting(
            "log-level", "What is logged", .choice(Logger.Level.allCases.map(\.rawValue)),
            standard: Settings.standard.logLevel.rawValue
        ) { reader, settings throws(SettingError) in
            settings.logLevel = try reader.choice("log-level", default: settings.logLevel)
        }
    }
}
