import Pictures
import Synchronization
import Threads

/// Looks up thumbnails in the file for tasks, on threads of its own: all that were asked for meanwhile in one transaction.
///
/// GRDB would give each look-up a transaction, a connection and a dispatch queue of its own. Hundreds of look-ups a second,
/// as scrolling makes them, woke a dozen threads for each other then, and kept the processors from the answers.
final class StoreReader: Sendable {
    typealias Outcome = Result<ThumbnailFile.Found?, any Error>

    private struct Lookup: Sendable {
        let id: UInt64
        let keys: [String]
        let file: ThumbnailFile
        let continuation: CheckedContinuation<Result<[Outcome], any Error>, Never>
    }

    private struct State {
        /// In the order they came. As many as there are tasks that wait, which their caller bounds.
        var waiting: [Lookup] = []
        var lastID: UInt64 = 0
        /// Threads that read.
        var reading = 0
    }

    /// Look-ups of one transaction. Where more wait, another thread takes them.
    private static let batch = 8

    private let threads: BlockingThreads
    private let count: Int
    private let state = Mutex(State())

    /// - Parameter count: threads, at least 1.
    init(count: Int) {
        self.count = count
        threads = BlockingThreads("store", count: count, limit: 0, niceness: Niceness.pool)
    }

    /// Reads thumbnails.
    ///
    /// - Returns: what came of each, in the same order.
    /// - Throws: `CancellationError` where the task is cancelled before its turn.
    func read(_ keys: [String], in file: ThumbnailFile) async throws -> [Outcome] {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                add(Lookup(id: id, keys: keys, file: file, continuation: continuation))
                // The handler may have run before there was anything to cancel.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
        return try outcome.get()
    }

    private func add(_ lookup: Lookup) {
        let starts = state.withLock { state in
            state.waiting.append(lookup)
            guard state.reading < count, state.waiting.count > state.reading * Self.batch else { return false }
            state.reading += 1
            return true
        }
        if starts { threads.start { [self] in readAll() } }
    }

    private func cancel(_ id: UInt64) {
        let lookup = state.withLock { state in
            state.waiting.firstIndex { $0.id == id }.map { state.waiting.remove(at: $0) }
        }
        lookup?.continuation.resume(returning: .failure(CancellationError()))
    }

    private func readAll() {
        while let (file, lookups) = next() {
            var outcomes = file.read(lookups.flatMap(\.keys))[...]
            for lookup in lookups {
                lookup.continuation.resume(returning: .success(Array(outcomes.prefix(lookup.keys.count))))
                outcomes = outcomes.dropFirst(lookup.keys.count)
            }
        }
    }

    /// The look-ups of the next transaction; `nil` where none waits, and the thread is done.
    private func next() -> (file: ThumbnailFile, lookups: [Lookup])? {
        state.withLock { state in
            guard let file = state.waiting.first?.file else {
                state.reading -= 1
                return nil
            }
            let lookups = Array(state.waiting.prefix(Self.batch).prefix { $0.file.pool === file.pool })
            state.waiting.removeFirst(lookups.count)
            return (file, lookups)
        }
    }
}
