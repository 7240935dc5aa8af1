import Glibc

/// How a folder is read, and how it and a list's file are watched.
public struct FolderOptions: Sendable, Equatable {
    /// How deep subfolders are walked, 32 by default; 0 is the folder alone.
    public var maxDepth = 32
    /// Pictures in one catalogue, 5,000,000 by default; what comes after is left out and counted.
    public var maxItems = 5_000_000
    /// Folders in one catalogue, 200,000 by default; what comes after is left out and counted.
    public var maxFolders = 200_000
    /// Whether links that lead out of the folder are followed, `false` by default. Those to files inside always are; a linked
    /// folder inside is listed in its own place only, so that no picture comes twice and no link leads round in a circle.
    public var followsLinks = false
    /// Files and folders that are left out, none by default.
    public var excludes = ExcludePatterns()
    /// Whether changes of the folder appear by themselves, `true` by default.
    public var watches = true
    /// How long changes are collected before they appear, in milliseconds, `0 ... 60,000`, 200 by default.
    public var settleTime = 200
    /// How often the folder itself is looked at, to see it go and come back, in milliseconds, `10 ... 60,000`, 1,000 by
    /// default.
    public var lookInterval = 1_000
    /// In what time all folders are looked at, a few with each look, for changes of which no notice comes, such as another
    /// machine's on a network drive: milliseconds, `10 ... 86,400,000`, 600,000 by default.
    public var roundTime = 600_000
    /// When a listing under way first shows what it has found, in milliseconds, `0 ... 60,000`, 250 by default; then it
    /// shows more, ever more seldom.
    public var publishInterval = 250

    public init() {}

    /// The same with times inside their bounds.
    var clamped: FolderOptions {
        var options = self
        options.settleTime = min(max(settleTime, 0), 60_000)
        options.lookInterval = min(max(lookInterval, 10), 60_000)
        options.roundTime = min(max(roundTime, 10), 86_400_000)
        options.publishInterval = min(max(publishInterval, 0), 60_000)
        return options
    }

    /// A change before this time counts as finished even if no notice of it came, in nanoseconds since 1970. A file that is being
    /// written gets up to a minute to become whole.
    var settledBefore: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.nanoseconds - Int64(min(roundTime, 60_000)) * 1_000_000
    }
}

/// Why a folder cannot be shown.
public struct FolderError: Error, Sendable, Equatable, CustomStringConvertible {
    public let path: String
    /// The system's error number.
    public let code: Int32
    public let reason: String

    public var description: String { "\(path): \(reason)" }
}
