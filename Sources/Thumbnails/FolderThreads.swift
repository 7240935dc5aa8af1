import Pictures
import Synchronization
import Threads

/// Threads for work that may look at files, for each folder its own: one that does not answer, as one of the network may,
/// holds up only what is in it, and for that alone work is refused then.
package final class FolderThreads: Sendable {
    /// Folders that have threads of their own; those beyond share theirs.
    private static let most = 32

    private struct State {
        /// By path; those that several share have none.
        var threads: [String: BlockingThreads] = [:]
        var isStopped = false
    }

    /// For what looks at no folder of a gallery.
    package let common: BlockingThreads
    private let patience: Duration
    private let make: @Sendable () -> BlockingThreads
    private let state = Mutex(State())

    /// - Parameters:
    ///   - patience: how long one thing in a folder may take.
    ///   - count: threads of each folder; the others as in ``BlockingThreads/init(_:count:limit:niceness:)``.
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
            let path = state.threads.count < Self.most ? root.path : ""
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
                throw root.map(ItemFailure.doesNotAnswer) ?? ItemFailure(reason: "it takes too long", retryable: true)
            case .noThread: throw ItemFailure(reason: "the system gives no more threads", retryable: true)
            case .busy: throw ItemFailure(reason: "too many files are being read", retryable: true)
            case .cancelled, .shutDown: throw ItemFailure(reason: "the server is stopping", retryable: true)
            }
        }
        return try result.get()
    }

    /// Refuses what takes too long, and all that waits for a folder that does not answer.
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
    /// The folder's own name, for those who need not know where it is.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// Seconds after which a folder that does not answer may be asked again.
    package static let retryAfter = 10
}
