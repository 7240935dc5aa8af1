import Glibc

/// How a folder is read, and how folders and list files are watched.
public struct FolderOptions: Sendable, Equatable {
    /// Maximum depth of subfolders, 32 by default. 0 means only the folder itself.
    public var maxDepth = 32
    /// Maximum number of pictures in one catalogue, 5,000,000 by default. More pictures are left out and counted.
    public var maxItems = 5_000_000
    /// Maximum number of folders in one catalogue, 200,000 by default. More folders are left out and counted.
    public var maxFolders = 200_000
    /// Whether links that lead out of the folder are followed, `false` by default. Links to files inside are always followed. A folder
    /// inside is listed only in its own place, not where links lead to it. So no picture appears twice, and no link leads in a circle.
    public var followsLinks = false
    /// Files and folders to leave out, none by default.
    public var excludes = ExcludePatterns()
    /// Whether changes of the folder appear automatically, `true` by default.
    public var watches = true
    /// How long changes are collected before they appear. In milliseconds, `0 ... 60,000`, 200 by default.
    public var settleTime = 200
    /// Interval of the checks whether the folder itself is gone or back. In milliseconds, `10 ... 60,000`, 1,000 by default.
    public var checkInterval = 1_000
    /// Time to check all folders once, a few with each check of the folder itself. Finds changes that the system does not report, such as
    /// changes by another machine on a network drive. In milliseconds, `10 ... 86,400,000`, 600,000 by default.
    public var roundTime = 600_000
    /// Time until a running listing first shows its pictures. In milliseconds, `0 ... 60,000`, 250 by default. Later updates are ever less
    /// frequent.
    public var publishInterval = 250

    public init() {}

    /// The same options with all times clamped to their ranges.
    var clamped: FolderOptions {
        var options = self
        options.settleTime = min(max(settleTime, 0), 60_000)
        options.checkInterval = min(max(checkInterval, 10), 60_000)
        options.roundTime = min(max(roundTime, 10), 86_400_000)
        options.publishInterval = min(max(publishInterval, 0), 60_000)
        return options
    }

    /// A change before this time counts as finished even if the system did not report it. In nanoseconds since 1970. A file that is being
    /// written has up to a minute to become complete.
    var settledBefore: Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return now.nanoseconds - Int64(min(roundTime, 60_000)) * 1_000_000
    }
}

/// The reason why a folder cannot be shown.
public struct FolderError: Error, Sendable, Equatable, CustomStringConvertible {
    public let path: String
    /// The system's error number.
    public let code: Int32
    public let reason: String

    public var description: String { "\(path): \(reason)" }
}
