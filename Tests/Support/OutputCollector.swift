import Foundation
import Glibc
import Synchronization

/// Reads a descriptor to its end, so that the writer never blocks.
///
/// Under `.ci/test` it also stores the output in a file, named after the time in ms, so that a failure can quote it.
final class OutputCollector: Sendable {
    /// Maximum number of stored bytes. Further bytes are read and dropped.
    private static let limit = 1 << 20

    private let bytes = Mutex<[UInt8]>([])
    private let ended = DispatchGroup()

    /// - Parameter writer: name of the writing program, for the file's name.
    init(_ descriptor: Int32, of writer: String) {
        ended.enter()
        let now = Int(Date().timeIntervalSince1970 * 1000)
        let path = ProcessInfo.processInfo.environment["LOOKAHEAD_TEST_OUTPUT"].map { "\($0)/\(now)-\(writer).err" }
        Thread.detachNewThread { [self] in
            var chunk = [UInt8](repeating: 0, count: 4096)
            var file: UnsafeMutablePointer<FILE>?
            while case let count = read(descriptor, &chunk, chunk.count), count > 0 {
                let isKept = bytes.withLock { bytes in
                    guard bytes.count < Self.limit else { return false }
                    bytes += chunk[..<count]
                    return true
                }
                guard isKept, let path else { continue }
                if file == nil { file = fopen(path, "ae") }
                guard let file else { continue }
                fwrite(chunk, 1, count, file)
                fflush(file)
            }
            if let file { fclose(file) }
            close(descriptor)
            ended.leave()
        }
    }

    func text() -> String {
        ended.wait()
        return String(decoding: bytes.withLock { $0 }, as: UTF8.self)
    }
}
