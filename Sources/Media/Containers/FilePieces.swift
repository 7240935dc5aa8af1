import Glibc

/// A file that is read piece by piece, from memory, from an open descriptor, or by another process.
///
/// The file is untrusted. ``maximumReads`` bounds the time that its reader can take: a file on disk needs one read for each head of a
/// piece, chunk or box. A file in memory is walked without reads, and each step of a walk consumes bytes.
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
        case memory([UInt8], Range<Int>)
        /// The bytes in memory of a file with a missing range.
        case parts([UInt8], gap: Range<Int>)
        case descriptor(Int32)
        /// The first bytes, and a function that reads others.
        case reader([UInt8], (_ offset: Int, _ count: Int) -> [UInt8])
    }

    package init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

    /// A file inside another one. Offsets count from the start of the range.
    init(_ bytes: [UInt8], _ range: Range<Int>) {
        let range = range.clamped(to: bytes.indices)
        count = range.count
        source = .memory(bytes, range)
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

    /// - Parameters:
    ///   - beginning: the file's first bytes.
    ///   - read: reads a range of the file. May return fewer bytes.
    package init(_ beginning: [UInt8], count: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
        self.count = min(max(count, beginning.count), Self.longest)
        source = .reader(beginning, read)
    }

    /// Reads `length` bytes. Returns fewer at the end of the file or before the gap, and none after ``maximumReads`` reads.
    package func bytes(at offset: Int, _ length: Int) -> [UInt8] {
        guard offset >= 0, length > 0, offset < count, reads.left > 0 else { return [] }
        reads.left -= 1
        let length = min(length, count - offset)
        switch source {
        case .memory(let bytes, let range):
            return Array(bytes[range.lowerBound + offset..<range.lowerBound + offset + length])
        case .parts(let bytes, let gap):
            if gap.contains(offset) { return [] }
            let end = offset < gap.lowerBound ? min(offset + length, gap.lowerBound) : offset + length
            let missing = offset < gap.lowerBound ? 0 : gap.count
            return Array(bytes[offset - missing..<end - missing])
        case .reader(let beginning, let read):
            if offset + length <= beginning.count { return Array(beginning[offset..<offset + length]) }
            return Array(read(offset, length).prefix(length))
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

    /// Returns a reader of `length` bytes, fewer at the end of the file. A file in memory is not copied, and its reader does not count as
    /// a read.
    func reader(at offset: Int, _ length: Int) -> ByteReader {
        guard case .memory(let bytes, let range) = source else { return ByteReader(self.bytes(at: offset, length)) }
        guard offset >= 0, length > 0, offset < count else { return ByteReader([]) }
        let start = range.lowerBound + offset
        return ByteReader(bytes, range: start..<start + min(length, count - offset))
    }

    /// The bytes of a file in memory, and the position of the file in them.
    var inMemory: (bytes: [UInt8], range: Range<Int>)? {
        guard case .memory(let bytes, let range) = source else { return nil }
        return (bytes, range)
    }
}
