import Glibc
import Media
import Synchronization
import Threads

/// Stores thumbnails: the most recently used in memory, and as many as fit in a file that survives restarts.
///
/// A saved thumbnail can be read immediately. A separate thread writes it soon after, together with others. No method throws: if the disk
/// fails, the store continues in memory and warns once.
public final class ThumbnailStore: Sendable {
    private struct State {
        var cache: MemoryCache
        var pending = PendingWrites()
        var isScheduled = false
        var isClosed = false
        var pausedUntil: Int64 = 0
        var reported: Set<String> = []
        var statistics = StoreStatistics()
        var file: ThumbnailFile?
    }

    private let configuration: StoreConfiguration
    private let folder: StoreFolder?
    private let warn: @Sendable (StoreWarning) -> Void
    private let state: Mutex<State>
    private let reader: StoreReader
    private let writer = BlockingThreads("store-writer", count: 1, limit: 0, niceness: Niceness.pool)
    private let timers = TimerThread()
    /// A use is recorded if the last record is older than this, in seconds. The order of use only needs to be roughly right.
    private static let useGranularity: Int64 = 60
    /// Number of recorded uses that cause a write even without new thumbnails.
    private static let manyNotes = 512

    /// Opens the store. Never fails.
    ///
    /// - Parameter warn: called from any thread with problems for the operator. Each problem is reported once.
    public init(_ configuration: StoreConfiguration, warn: @escaping @Sendable (StoreWarning) -> Void = { _ in }) {
        let configuration = configuration.inRange
        self.configuration = configuration
        self.warn = warn
        folder = StoreFolder(configuration)
        reader = StoreReader(count: configuration.readers)
        state = Mutex(State(cache: MemoryCache(limit: configuration.memoryBytes)))
        open()
    }

    /// Returns a thumbnail from memory. Does not wait.
    public func memory(_ key: String) -> Thumbnail? {
        let (found, isDue) = state.withLock { memory(key, &$0) }
        if isDue { schedule(configuration.batchDelay) }
        return found
    }

    /// - Returns: the thumbnail, and whether recorded uses should be written.
    private func memory(_ key: String, _ state: inout State) -> (found: Thumbnail?, isDue: Bool) {
        if let (thumbnail, isNoteDue) = state.cache.value(key, now: now(), granularity: Self.useGranularity) {
            state.statistics.memoryHits += 1
            return (thumbnail, isNoteDue && note(use: key, &state))
        }
        let waiting = state.pending[key]
        if waiting != nil { state.statistics.memoryHits += 1 }
        return (waiting, false)
    }

    /// Returns a thumbnail from memory or from the file, or `nil` if there is none or if the task is cancelled.
    public func thumbnail(_ key: String) async -> Thumbnail? { await thumbnails([key])[key] }

    /// Returns the thumbnails that exist, from memory or from the file. Returns fewer if the task is cancelled.
    public func thumbnails(_ keys: [String]) async -> [String: Thumbnail] {
        var found: [String: Thumbnail] = [:]
        let (file, isDue) = state.withLock { state in
            var isDue = false
            for key in keys {
                let (thumbnail, isNoteDue) = memory(key, &state)
                found[key] = thumbnail
                isDue = isNoteDue || isDue
            }
            return (state.file, isDue)
        }
        if isDue { schedule(configuration.batchDelay) }
        let lacking = keys.filter { found[$0] == nil }
        guard !lacking.isEmpty else { return found }
        guard let file, !Task.isCancelled else { return miss(lacking.count, found) }
        let outcomes: [StoreReader.Outcome]
        do {
            outcomes = try await reader.read(lacking, in: file)
        } catch {
            return miss(lacking.count, found)
        }
        var read: [(key: String, thumbnail: Thumbnail, used: Int64)] = []
        for (key, outcome) in zip(lacking, outcomes) {
            switch outcome {
            case .success(let (thumbnail, used)?): read.append((key, thumbnail, used))
            case .success(nil): break
            case .failure(let error): failed(error, file, isWrite: false)
            }
        }
        for one in read { found[one.key] = one.thumbnail }
        let isWriteDue = state.withLock { [read] state in
            state.statistics.diskHits += read.count
            var isDue = false
            for one in read {
                state.cache.insert(one.thumbnail, for: one.key, now: now())
                // The file may contain any number.
                if one.used < now() - Self.useGranularity { isDue = note(use: one.key, &state) || isDue }
            }
            return isDue
        }
        if isWriteDue { schedule(configuration.batchDelay) }
        return miss(lacking.count - read.count, found)
    }

    /// Returns the placeholders of those contents (``StoreKey/identity(of:)``) that have a thumbnail of any size in the file. Cells show
    /// placeholders before their thumbnails. Reads the file, about ten microseconds for each content.
    public func placeholders(of contents: [String]) -> [String: Placeholder] {
        guard !contents.isEmpty, let file = state.withLock({ $0.file }) else { return [:] }
        do {
            return try file.placeholders(of: contents)
        } catch {
            failed(error, file, isWrite: false)
            return [:]
        }
    }

