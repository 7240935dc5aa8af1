import Pictures

/// How much the thumbnail store keeps, and where.
public struct StoreConfiguration: Sendable, Equatable {
    /// The folder of `thumbnails.sqlite`; made when it is not there. `nil` keeps thumbnails in memory only.
    public var directory: String?
    /// Bytes of thumbnails in memory, 64 MiB by default; 0 keeps none.
    public var memoryBytes = 64 << 20
    /// Bytes in use in the file, 1 GiB by default, at least 1 MiB; the least recently used go first.
    public var diskBytes = 1 << 30
    /// Thumbnails written in one transaction, 64 by default, at least 1.
    public var batchCount = 64
    /// How long a thumbnail waits for others to be written with it, in milliseconds, 50 by default.
    public var batchDelay = 50
    /// Bytes that may wait to be written, 32 MiB by default. Beyond that the disk is too slow, and the oldest are not
    /// written.
    public var maxPendingBytes = 32 << 20
    /// How long another process on the same folder may hold the file, in milliseconds, 2,000 by default.
    public var busyTimeout = 2_000
    /// Reads at the same time, 4 by default, at least 1.
    public var readers = 4
    /// How long nothing is written after a write failed, in seconds, 30 by default.
    public var retryAfter = 30

    /// Pages the file may have, to try what a full disk does; `nil` for no limit.
    package var maxPages: Int?

    public init(directory: String? = nil, memoryBytes: Int = 64 << 20, diskBytes: Int = 1 << 30) {
        self.directory = directory
        self.memoryBytes = memoryBytes
        self.diskBytes = diskBytes
    }

    /// With every value brought into its range.
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

/// Something the operator should know about the store, which goes on without.
public enum StoreWarning: Sendable, Equatable, CustomStringConvertible {
    /// The file cannot be used at all; thumbnails are kept in memory.
    case memoryOnly(path: String, reason: String)
    /// Thumbnails cannot be written (a full disk, say); those in the file are still read, new ones stay in memory.
    case notWriting(path: String, reason: String)
    /// Thumbnails cannot be read; those in memory are.
    case notReading(path: String, reason: String)
    /// The file was damaged, or made by another version; it was renamed and a new one begun.
    case setAside(path: String, as: String, reason: String)

    public var description: String {
        switch self {
        case .memoryOnly(let path, let reason):
            "Thumbnails are kept in memory only and made again after a restart: \(path): \(reason)."
        case .notWriting(let path, let reason):
            "New thumbnails are kept in memory only for now: \(path): \(reason)."
        case .notReading(let path, let reason):
            "Stored thumbnails cannot be read and are made again: \(path): \(reason)."
        case .setAside(let path, let name, let reason):
            "\(path) \(reason); it was renamed to \(name) and a new store was created."
        }
    }
}

/// Counts of a store, for the metrics.
public struct StoreStatistics: Sendable, Equatable {
    /// Lookups answered from memory, from the file, and not at all.
    public var memoryHits = 0
    public var diskHits = 0
    public var misses = 0
    /// Thumbnails in memory, and their bytes.
    public var memoryCount = 0
    public var memoryBytes = 0
    /// Thumbnails and their bytes that wait to be written.
    public var pendingCount = 0
    public var pendingBytes = 0
    /// Thumbnails written to the file, and deleted from it to stay within its bound.
    public var written = 0
    public var evicted = 0
    /// Thumbnails never written: the disk was too slow or refused.
    public var dropped = 0
    /// Bytes in use in the file after the last write.
    public var diskBytes = 0
    /// Whether a file is in use.
    public var hasDisk = false

    public init() {}
}
