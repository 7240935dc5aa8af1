/// Iterates over the boxes of an ISO base media file (ISO/IEC 14496-12, 4.2), as in HEIF, QuickTime, MP4, CR3 and JPEG XL. Reads only their
/// heads. Every length is checked.
struct Boxes: Sequence, IteratorProtocol {
    struct Box {
        var type: FourCC
        /// Offset of the box's head.
        var start: Int
        /// Position of the contents. Shorter than the box states if the file ends early.
        var data: Range<Int>
        var isWhole: Bool
    }

    private let file: FilePieces
    private var place: Int
    private let end: Int
    /// Whether the file ends before the last box does.
    private(set) var endsEarly = false

    init(_ file: FilePieces, _ range: Range<Int>) {
        self.file = file
        (place, end) = (range.lowerBound, Swift.min(range.upperBound, file.count))
    }

    init(_ file: FilePieces) { self.init(file, 0..<file.count) }

    mutating func next() -> Box? {
        guard place < end else { return nil }
        let start = place, rest = end - place
        var reader = file.reader(at: place, Swift.min(16, rest))
        guard var length = reader.number(4, bigEndian: true), let type = reader.tag() else {
            endsEarly = true
            return nil
        }
        var head = 8
        if length == 1 {
            guard let long = reader.number(8, bigEndian: true) else { return nil }
            (length, head) = (long, 16)
        } else if length == 0 {
            // A length of 0 means that the box extends to the end.
            length = rest
        }
        guard length >= head, head <= rest else { return nil }
        let isWhole = length <= rest
        if !isWhole { endsEarly = true }
        place += Swift.min(length, rest)
        return Box(type: type, start: start, data: start + head..<place, isWhole: isWhole)
    }
}
