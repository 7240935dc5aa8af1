import Pipeline

/// How thumbnails are written.
public enum StoreSettings {
    private static let standard = StoreConfiguration()

    public static let batchCount = Setting(
        "write-batch", "Thumbnails written together", unit: "thumbnails", default: standard.batchCount, in: 1...100_000)
    public static let batchDelay = Setting(
        "write-delay", "How long a thumbnail waits for others to be written with it", unit: "ms",
        default: standard.batchDelay, in: 0...600_000)
    public static let maxPendingBytes = Setting(
        "max-unwritten", "Thumbnails that may wait to be written; beyond that the oldest are not", unit: "bytes",
        default: standard.maxPendingBytes, in: 0...(16 << 30))
    public static let busyTimeout = Setting(
        "store-timeout", "How long another process may hold the store", unit: "ms", default: standard.busyTimeout,
        in: 0...600_000)
    public static let retryAfter = Setting(
        "store-rest", "How long nothing is written after a write failed", unit: "seconds", default: standard.retryAfter,
        in: 0...86_400)
}
