/// Reads the segments of a JPEG up to its frame: size, orientation, preview and metadata.
///
/// The file's first bytes usually contain everything. Otherwise ``nextPiece`` says which bytes are needed next: some programs write 140 kB
/// of other segments before EXIF.
///
/// The bytes are untrusted: every offset is checked, and no count is trusted.
public struct JPEGHead: Sendable, Equatable {
    /// Number of bytes at the file's start that contain the preview of nearly every camera's JPEG. EXIF comes first and has at most 64 kB.
    public static let length = 68 << 10
    /// Number of bytes in each further piece.
    public static let pieceLength = 4 << 10
    /// Maximum number of pieces to read up to the frame. Some files have half a megabyte of colour profiles and maker notes before the
    /// frame, others two megabytes of a picture's editing history.
    public static let maximumPieces = 40

    /// Width in pixels as stored, before ``orientation`` is applied. 0 until the frame has been read.
    public private(set) var width = 0
    /// Height in pixels as stored, before ``orientation`` is applied. 0 until the frame has been read.
    public private(set) var height = 0
    /// Orientation of the picture and of its preview.
    public private(set) var orientation = Orientation.up
    /// Position of the preview in the file, a complete JPEG. All of its bytes have been read.
    public private(set) var preview: Range<Int>?
    package private(set) var exif: ExifMetadata?
    package private(set) var xmp: XMPMetadata?
    package private(set) var iptc: DateTaken?
    /// Offset in the file of the next piece that may contain the frame or metadata. `nil` if no further piece is needed or useful.
    public private(set) var nextPiece: Int?
    /// Number of bytes to read at ``nextPiece``: ``pieceLength``, or more if the piece begins with a metadata segment. Fewer bytes are
    /// accepted.
    public private(set) var nextLength = JPEGHead.pieceLength
    /// Whether the next piece begins with a metadata segment that was cut off.
    private var readsAgain = false

    /// - Parameter bytes: the file's first bytes, ``length`` or as many as it has.
    /// - Returns: `nil` if the bytes are not a JPEG's.
    public init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        walk(bytes, from: 2, at: 0, again: false)
    }

    public var taken: DateTaken? { exif?.taken ?? exif?.changed }
    /// The camera's manufacturer as written in the file, or empty if unknown.
    public var make: String { exif?.camera.make ?? "" }
    /// The camera's model as written in the file, or empty if unknown.
    public var model: String { exif?.camera.model ?? "" }
    public var uprightWidth: Int { orientation.swapsSides ? height : width }
    public var uprightHeight: Int { orientation.swapsSides ? width : height }

    /// Reads the piece of the file that begins at ``nextPiece``.
    public mutating func read(_ piece: [UInt8]) {
        guard let place = nextPiece else { return }
        let again = readsAgain
        (nextPiece, nextLength, readsAgain) = (nil, Self.pieceLength, false)
        walk(piece, from: 0, at: place, again: again)
    }

    /// Walks the segments up to the frame.
    ///
    /// - Parameters:
    ///   - place: offset of the bytes in the file.
    ///   - again: whether the bytes begin with a segment that was cut off in the previous piece.
    private mutating func walk(_ bytes: [UInt8], from start: Int, at place: Int, again: Bool) {
        var segments = JPEGSegments(bytes, from: start)
        while let segment = segments.next() {
            // No frame can follow the end marker or a scan.
            guard !segment.isEnd, !segment.isScan, segment.length >= 0 else { return }
            // The marker and the length precede the contents.
            let head = segment.data.lowerBound - 4
            if segment.isFrame {
                // The frame begins with its precision.
                guard segment.data.count >= 5 else { return seek(at: place + head, after: place) }
                height = Int(bytes[segment.data.lowerBound + 1]) << 8 | Int(bytes[segment.data.lowerBound + 2])
                width = Int(bytes[segment.data.lowerBound + 3]) << 8 | Int(bytes[segment.data.lowerBound + 4])
                return
            }
            let isAgain = again && head == 0
            // Reads even a segment that is cut off, because the rest of a download may never arrive.
            let isMissing = !segment.isWhole && !isAgain && mayHoldMetadata(bytes[segment.data], segment.marker)
            read(bytes, segment.data, segment.marker, at: place, again: isAgain && segment.isWhole)
            if isMissing {
                // Also requests some bytes after the segment. The frame is likely to follow.
                (nextPiece, nextLength, readsAgain) = (place + head, 4 + segment.length + Self.pieceLength, true)
                return
            }
            if !segment.isWhole { return seek(at: place + segment.data.lowerBound + segment.length, after: place) }
        }
        seek(at: place + segments.offset, after: place)
    }

    /// Sets ``nextPiece``. Each piece must begin after the previous one, so that reading ends.
    private mutating func seek(at next: Int, after place: Int) { if next > place { nextPiece = next } }

    /// Whether a segment with these first bytes may contain metadata that has not been read.
    private func mayHoldMetadata(_ beginning: ArraySlice<UInt8>, _ marker: UInt8) -> Bool {
        func mayBegin(with magic: [UInt8]) -> Bool { magic.starts(with: beginning.prefix(magic.count)) }
        switch marker {
        case 0xE1:
            return (exif == nil && mayBegin(with: JPEGSegments.exif))
                || (xmp == nil && mayBegin(with: JPEGSegments.xmp))
        case 0xED: return iptc == nil && mayBegin(with: IPTCDate.photoshop)
        default: return false
        }
    }

    /// - Parameters:
    ///   - place: offset of the bytes in the file.
    ///   - again: whether an incomplete part of the segment was read before.
    private mutating func read(
        _ bytes: [UInt8], _ segment: Range<Int>, _ marker: UInt8, at place: Int, again: Bool
    ) {
        if marker == 0xED, iptc == nil { iptc = IPTCDate.read(photoshop: bytes, segment) }
        guard marker == 0xE1 else { return }
        if bytes[segment].starts(with: JPEGSegments.exif) {
            readExif(bytes, segment.dropFirst(JPEGSegments.exif.count), at: place, again: again)
        } else if xmp == nil || again, bytes[segment].starts(with: JPEGSegments.xmp) {
            xmp = XMPMetadata(bytes, segment.dropFirst(JPEGSegments.xmp.count))
        }
    }

    private mutating func readExif(_ bytes: [UInt8], _ range: Range<Int>, at place: Int, again: Bool) {
        guard let tiff = TIFFStructure(FilePieces(bytes, range)) else { return }
        let main = tiff.directory(at: tiff.first)
        // The renderer reads the orientation with the same function.
        if orientation == .up { orientation = main.orientation ?? .up }
        if exif == nil || again { exif = ExifMetadata(main) }
        let second = tiff.directory(at: main.next)
        if preview == nil, let offset = second.number(.previewOffset), let count = second.number(.previewLength),
            offset > 0, count >= Self.minimumPreview, offset <= range.count, count <= range.count - offset
        {
            let start = range.lowerBound + offset
            guard bytes[start...].starts(with: [0xFF, 0xD8, 0xFF]) else { return }
            preview = place + start..<place + start + count
        }
    }

    /// Number of bytes in the smallest useful JPEG.
    private static let minimumPreview = 100
}
