import Logging

public enum RenderSettings: SettingGroup {
    public static let title = "Pictures"

    public static var flags: [Setting] {
        number("render-workers", \.renderWorkers, 1...64, "processes", "Processes that render thumbnails")
        toggle(
            "require-sandbox", \.requiresSandbox,
            "Refuse to start if the render workers cannot be sandboxed; otherwise the server only warns")
        number("max-pixels", \.maxPixels, 1...1_000_000_000, "pixels", "Largest picture")
    }

    public static var withoutFlag: [Setting] {
        number("max-side", \.pictures.maxSide, 1...65_535, "pixels", "Longest side of a picture")
        number(
            "max-progressive-pixels", \.pictures.maxProgressivePixels, 1...1_000_000_000, "pixels",
            "Largest progressive JPEG, whose coefficients are all held in memory")
        number("max-png-pixels", \.pictures.maxPNGPixels, 1...1_000_000_000, "pixels", "Largest PNG or BMP")
        number(
            "max-interlaced-png-pixels", \.pictures.maxInterlacedPNGPixels, 1...1_000_000_000, "pixels",
            "Largest interlaced PNG")
        number("max-webp-pixels", \.pictures.maxWebPPixels, 1...1_000_000_000, "pixels", "Largest WebP")
        number(
            "max-gif-pixels", \.pictures.maxGIFPixels, 1...1_000_000_000, "pixels",
            "Largest GIF: its canvas and its first frame")
        number("max-heif-pixels", \.pictures.maxHEIFPixels, 1...1_000_000_000, "pixels", "Largest HEIC or AVIF")
        number("max-video-pixels", \.pictures.maxVideoPixels, 1...1_000_000_000, "pixels", "Largest frame of a video")
        number("max-tiff-pixels", \.pictures.maxTIFFPixels, 1...1_000_000_000, "pixels", "Largest TIFF")
        number(
            "max-raw-bytes", \.pictures.maxRAWBytes, 1024...(16 << 30), "bytes",
            "Largest RAW file or video of a folder that the page may download; showing one reads only a part of it")
        number("render-cpu-time", \.pictures.cpuTime, 0.01...3_600, "seconds", "Maximum CPU time to render one picture")
        number(
            "render-time", \.pictures.wallTime, 0.1...3_600, "seconds",
            "Maximum time to render one picture; then its worker is replaced")
        number(
            "worker-memory", \.pictures.workerMemory, 0...(64 << 30), "bytes",
            "Address space of a render worker; 0 for no limit")
        number(
            "heif-worker-memory", \.pictures.heifWorkerMemory, 0...(64 << 30), "bytes",
            "Address space of a render worker for HEIC, AVIF or videos; 0 for no limit")
        number(
            "worker-retention", \.pictures.workerRetention, (1 << 20)...(64 << 30), "bytes",
            "Resident memory above which a render worker is replaced after its picture")
        number(
            "max-carried", \.pool.carriedBytes, (1 << 20)...(64 << 30), "bytes",
            "Memory for pictures fetched and not yet rendered; visible ones may exceed it by a quarter")
        number(
            "unrendered-memory", \.memory.unrenderedMemory, 0...(16 << 30), "bytes",
            "Memory for pictures that arrive after you have scrolled past, kept in case you scroll back")
        number(
            "broken-lifetime", \.memory.brokenLifetime, 0...604_800, "seconds",
            "Time before a picture that cannot be decoded is tried again")
        number(
            "small-tier", \.smallTier, 0...256, "pixels",
            "Longest side of the small pictures that a slow client gets first; 0 for none")
    }
}

public enum StoreSettings: SettingGroup {
    public static let title = "Thumbnail cache"

    public static var flags: [Setting] {
        Setting(
            "cache-directory",
            "Folder of the thumbnails; \"none\" keeps them in memory only", .folder,
            standard: "the user's cache folder; none for the demo"
        ) { reader, settings throws(SettingError) in
            let folder = try reader.text("cache-directory", default: settings.cacheDirectory ?? "none")
            settings.cacheDirectory = folder == "none" ? nil : folder
        }
        number("memory-cache", \.memoryCache, 0...(64 << 30), "bytes", "Memory for thumbnails")
        number("disk-cache", \.diskCache, 0...(1 << 40), "bytes", "Disk space for thumbnails")
    }

    public static var withoutFlag: [Setting] {
        number(
            "max-unwritten", \.store.maxPendingBytes, 0...(16 << 30), "bytes",
            "Thumbnails that may wait to be written to disk; beyond that the oldest are dropped")
        number(
            "revalidate-after", \.memory.revalidateAfter, 0...31_536_000, "seconds",
            "Time after which the server asks the origin whether a picture has changed; 0 for never")
        number(
            "known-items", \.memory.knownItems, 1...10_000_000, "pictures",
            "Maximum number of pictures whose state and placeholder are remembered")
    }
}

public enum GallerySettings: SettingGroup {
    public static let title = "Galleries: folders and lists"

    public static var flags: [Setting] {
        number("max-galleries", \.maxGalleries, 1...10_000, "galleries", "Maximum number of galleries served at once")
        number("max-items", \.maxItems, 1...Settings.mostItems, "items", "Maximum number of items in one gallery")
        toggle(
            "follow-links", \.folders.followsLinks,
            "Follow links that lead out of the folder; links inside the folder are always followed")
        toggle(
            "write-sidecars", \.writesSidecars,
            "Save favourites as star ratings in XMP files beside the pictures; without it nothing is written to folders"
        )
    }

    public static var withoutFlag: [Setting] {
        number("max-depth", \.folders.maxDepth, 0...1_000, "folders", "Maximum depth of subfolders")
        number(
            "max-folders", \.folders.maxFolders, 1...10_000_000, "folders", "Maximum number of folders in one gallery")
        number(
            "settle-time", \.folders.settleTime, 0...60_000, "ms",
            "Time to wait for further changes before showing them")
        number(
            "max-line", \.lists.maxLineBytes, 16...(16 << 20), "bytes", "Longest line, record or element of a list")
        number("max-url", \.lists.maxURLBytes, 16...65_536, "bytes", "Longest address")
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
