import Media
import Synchronization
import Threads

/// Looks up thumbnails in the file for tasks, on its own threads. Look-ups that arrive during a read share the next transaction.
///
/// GRDB would use a separate transaction, connection and dispatch queue for each look-up. Scrolling causes hundreds of look-ups a second. A
/// dozen threads then woke each other, and delayed the responses.
final class StoreReader: Sendable {
    typealias Outcome = Result<ThumbnailFile.Found?, any Error>

    private struct Lookup: Sendable {
        let id: UInt64
        let keys: [String]
        let file: ThumbnailFile
        let outcomes: Promise<Result<[Outcome], any Error>>
    }

    private struct State {
        /// In order of arrival. Not limited here: the caller limits the number of waiting tasks.
        var waiting: [Lookup] = []
        var lastID: UInt64 = 0
        /// Number of reading threads.
        var reading = 0
    }

    /// Maximum number of look-ups in one transaction. If more are waiting, another thread reads them.
    private static let batch = 8

    private let threads: BlockingThreads
    private let count: Int
    private let state = Mutex(State())

    /// - Parameter count: number of threads, at least 1.
    init(count: Int) {
        self.count = count
        threads = BlockingThreads("store", count: count, limit: 0, niceness: Niceness.pool)
    }

    /// - Returns: the outcome for each key, in the same order.
    /// - Throws: `CancellationError` if the task is cancelled before its turn.
    func read(_ keys: [String], in file: ThumbnailFile) async throws -> [Outcome] {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let outcomes = Promise<Result<[Outcome], any Error>>()
        add(Lookup(id: id, keys: keys, file: file, outcomes: outcomes))
        return try await outcomes.value { cancel(id) }.get()
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
        lookup?.outcomes.resolve(.failure(CancellationError()))
    }

    private func readAll() {
        while let (file, lookups) = next() {
            var outcomes = file.read(lookups.flatMap(\.keys))[...]
            for lookup in lookups {
                lookup.outcomes.resolve(.success(Array(outcomes.prefix(lookup.keys.count))))
                outcomes = outcomes.dropFirst(lookup.keys.count)
            }
        }
    }

    /// Returns the look-ups of the next transaction. Returns `nil` if none is waiting and the thread must end.
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
