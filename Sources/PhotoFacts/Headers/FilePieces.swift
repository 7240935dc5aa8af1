import Glibc

/// A file that is read piece by piece, from memory or from an open descriptor.
package struct FilePieces {
    /// Total length in bytes.
    package let count: Int
    private let source: Source
    private let reads = Reads()

    /// Maximum number of reads of one file. The limit bounds how many pieces, chunks or boxes a file can make its reader visit. Files of
    /// cameras and editors need about a hundred reads.
    static let maximumReads = 4_096

    /// Counts the reads. Copies share the count.
    private final class Reads { var left = FilePieces.maximumReads }

    private enum Source {
        case memory([UInt8])
        /// The bytes in memory of a file with a missing range.
        case parts([UInt8], gap: Range<Int>)
        case descriptor(Int32)
    }

    package init(_ bytes: [UInt8]) {
        count = bytes.count
        source = .memory(bytes)
    }

    /// - Parameter bytes: the bytes before and after the gap.
    package init(_ bytes: [UInt8], gap: Range<Int>) {
        count = bytes.count + gap.count
        source = .parts(bytes, gap: gap)
    }

    /// Longest length that is accepted, in bytes. File systems may report any size. The limit keeps sums of offsets in a file from
    /// overflowing.
    private static let longest = 1 << 60

    /// - Parameter descriptor: descriptor of a regular file. The caller closes it. Its offset does not change.
    package init(descriptor: Int32, count: Int) {
        self.count = min(max(count, 0), Self.longest)
        source = .descriptor(descriptor)
    }

    /// Reads `length` bytes. Returns fewer at the end of the file or before the gap, and none after ``maximumReads`` reads.
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
