/// Iterates over the chunks of a PNG (W3C PNG, 5) or of a WebP, which is a RIFF file (RFC 9649). Reads only their heads. Every length is
/// checked.
package struct Chunks: Sequence, IteratorProtocol {
    package struct Chunk {
        package var type: FourCC
        /// Position of the contents. Shorter than the chunk states if the file ends early.
        package var data: Range<Int>
        /// Stated length of the contents.
        package var length: Int
        /// Position of the whole chunk: head, contents, and check sum or padding.
        package var range: Range<Int>
        /// Whether the file has all of the chunk.
        package var isWhole: Bool
    }

    private let file: FilePieces
    private let isPNG: Bool
    /// Offset of the next chunk.
    package private(set) var offset: Int

    package init(png file: FilePieces) { (self.file, isPNG, offset) = (file, true, 8) }

    package init(webp file: FilePieces) { (self.file, isPNG, offset) = (file, false, 12) }

    package mutating func next() -> Chunk? {
        var reader = file.reader(at: offset, 8)
        let start = offset, head = 8
        let type: FourCC?, length: Int?
        if isPNG {
            (length, type) = (reader.number(4, bigEndian: true), reader.tag())
        } else {
            (type, length) = (reader.tag(), reader.number(4, bigEndian: false))
        }
        guard let type, let length else { return nil }
        // A check sum follows the contents of a PNG's chunk. The contents of a WebP's chunk are padded to an even length.
        let tail = isPNG ? 4 : length % 2
        let rest = file.count - start - head
        offset = start + head + Swift.min(length + tail, rest)
        return Chunk(
            type: type, data: start + head..<start + head + Swift.min(length, rest), length: length,
            range: start..<offset,
            isWhole: length + tail <= rest)
    }
}
