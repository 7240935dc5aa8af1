import Glibc

/// A file that is read piece by piece, from memory, from an open descriptor, or by another process.
///
/// The file is untrusted. ``maximumSteps`` bounds the time that its readers can take together.
package struct FilePieces {
    /// Total length in bytes.
    package let count: Int
    private let source: Source
    private let steps: Steps

    /// Maximum number of steps of all readers of one file. A step visits a piece, chunk, box or entry of a table. After the last step the
    /// file seems to end. Files of cameras and editors need a few hundred steps, a HEIC of two thousand tiles about ten thousand.
    private static let maximumSteps = 65_536
    /// Steps for each read from disk or by another process, which takes longer than a step in memory.
    private static let stepsForRead = 16
    static var maximumReads: Int { maximumSteps / stepsForRead }

    /// Counts the steps. Copies share the count.
    private final class Steps { var left = FilePieces.maximumSteps }

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
    init(_ bytes: [UInt8], _ range: Range<Int>) { self.init(bytes, range, Steps()) }

    private init(_ bytes: [UInt8], _ range: Range<Int>, _ steps: Steps) {
        let range = range.clamped(to: bytes.indices)
        count = range.count
        source = .memory(bytes, range)
        self.steps = steps
    }

    /// Returns bytes of this file as a file, whose readers share the steps of this one.
    func part(_ bytes: [UInt8]) -> FilePieces { FilePieces(bytes, bytes.indices, steps) }

    /// Takes a step. Returns false after the last one.
    func step() -> Bool { take(1) }

    private func take(_ count: Int) -> Bool {
        guard steps.left >= count else { return false }
        steps.left -= count
        return true
    }

    /// - Parameter bytes: the bytes before and after the gap.
    package init(_ bytes: [UInt8], gap: Range<Int>) {
        count = bytes.count + gap.count
        source = .parts(bytes, gap: gap)
        steps = Steps()
    }

    /// Longest length that is accepted, in bytes. File systems may report any size. The limit keeps sums of offsets in a file from
    /// overflowing.
    private static let longest = 1 << 60

    /// - Parameter descriptor: descriptor of a regular file. The caller closes it. Its offset does not change.
    package init(descriptor: Int32, count: Int) {
        self.count = min(max(count, 0), Self.longest)
        source = .descriptor(descriptor)
        steps = Steps()
    }

    /// - Parameters:
    ///   - beginning: the file's first bytes.
    ///   - read: reads a range of the file. May return fewer bytes.
    package init(_ beginning: [UInt8], count: Int, read: @escaping (_ offset: Int, _ count: Int) -> [UInt8]) {
        self.count = min(max(count, beginning.count), Self.longest)
        source = .reader(beginning, read)
        steps = Steps()
    }

    /// Reads `length` bytes. Returns fewer at the end of the file or before the gap, and none after the last step.
    package func bytes(at offset: Int, _ length: Int) -> [UInt8] {
        guard offset >= 0, length > 0, offset < count, take(inMemory == nil ? Self.stepsForRead : 1) else { return [] }
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

    /// Returns a reader of `length` bytes, fewer at the end of the file, and none after the last step. A file in memory is not copied.
    func reader(at offset: Int, _ length: Int) -> ByteReader {
        guard case .memory(let bytes, let range) = source else { return ByteReader(self.bytes(at: offset, length)) }
        guard offset >= 0, length > 0, offset < count, step() else { return ByteReader([]) }
        let start = range.lowerBound + offset
        return ByteReader(bytes, range: start..<start + min(length, count - offset))
    }

    /// The bytes of a file in memory, and the position of the file in them.
    var inMemory: (bytes: [UInt8], range: Range<Int>)? {
        guard case .memory(let bytes, let range) = source else { return nil }
        return (bytes, range)
    }
}
