import MicroHTTP
import Synchronization
import Threads

/// The archives that are being sent: how many they are, and the threads that read and write for them.
final class Archives: Sendable {
    /// Archives sent at once.
    static let most = 8

    private let count = Mutex(0)
    private let threads = BlockingThreads("archive", count: 2, limit: most, niceness: 10)

    /// Whether one more may begin.
    var hasRoom: Bool { count.withLock { $0 < Self.most } }

    /// Sends an archive on a stream, until its client leaves.
    func begin(on stream: ByteStream, _ send: @escaping @Sendable () async -> Void) {
        count.withLock { $0 += 1 }
        let task = Task {
            await send()
            count.withLock { $0 -= 1 }
        }
        stream.onClose { _ in task.cancel() }
    }

    /// Runs blocking file access on a thread that may block.
    func run(_ work: @escaping @Sendable () throws -> [UInt8]) async throws -> [UInt8] {
        try await threads.run { Result { try work() } }.get()
    }

    /// Reads nothing more.
    func shutdown() { threads.shutdown() }
}
