import CArchive
import Synchronization

/// A ZIP archive as it is written, entry by entry: each call returns the bytes that are to be sent then.
final class ZipStream: Sendable {
    /// There is no memory, or an entry has more or less data than was said.
    struct Failure: Error {}

    /// Freed with the last reference, so no call is using it.
    private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }

    /// The lock lets one thread at a time use it.
    private let zip: Mutex<Handle>

    init() throws(Failure) {
        guard let pointer = zip_stream_open() else { throw Failure() }
        zip = Mutex(Handle(pointer: pointer))
    }

    deinit { zip.withLock { zip_stream_free($0.pointer) } }

    /// Begins an entry.
    ///
    /// - Parameters:
    ///   - size: bytes of its data.
    ///   - modified: seconds since 1970.
    func begin(_ name: String, size: Int, modified: Int64) throws(Failure) -> [UInt8] {
        try written { zip_stream_begin($0, name, Int64(size), modified) }
    }

    /// More of its data.
    func write(_ bytes: [UInt8]) throws(Failure) -> [UInt8] {
        try written { zip in bytes.withUnsafeBytes { zip_stream_write(zip, $0.baseAddress, $0.count) } }
    }

    /// The end of the archive.
    func end() throws(Failure) -> [UInt8] { try written { zip_stream_end($0) } }

    private func written(_ write: (OpaquePointer) -> Int32) throws(Failure) -> [UInt8] {
        let bytes: [UInt8]? = zip.withLock { zip in
            guard write(zip.pointer) == 0 else { return nil }
            var count = 0
            let bytes = zip_stream_take(zip.pointer, &count)
            return Array(UnsafeBufferPointer(start: bytes, count: count))
        }
        guard let bytes else { throw Failure() }
        return bytes
    }
}
