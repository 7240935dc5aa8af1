import DequeModule
import Media

/// Pending writes of the store: thumbnails in the order in which they were added, and uses of thumbnails.
struct PendingWrites {
    struct Batch {
        var thumbnails: [(key: String, thumbnail: Thumbnail)] = []
        var used: [String] = []

        var isEmpty: Bool { thumbnails.isEmpty && used.isEmpty }
    }

    /// Maximum number of pending uses. More are dropped, because they matter little.
    private static let maxNotes = 16_384

    /// Both waiting thumbnails and those being written, so that all can be read.
    private var thumbnails: [String: Thumbnail] = [:]
    /// Keys of waiting thumbnails, oldest first. May include keys that no longer wait.
    private var order = Deque<String>()
    private var waiting: Set<String> = []
    private var used: Set<String> = []
    private(set) var bytes = 0

    var count: Int { waiting.count }
    /// Number of pending uses.
    var notes: Int { used.count }

    subscript(key: String) -> Thumbnail? { thumbnails[key] }

    mutating func add(_ thumbnail: Thumbnail, as key: String) {
        forget(key)
        thumbnails[key] = thumbnail
        bytes += MemoryCache.cost(thumbnail, key)
        if waiting.insert(key).inserted { order.append(key) }
        used.remove(key)
    }

    mutating func use(_ key: String) {
        if used.count < Self.maxNotes, thumbnails[key] == nil { used.insert(key) }
    }

    /// Drops the thumbnail that has waited longest. Returns `false` if none is waiting.
    mutating func dropOldest() -> Bool {
        while let key = order.popFirst() {
            guard waiting.remove(key) != nil else { continue }
            forget(key)
            return true
        }
        return false
    }

    /// Removes the next thumbnails to write from the queue. They can be read until ``finish(_:)``.
    mutating func next(_ limit: Int) -> Batch {
        var batch = Batch()
        while batch.thumbnails.count < limit, let key = order.popFirst() {
            if waiting.remove(key) != nil, let thumbnail = thumbnails[key] { batch.thumbnails.append((key, thumbnail)) }
        }
        batch.used = Array(used)
        used.removeAll(keepingCapacity: true)
        return batch
    }

    /// Removes a batch that was written or lost. A thumbnail that was saved again in the meantime still waits.
    mutating func finish(_ batch: Batch) {
        for (key, _) in batch.thumbnails where !waiting.contains(key) { forget(key) }
    }

    private mutating func forget(_ key: String) {
        if let old = thumbnails.removeValue(forKey: key) { bytes -= MemoryCache.cost(old, key) }
    }
}
