/// Reads the segments of a JPEG up to its frame: its size, orientation and preview, when and with what it was taken.
///
/// The file's first bytes say most of it. ``nextPiece`` tells which bytes are needed for the rest: some programs write 140 kB of other
/// segments before EXIF.
///
/// Reads bytes that nobody has checked: every offset is compared with what is there, and no count is believed.
public struct JPEGHead: Sendable, Equatable {
    /// Bytes of a file that hold the preview of nearly every camera's JPEG: EXIF comes first and has at most 64 kB.
    public static let length = 68 << 10
    /// Bytes that are read at a time if the frame lies further down.
    public static let pieceLength = 4 << 10
    /// Maximum number of pieces that are read up to the frame: colour profiles and maker notes of half a megabyte lie before it in
    /// some, what editors have kept of a picture's history in two megabytes in others.
    public static let mostPieces = 40

    /// Pixels as stored, before ``orientation``; 0 while the frame has not been read.
    public private(set) var width = 0
    /// Pixels as stored, before ``orientation``; 0 while the frame has not been read.
    public private(set) var height = 0
    /// Of the picture and of its preview.
    public private(set) var orientation = Orientation.up
    /// Place of the preview in the file, a JPEG of its own. It lies in bytes that were read.
    public private(set) var preview: Range<Int>?
    /// Its EXIF; `nil` where it has none.
    package private(set) var exif: ExifMetadata?
    /// Its XMP; `nil` where it has none.
    package private(set) var xmp: XMPMetadata?
    /// The date in its IPTC; `nil` where it has none.
    package private(set) var iptc: DateTaken?
    /// Where in the file the next piece begins that may hold the frame or metadata; `nil` if none is needed, or of use.
    public private(set) var nextPiece: Int?
    /// Bytes of that piece: ``pieceLength``, or more if it begins with a segment of metadata. A shorter piece will do.
    public private(set) var nextLength = JPEGHead.pieceLength
    /// Whether the next piece begins with a segment of metadata that was cut off.
    private var readsAgain = false