    /// Stores a thumbnail. It can be read immediately, and is written soon.
    public func save(_ thumbnail: Thumbnail, as key: String) {
        let delay: Int? = state.withLock { state in
            state.cache.insert(thumbnail, for: key, now: now())
            guard state.file != nil, !state.isClosed else { return nil }
            guard state.pausedUntil <= now() else {
                state.statistics.dropped += 1
                return nil
            }
            state.pending.add(thumbnail, as: key)
            while state.pending.bytes > configuration.maxPendingBytes, state.pending.dropOldest() {
                state.statistics.dropped += 1
            }
            let isFull = state.pending.count == configuration.batchCount
            if state.isScheduled, !isFull { return nil }
            state.isScheduled = true
            return isFull ? 0 : configuration.batchDelay
        }
        if let delay { schedule(delay) }
    }

    /// Waits until every thumbnail saved so far has been written or dropped.
    public func flush() async {
        await withCheckedContinuation { continuation in
            writer.start {
                self.writePending()
                continuation.resume()
            }
        }
    }

    /// Writes all pending thumbnails and closes the file. Thumbnails saved later stay in memory.
    public func close() async {
        state.withLock { $0.isClosed = true }
        await flush()
        let file = state.withLock { state in
            defer { state.file = nil }
            return state.file
        }
        file?.close()
    }

    public var statistics: StoreStatistics {
        state.withLock { state in
            var statistics = state.statistics
            statistics.memoryCount = state.cache.count
            statistics.memoryBytes = state.cache.bytes
            statistics.pendingCount = state.pending.count
            statistics.pendingBytes = state.pending.bytes
            statistics.hasDisk = state.file != nil
            return statistics
        }
    }

    // MARK: - The writer's thread

    private func schedule(_ delay: Int) {
        timers.call(after: .milliseconds(delay)) { [weak self] in
            self?.writer.start { [weak self] in self?.writePending() }
        }
    }

    private func writePending() {
        while true {
            let work: (file: ThumbnailFile, batch: PendingWrites.Batch)? = state.withLock { state in
                state.isScheduled = false
                guard let file = state.file else { return nil }
                let batch = state.pending.next(configuration.batchCount)
                return batch.isEmpty ? nil : (file, batch)
            }
            guard let (file, batch) = work else { return }
            do {
                var bytes = try file.write(batch, now: now())
                var deleted = 0
                if bytes > configuration.diskBytes { (deleted, bytes) = try file.trim(to: configuration.diskBytes) }
                state.withLock { [bytes, deleted] state in
                    state.pending.finish(batch)
                    state.statistics.written += batch.thumbnails.count
                    state.statistics.evicted += deleted
                    state.statistics.diskBytes = bytes
                }
            } catch {
                // The other writes would probably fail too, each perhaps after a wait. All these thumbnails are in memory anyway.
                state.withLock { state in
                    state.pending.finish(batch)
                    state.statistics.dropped += batch.thumbnails.count
                    while state.pending.dropOldest() { state.statistics.dropped += 1 }
                }
                return failed(error, file, isWrite: true)
            }
        }
    }

    // MARK: - When the disk fails

    private func open(instead damaged: ThumbnailFile? = nil) {
        guard let folder else { return }
        do {
            let file = try folder.open(instead: damaged, warn: warn)
            let (evicted, bytes) = try file.trim(to: configuration.diskBytes)
            try file.shrink(to: configuration.diskBytes)
            state.withLock { state in
                state.file = file
                state.statistics.evicted += evicted
                state.statistics.diskBytes = bytes
            }
        } catch {
            state.withLock { $0.file = nil }
            report(.memoryOnly(path: folder.path, reason: DatabaseFile.reason(error)), once: "memoryOnly")
        }
    }

    private func failed(_ error: any Error, _ file: ThumbnailFile, isWrite: Bool) {
        guard let folder else { return }
        if DatabaseFile.distrust(error) != nil {
            // Damage is found when a damaged page is read. The first thread that finds it opens a new file.
            let isFirst = state.withLock { state in
                guard state.file?.pool === file.pool else { return false }
                state.file = nil
                return true
            }
            guard isFirst else { return }
            writer.start { [weak self] in self?.open(instead: file) }
        } else if isWrite {
            state.withLock { $0.pausedUntil = now() + Int64(configuration.retryAfter) }
            report(.notWriting(path: folder.path, reason: DatabaseFile.reason(error)), once: "notWriting")
        } else {
            report(.notReading(path: folder.path, reason: DatabaseFile.reason(error)), once: "notReading")
        }
    }

    private func report(_ warning: StoreWarning, once name: String) {
        if state.withLock({ $0.reported.insert(name).inserted }) { warn(warning) }
    }

    private func miss(_ count: Int, _ found: [String: Thumbnail]) -> [String: Thumbnail] {
        if count > 0 { state.withLock { $0.statistics.misses += count } }
        return found
    }

    /// Records a use, to be written with the next batch. Returns `true` if there are so many uses that a write is due.
    private func note(use key: String, _ state: inout State) -> Bool {
        guard state.file != nil, !state.isClosed else { return false }
        state.pending.use(key)
        guard state.pending.notes >= Self.manyNotes, !state.isScheduled else { return false }
        state.isScheduled = true
        return true
    }

    private func now() -> Int64 { Int64(time(nil)) }
}
