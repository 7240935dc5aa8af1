/// Iterates over the boxes of an ISO base media file (ISO/IEC 14496-12, 4.2).
struct Boxes {
    struct Box {
        var type: String
        /// Position of the type's four bytes.
        var typePlace: Range<Int>
        /// Position of the contents. Shorter than the box says if the bytes end early.
        var data: Range<Int>
        var isWhole: Bool
    }

    private let bytes: [UInt8]
    private var reader: ByteReader
    /// Whether the bytes end before the last box does.
    private(set) var endsEarly = false

    init(_ bytes: [UInt8], _ range: Range<Int>? = nil) {
        self.bytes = bytes
        reader = ByteReader(bytes, range: range)
    }

    mutating func next() -> Box? {
        let start = reader.offset
        guard reader.remaining > 0 else { return nil }
        guard var length = reader.number(4, bigEndian: true), let type = reader.tag() else {
            endsEarly = true
            return nil
        }
        var header = 8
        if length == 1 {
            guard let high = reader.number(4, bigEndian: true), let low = reader.number(4, bigEndian: true),
                high < 1 << 31
            else { return nil }
            length = high << 32 | low
            header = 16
        } else if length == 0 {
            // A length of 0 means that the box extends to the end.
            length = reader.end - start
        }
        guard length >= header else { return nil }
        let isWhole = length - header <= reader.remaining
        endsEarly = !isWhole
        guard let data = reader.range(min(length - header, reader.remaining)) else { return nil }
        return Box(type: type, typePlace: start + 4..<start + 8, data: data, isWhole: isWhole)
    }
}
