/// How to turn a stored picture to display it upright: EXIF tag 0x0112, "Orientation" (CIPA DC-008, 4.6.4).
public enum Orientation: UInt8, Sendable, CaseIterable {
    case up = 1, upMirrored, down, downMirrored, leftMirrored, right, rightMirrored, left

    /// Whether the stored width is the height of the upright picture.
    public var swapsSides: Bool { rawValue >= 5 }

    // Every orientation is a flip of the stored picture along its own axes, followed by a transposition for 5 to 8.
    package var flipsX: Bool { self == .upMirrored || self == .down || self == .rightMirrored || self == .left }
    package var flipsY: Bool { self == .down || self == .downMirrored || self == .rightMirrored || self == .right }

    /// Reads the orientation from a TIFF structure in EXIF. Invalid data counts as `up`: a wrongly turned thumbnail is better than none.
    init(tiff bytes: [UInt8], range: Range<Int>) {
        let tiff = TIFFStructure(FilePieces(bytes, range))
        self = tiff?.directory(at: tiff?.first ?? 0).orientation ?? .up
    }

    /// Reads the orientation from an EXIF chunk. Some programs start the chunk with the prefix that EXIF has in JPEG.
    init(exif bytes: [UInt8], range: Range<Int>) {
        let skipped = bytes[range].starts(with: JPEGSegments.exif) ? JPEGSegments.exif.count : 0
        self.init(tiff: bytes, range: range.dropFirst(skipped))
    }
}
