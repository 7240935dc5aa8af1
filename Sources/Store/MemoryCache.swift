import BoundedCache
import Pictures

/// The thumbnails in memory, bounded in bytes: the least recently used goes first.
struct MemoryCache {
    private struct Entry {
        var thumbnail: Thumbnail
        /// When its use was last noted, in seconds.
        var noted: Int64
    }

    /// The overhead of an entry: slot, dictionary entry and array headers, about.
    private static let overhead = 256

    private var entries: BoundedCache<String, Entry>

    init(limit: Int) { entries = BoundedCache(limit: limit) }

    var bytes: Int { entries.cost }
    var count: Int { entries.count }

    /// The thumbnail, now the most recently used.
    ///
    /// - Parameters:
    ///   - now: in seconds.
    ///   - granularity: for how many seconds one note of use is good.
    /// - Returns: and whether its use is to be noted.
    mutating func value(_ key: String, now: Int64, granularity: Int64) -> (thumbnail: Thumbnail, isNoteDue: Bool)? {
        guard var entry = entries.use(key) else { return nil }
        guard now - entry.noted > granularity else { return (entry.thumbnail, false) }
        entry.noted = now
        entries.replace(entry, for: key)
        return (entry.thumbnail, true)
    }

    mutating func insert(_ thumbnail: Thumbnail, for key: String, now: Int64) {
        entries.insert(Entry(thumbnail: thumbnail, noted: now), for: key, cost: Self.cost(thumbnail, key))
    }

    static func cost(_ thumbnail: Thumbnail, _ key: String) -> Int {
        thumbnail.bytes.count + thumbnail.small.count + thumbnail.thumbHash.count + key.utf8.count + overhead
    }
}
