import BoundedCache
import Media

/// The thumbnails in memory, limited in bytes. Evicts the least recently used ones first.
struct MemoryCache {
    private struct Entry {
        var thumbnail: Thumbnail
        /// Time when a use was last recorded, in seconds.
        var noted: Int64
    }

    /// Approximate overhead of an entry in bytes: slot, dictionary entry and array headers.
    private static let overhead = 256

    private var entries: BoundedCache<String, Entry>

    init(limit: Int) { entries = BoundedCache(limit: limit) }

    var bytes: Int { entries.cost }
    var count: Int { entries.count }

    /// Returns a thumbnail and makes it the most recently used.
    ///
    /// - Parameters:
    ///   - now: the current time in seconds.
    ///   - granularity: number of seconds during which no further use is recorded.
    /// - Returns: the thumbnail, and whether to record its use.
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
