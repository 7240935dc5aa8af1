import Glibc
import Pictures
import Synchronization
import Threads

/// Thumbnails kept: in memory the last ones, in a file as many as fit, across restarts.
///
/// A saved thumbnail can be read at once; it is written soon after, together with others, by a thread of its own. Nothing
/// here throws: where the disk fails, the store goes on in memory, and says so once.
public final class ThumbnailStore: Sendable {
    private struct State {
        var cache: MemoryCache
        var pending = PendingWrites()
        var isScheduled = false
        var isClosed = false
        var pausedUntil: Int64 = 0
        var told: Set<String> = []
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
    /// Uses are noted when the last note is older than this, in seconds: the order of use needs to be right by and large.
    private static let useGranularity: Int64 = 60
    /// Notes of use that are worth a write of their own.
    private static let manyNotes = 512

    /// Opens the store; never fails.
    ///
    /// - Parameter warn: told, from any thread, what the operator should know; each thing once.
    public init(_ configuration: StoreConfiguration, warn: @escaping @Sendable (StoreWarning) -> Void = { _ in }) {
        let configuration = configuration.inRange
        self.configuration = configuration
        self.warn = warn
        folder = StoreFolder(configuration)
        reader = StoreReader(count: configuration.readers)
        state = Mutex(State(cache: MemoryCache(limit: configuration.memoryBytes)))
        open()
    }

    /// A thumbnail that is in memory; does not wait.
    public func memory(_ key: String) -> Thumbnail? {
        let (found, isDue) = state.withLock { memory(key, &$0) }
        if isDue { schedule(configuration.batchDelay) }
        return found
    }

    /// - Returns: the thumbnail, and whether a note of its use is to be written.
    private func memory(_ key: String, _ state: inout State) -> (found: Thumbnail?, isDue: Bool) {
        if let (thumbnail, isNoteDue) = state.cache.value(key, now: now(), granularity: Self.useGranularity) {
            state.statistics.memoryHits += 1
            return (thumbnail, isNoteDue && note(use: key, &state))
        }
        let waiting = state.pending[key]
        if waiting != nil { state.statistics.memoryHits += 1 }
        return (waiting, false)
    }

    /// A thumbnail, from memory or from the file; `nil` when there is none, or when the task is cancelled.
    public func thumbnail(_ key: String) async -> Thumbnail? { await thumbnails([key])[key] }

    /// Those of these thumbnails that there are, from memory or from the file; when the task is cancelled, fewer.
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
                // The file may hold any number.
                if one.used < now() - Self.useGranularity { isDue = note(use: one.key, &state) || isDue }
            }
            return isDue
        }
        if isWriteDue { schedule(configuration.batchDelay) }
        return miss(lacking.count - read.count, found)
    }

    /// The placeholders of these contents (``StoreKey/identity(of:)``) of which a thumbnail in any size is in the
    /// file: what a cell shows before its thumbnail. Reads the file, about ten microseconds each.
    public func placeholders(of contents: [String]) -> [String: Placeholder] {
        guard !contents.isEmpty, let file = state.withLock({ $0.file }) else { return [:] }
        do {
            return try file.placeholders(of: contents)
        } catch {
            failed(error, file, isWrite: false)
            return [:]
        }
    }

    /// Keeps a thumbnail; it can be read at once, and is written soon.
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

    /// Waits until everything saved so far is in the file, or was given up.
    public func flush() async {
        await withCheckedContinuation { continuation in
            writer.start {
                self.writePending()
                continuation.resume()
            }
        }
    }

    /// Writes what waits and lets go of the file. What is saved later stays in memory.
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
                // The rest would fail as well, each after a wait perhaps; all of it is in memory anyway.
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
            tell(.memoryOnly(path: folder.path, reason: DatabaseFile.reason(error)), once: "memoryOnly")
        }
    }

    /// Decides what to do about a read or a write that failed.
    private func failed(_ error: any Error, _ file: ThumbnailFile, isWrite: Bool) {
        guard let folder else { return }
        if DatabaseFile.distrust(error) != nil {
            // Damage shows when a damaged page is read. The first thread to see it begins a new file.
            let isFirst = state.withLock { state in
                guard state.file?.pool === file.pool else { return false }
                state.file = nil
                return true
            }
            guard isFirst else { return }
            writer.start { [weak self] in self?.open(instead: file) }
        } else if isWrite {
            state.withLock { $0.pausedUntil = now() + Int64(configuration.retryAfter) }
            tell(.notWriting(path: folder.path, reason: DatabaseFile.reason(error)), once: "notWriting")
        } else {
            tell(.notReading(path: folder.path, reason: DatabaseFile.reason(error)), once: "notReading")
        }
    }

    private func tell(_ warning: StoreWarning, once name: String) {
        if state.withLock({ $0.told.insert(name).inserted }) { warn(warning) }
    }

    private func miss(_ count: Int, _ found: [String: Thumbnail]) -> [String: Thumbnail] {
        if count > 0 { state.withLock { $0.statistics.misses += count } }
        return found
    }

    /// Remembers a use to be written with the next batch; `true` when there are so many that one is due.
    private func note(use key: String, _ state: inout State) -> Bool {
        guard state.file != nil, !state.isClosed else { return false }
        state.pending.use(key)
        guard state.pending.notes >= Self.manyNotes, !state.isScheduled else { return false }
        state.isScheduled = true
        return true
    }

    private func now() -> Int64 { Int64(time(nil)) }
}
