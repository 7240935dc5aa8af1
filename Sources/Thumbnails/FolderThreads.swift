import Media
import Synchronization
import Threads

/// Threads for work that may read files. Each folder has its own threads, so a folder that does not respond, for example on a network
/// drive, delays and refuses only its own work.
package final class FolderThreads: Sendable {
    /// Maximum number of folders with their own threads. Further folders share one set of threads.
    private static let maximum = 32

    private struct State {
        /// Threads by folder path. The shared threads have an empty path.
        var threads: [String: BlockingThreads] = [:]
        var isStopped = false
    }

    /// Threads for work that reads no gallery folder.
    package let common: BlockingThreads
    private let patience: Duration
    private let make: @Sendable () -> BlockingThreads
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: Maximum duration of one piece of work in a folder.
    ///   - count: Number of threads for each folder. For the other parameters see ``BlockingThreads/init(_:count:limit:niceness:)``.
    package init(_ name: String, patience: Duration, count: Int, limit: Int, niceness: Int32 = 0) {
        self.patience = patience
        make = { BlockingThreads(name, count: count, limit: limit, niceness: niceness) }
        common = make()
    }

    package func threads(for root: FolderRoot?) -> BlockingThreads {
        guard let root else { return common }
        return state.withLock { state in
            if state.isStopped { return common }
            if let threads = state.threads[root.path] { return threads }
            let path = state.threads.count < Self.maximum ? root.path : ""
            let threads = state.threads[path] ?? make()
            state.threads[path] = threads
            return threads
        }
    }

    /// Runs `work` on the threads of the folder that it reads, or on the common threads if it reads none.
    func run<Value: Sendable>(
        in root: FolderRoot?, _ work: @escaping @Sendable () throws(ItemFailure) -> Value
    ) async throws(ItemFailure) -> Value {
        let result: Result<Value, ItemFailure>
        do throws(BlockingThreads.Refusal) {
            result = try await threads(for: root).run { Result(catching: work) }
        } catch {
            switch error {
            case .hangs:
                throw root.map(ItemFailure.notResponding)
                    ?? ItemFailure(reason: "reading takes too long", retryable: true)
            case .noThread: throw ItemFailure(reason: "the system cannot start more threads", retryable: true)
            case .busy: throw ItemFailure(reason: "too many files are being read", retryable: true)
            case .cancelled, .shutDown: throw ItemFailure(reason: "the server is stopping", retryable: true)
            }
        }
        return try result.get()
    }

    /// Refuses work that takes too long, and all work that waits for a folder that does not respond.
    func giveUp(at now: ContinuousClock.Instant) {
        for threads in state.withLock({ Array($0.threads.values) }) { threads.giveUp(at: now, patience: patience) }
    }

    package func shutdown() {
        let threads = state.withLock { state in
            state.isStopped = true
            return Array(state.threads.values)
        }
        for threads in threads + [common] { threads.shutdown() }
    }
}

extension FolderRoot {
    /// The folder's own name without its path, for people who need not know its location.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Seconds after which a request to a folder that did not respond may be retried.
    package static let retryAfter = 10
}
