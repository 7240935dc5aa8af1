import Glibc

/// A file that is read piece by piece: what is in memory, or open.
package struct FilePieces {
    /// Bytes in all.
    package let count: Int
    private let source: Source
    private let reads = Reads()

    /// Reads of one file, at most: no file can lead its reader through more pieces, chunks or boxes. Those of cameras and
    /// editors take a hundred.
    static let mostReads = 4_096

    /// Counts the reads, also those of copies.
    private final class Reads { var left = FilePieces.mostReads }

    private enum Source {
        case memory([UInt8])
        /// The bytes in memory of a file that lacks some.
        case parts([UInt8], gap: Range<Int>)
        case descriptor(Int32)
    }

    package init(_ bytes: [UInt8]) {
        count = bytes.count
        source = .memory(bytes)
    }

    /// - Parameters:
    ///   - bytes: those before and behind the gap.
    ///   - gap: which bytes of the file are missing.
    package init(_ bytes: [UInt8], gap: Range<Int>) {
        count = bytes.count + gap.count
        source = .parts(bytes, gap: gap)
    }

    /// Longest file that is read, in bytes. File systems report any size; sums of places in a file never overflow this way.
    private static let longest = 1 << 60

    /// - Parameter descriptor: of a regular file, the caller's to close; its offset stays where it is.
    package init(descriptor: Int32, count: Int) {
        self.count = min(max(count, 0), Self.longest)
        source = .descriptor(descriptor)
    }

    /// Reads `length` bytes: fewer at the end of the file or before the gap, none after ``mostReads`` reads.
    package func bytes(at offset: Int, _ length: Int) -> [UInt8] {
        guard offset >= 0, length > 0, offset < count, reads.left > 0 else { return [] }
        reads.left -= 1
        let length = min(length, count - offset)
        switch source {
        case .memory(let bytes): return Array(bytes[offset..<offset + length])
        case .parts(let bytes, let gap):
            if gap.contains(offset) { return [] }
            let end = offset < gap.lowerBound ? min(offset + length, gap.lowerBound) : offset + length
            let missing = offset < gap.lowerBound ? 0 : gap.count
            return Array(bytes[offset - missing..<end - missing])
        case .descriptor(let descriptor):
            return [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
                while filled < length, let base = buffer.baseAddress {
                    let got = pread(descriptor, base + filled, length - filled, off_t(offset + filled))
                    if got < 0, errno == EINTR { continue }
                    if got <= 0 { break }
                    filled += got
                }
            }
        }
    }
}