    private static let exifMagic = Array("Exif\0\0".utf8)
    private static let xmpMagic = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    /// - Parameter bytes: the first of a file, ``length`` or as many as it has.
    /// - Returns: `nil` where they are of no JPEG.
    public init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        walk(bytes, from: 2, at: 0, again: false)
    }

    public var taken: DateTaken? { exif?.taken ?? exif?.changed }
    /// The camera's maker, as it writes itself; empty where it does not.
    public var make: String { exif?.camera.make ?? "" }
    /// The camera, as its maker names it; empty where it does not.
    public var model: String { exif?.camera.model ?? "" }
    /// Pixels of the upright picture.
    public var uprightWidth: Int { orientation.swapsSides ? height : width }
    /// Pixels of the upright picture.
    public var uprightHeight: Int { orientation.swapsSides ? width : height }

    /// Takes the piece of the file that begins at ``nextPiece``.
    public mutating func read(_ piece: [UInt8]) {
        guard let place = nextPiece else { return }
        let again = readsAgain
        (nextPiece, nextLength, readsAgain) = (nil, Self.pieceLength, false)
        walk(piece, from: 0, at: place, again: again)
    }

    /// Walks the marker segments up to the frame (ITU-T T.81, annex B).
    ///
    /// - Parameters:
    ///   - place: of the bytes in the file.
    ///   - again: whether the bytes begin with a segment that was cut off when it was read before.
    private mutating func walk(_ bytes: [UInt8], from start: Int, at place: Int, again: Bool) {
        var reader = ByteReader(bytes, range: start..<max(start, bytes.count))
        while reader.remaining > 0 {
            let before = reader.offset
            guard let marker = PictureHeader.nextMarker(&reader) else { break }
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            // The end, or the picture itself: there is no frame before it.
            if marker == 0xD9 || marker == 0xDA { return }
            let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
            guard let length = reader.number(2, bigEndian: true) else { return goOn(at: place + before, after: place) }
            guard length >= 2 else { return }
            let segment = reader.offset..<min(bytes.count, reader.offset + length - 2)
            if isFrame {
                // Precision comes first.
                guard segment.count >= 5 else { return goOn(at: place + before, after: place) }
                height = Int(bytes[segment.lowerBound + 1]) << 8 | Int(bytes[segment.lowerBound + 2])
                width = Int(bytes[segment.lowerBound + 3]) << 8 | Int(bytes[segment.lowerBound + 4])
                return
            }
            // The marker and the length come before the segment.
            let head = segment.lowerBound - 4
            let isAgain = again && head == 0, isWhole = segment.count == length - 2
            let isMissing = !isWhole && !isAgain && mayHoldMetadata(bytes[segment], marker)
            // Also of a segment that is cut off: of a download no more may come.
            read(bytes, segment, marker, at: place, again: isAgain && isWhole)
            if isMissing {
                // The frame is likely to follow.
                (nextPiece, nextLength, readsAgain) = (place + head, 2 + length + Self.pieceLength, true)
                return
            }
            guard reader.skip(length - 2) else { return goOn(at: place + reader.offset + length - 2, after: place) }
        }
        // A marker may be cut in two.
        goOn(at: place + bytes.count - (bytes.last == 0xFF ? 1 : 0), after: place)
    }

    /// Pieces begin ever further down.
    private mutating func goOn(at next: Int, after place: Int) { if next > place { nextPiece = next } }

    /// Whether a segment that begins with these bytes may hold metadata that has not been read.
    private func mayHoldMetadata(_ beginning: ArraySlice<UInt8>, _ marker: UInt8) -> Bool {
        func mayBegin(with magic: [UInt8]) -> Bool { magic.starts(with: beginning.prefix(magic.count)) }
        switch marker {
        case 0xE1:
            return (exif == nil && mayBegin(with: Self.exifMagic)) || (xmp == nil && mayBegin(with: Self.xmpMagic))
        case 0xED: return iptc == nil && mayBegin(with: IPTCDate.photoshop)
        default: return false
        }
    }

    /// Reads the metadata of a segment.
    ///
    /// - Parameters:
    ///   - place: of the bytes in the file.
    ///   - again: whether the segment replaces a part of it that was read before.
    private mutating func read(
        _ bytes: [UInt8], _ segment: Range<Int>, _ marker: UInt8, at place: Int, again: Bool
    ) {
        if marker == 0xED, iptc == nil { iptc = IPTCDate.read(photoshop: bytes, segment) }
        guard marker == 0xE1 else { return }
        if bytes[segment].starts(with: Self.exifMagic) {
            readExif(bytes, segment.dropFirst(Self.exifMagic.count), at: place, again: again)
        } else if xmp == nil || again, bytes[segment].starts(with: Self.xmpMagic) {
            xmp = XMPMetadata(bytes, segment.dropFirst(Self.xmpMagic.count))
        }
    }

    private mutating func readExif(_ bytes: [UInt8], _ range: Range<Int>, at place: Int, again: Bool) {
        // As the renderer turns the picture itself.
        if orientation == .up { orientation = Orientation(tiff: bytes, range: range) }
        guard let tiff = TIFFStructure(bytes, range) else { return }
        let main = tiff.directory(at: tiff.first)
        if exif == nil || again { exif = ExifMetadata(tiff, main) }
        let second = tiff.directory(at: main.next)
        if preview == nil, let offset = tiff.number(second[.previewOffset]),
            let count = tiff.number(second[.previewLength]),
            let found = tiff.range(at: offset, count: count), count >= Self.leastPreview,
            bytes[found].starts(with: [0xFF, 0xD8, 0xFF])
        {
            preview = place + found.lowerBound..<place + found.upperBound
        }
    }

    /// Bytes of the smallest JPEG that shows anything.
    private static let leastPreview = 100
}
