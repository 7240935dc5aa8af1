import Media

/// Limits and folder of the thumbnail store.
public struct StoreConfiguration: Sendable, Equatable {
    /// The folder of `thumbnails.sqlite`, created if missing. `nil` stores thumbnails only in memory.
    public var directory: String?
    /// Maximum bytes of thumbnails in memory. Default: 64 MiB. 0 stores none.
    public var memoryBytes = 64 << 20
    /// Maximum bytes in use in the file. Default: 1 GiB, at least 1 MiB. The least recently used thumbnails are evicted first.
    public var diskBytes = 1 << 30
    /// Number of thumbnails written in one transaction. Default: 64, at least 1.
    public var batchCount = 64
    /// Time that a thumbnail waits to be written together with others, in milliseconds. Default: 50.
    public var batchDelay = 50
    /// Maximum bytes that wait to be written. Default: 32 MiB. If the disk is too slow, the oldest thumbnails beyond that are not written.
    public var maxPendingBytes = 32 << 20
    /// Maximum wait while another process on the same folder locks the file, in milliseconds. Default: 2,000.
    public var busyTimeout = 2_000
    /// Maximum number of concurrent reads. Default: 4, at least 1.
    public var readers = 4
    /// Pause after a failed write, in seconds. Default: 30.
    public var retryAfter = 30

    /// Maximum number of pages of the file, to simulate a full disk. `nil` for no limit.
    package var maxPages: Int?

    public init(directory: String? = nil, memoryBytes: Int = 64 << 20, diskBytes: Int = 1 << 30) {
        self.directory = directory
        self.memoryBytes = memoryBytes
        self.diskBytes = diskBytes
    }

    /// A copy with every value clamped to its range.
    var inRange: StoreConfiguration {
        func clamp(_ value: Int, _ range: ClosedRange<Int>) -> Int {
            min(max(value, range.lowerBound), range.upperBound)
        }
        var result = self
        result.memoryBytes = clamp(memoryBytes, 0...1 << 48)
        result.diskBytes = clamp(diskBytes, 1 << 20...1 << 48)
        result.batchCount = clamp(batchCount, 1...1 << 20)
        result.batchDelay = clamp(batchDelay, 0...3_600_000)
        result.maxPendingBytes = clamp(maxPendingBytes, 0...1 << 48)
        result.busyTimeout = clamp(busyTimeout, 0...600_000)
        result.readers = clamp(readers, 1...64)
        result.retryAfter = clamp(retryAfter, 0...86_400)
        return result
    }
}

/// A problem of the store that the operator should know about. The store continues in memory.
public enum StoreWarning: Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be used. Thumbnails are stored in memory only.
    case memoryOnly(path: String, reason: String)
    /// Thumbnails cannot be written, for example because the disk is full. Stored thumbnails are still read, and new thumbnails stay
    /// in memory.
    case notWriting(path: String, reason: String)
    /// Thumbnails in the file cannot be read. Thumbnails in memory are still used.
    case notReading(path: String, reason: String)
    /// The file was damaged or from another version. It was renamed, and a new file was created.
    case setAside(path: String, as: String, reason: String)

    public var description: String {
        switch self {
        case .memoryOnly(let path, let reason):
            "Thumbnails are stored in memory only and rendered again after a restart: \(path): \(reason)."
        case .notWriting(let path, let reason):
            "New thumbnails are stored in memory only for now: \(path): \(reason)."
        case .notReading(let path, let reason):
            "Stored thumbnails cannot be read and are rendered again: \(path): \(reason)."
        case .setAside(let path, let name, let reason):
            "\(path) \(reason); it was renamed to \(name) and a new store was created."
        }
    }
}

/// Counters of a store, for the metrics.
public struct StoreStatistics: Sendable, Equatable {
    public var memoryHits = 0
    public var diskHits = 0
    public var misses = 0
    public var memoryCount = 0
    public var memoryBytes = 0
    /// Number of thumbnails that wait to be written.
    public var pendingCount = 0
    public var pendingBytes = 0
    public var written = 0
    /// Number of thumbnails deleted from the file to stay within its limit.
    public var evicted = 0
    /// Number of thumbnails never written, because the disk was too slow or failed.
    public var dropped = 0
    /// Bytes in use in the file after the last write.
    public var diskBytes = 0
    /// Whether a file is in use.
    public var hasDisk = false

    public init() {}
}
