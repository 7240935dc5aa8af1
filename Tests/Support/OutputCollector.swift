import Foundation
import Glibc
import Synchronization

/// Reads a descriptor to its end, so that its writer never waits.
final class OutputCollector: Sendable {
    /// Bytes kept; more is read and dropped.
    private static let limit = 1 << 20

    private let bytes = Mutex<[UInt8]>([])
    private let ended = DispatchGroup()

    init(_ descriptor: Int32) {
        ended.enter()
        Thread.detachNewThread { [self] in
            var chunk = [UInt8](repeating: 0, count: 4096)
            while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
                bytes.withLock { if $0.count < Self.limit { $0 += chunk[..<count] } }
            }
            close(descriptor)
            ended.leave()
        }
    }

    func text() -> String {
        ended.wait()
        return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    }
}
