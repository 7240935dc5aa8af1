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
        self = Self.read(bytes, range) ?? .up
    }

    /// Reads the orientation from an EXIF chunk. Some programs start the chunk with the prefix that EXIF has in JPEG.
    init(exif bytes: [UInt8], range: Range<Int>) {
        let prefix = Array("Exif\0\0".utf8)
        let skipped = bytes[range].starts(with: prefix) ? prefix.count : 0
        self.init(tiff: bytes, range: range.dropFirst(skipped))
    }

    private static func read(_ bytes: [UInt8], _ range: Range<Int>) -> Orientation? {
        var reader = ByteReader(bytes, range: range)
        let bigEndian: Bool
        switch reader.number(2, bigEndian: true) {
        case 0x4949: bigEndian = false
        case 0x4D4D: bigEndian = true
        default: return nil
        }
        guard reader.number(2, bigEndian: bigEndian) == 42,
            let directory = reader.number(4, bigEndian: bigEndian), directory >= 8, reader.skip(directory - 8),
            let entries = reader.number(2, bigEndian: bigEndian)
        else { return nil }
        for _ in 0..<entries {
            guard let tag = reader.number(2, bigEndian: bigEndian), let type = reader.number(2, bigEndian: bigEndian),
                let count = reader.number(4, bigEndian: bigEndian)
            else { return nil }
            if tag == 0x0112 {
                guard type == 3, count == 1, let value = reader.number(2, bigEndian: bigEndian), value <= 8
                else { return nil }
                return Orientation(rawValue: UInt8(value))
            }
            guard reader.skip(4) else { return nil }
        }
        return nil
    }
}
