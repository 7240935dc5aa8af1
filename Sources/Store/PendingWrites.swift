import DequeModule
import Pictures

/// Pending writes of the store: thumbnails in the order they came, and notes of use.
struct PendingWrites {
    struct Batch {
        var thumbnails: [(key: String, thumbnail: Thumbnail)] = []
        var used: [String] = []

        var isEmpty: Bool { thumbnails.isEmpty && used.isEmpty }
    }

    /// Notes of use that may wait; more are forgotten, they matter little.
    private static let maxNotes = 16_384

    /// Both those that wait and those being written, so that they can be read all the time.
    private var thumbnails: [String: Thumbnail] = [:]
    /// Those that wait, oldest first; a key may be gone already.
    private var order = Deque<String>()
    private var waiting: Set<String> = []
    private var used: Set<String> = []
    private(set) var bytes = 0

    /// Thumbnails that wait.
    var count: Int { waiting.count }
    /// Notes of use that wait.
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

    /// Gives up the thumbnail that has waited longest; `false` when none waits.
    mutating func dropOldest() -> Bool {
        while let key = order.popFirst() {
            guard waiting.remove(key) != nil else { continue }
            forget(key)
            return true
        }
        return false
    }

    /// Takes the next thumbnails to be written. They can be read until ``finish(_:)``.
    mutating func next(_ limit: Int) -> Batch {
        var batch = Batch()
        while batch.thumbnails.count < limit, let key = order.popFirst() {
            if waiting.remove(key) != nil, let thumbnail = thumbnails[key] { batch.thumbnails.append((key, thumbnail)) }
        }
        batch.used = Array(used)
        used.removeAll(keepingCapacity: true)
        return batch
    }

    /// The batch is written, or lost. A thumbnail that was saved again meanwhile still waits.
    mutating func finish(_ batch: Batch) {
        for (key, _) in batch.thumbnails where !waiting.contains(key) { forget(key) }
    }

    private mutating func forget(_ key: String) {
        if let old = thumbnails.removeValue(forKey: key) { bytes -= MemoryCache.cost(old, key) }
    }
}
