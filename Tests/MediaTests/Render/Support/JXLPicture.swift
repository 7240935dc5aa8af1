import TestSupport

/// JPEG XL codestreams made by cjxl of libjxl 0.7, and boxes around them.
enum JXLPicture {
    /// 120 x 80 quadrants.
    static let lossy = Fixture.bytes("lossy.jxl")

    /// The same without loss.
    static let lossless = Fixture.bytes("lossless.jxl")

    /// The same without loss, named as Display P3.
    static let displayP3 = Fixture.bytes("display-p3.jxl")

    /// The same without loss. The right half is transparent.
    static let alpha = Fixture.bytes("alpha.jxl")

    /// A red frame of 60 x 40, then a blue one.
    static let animation = Fixture.bytes("animation.jxl")

    /// 600 x 400 quadrants, in several groups of pixels.
    static let large = Fixture.bytes("large.jxl")

    /// 120 x 80 quadrants without loss, stored in the orientations from 2 on.
    static let turned = (2...8).map { Fixture.bytes("turned-\($0).jxl") }

    /// A file of boxes (ISO/IEC 18181-2).
    static func file(_ boxes: [(type: String, data: [UInt8])]) -> [UInt8] {
        HEIFFile.box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + HEIFFile.box("ftyp", Array("jxl \0\0\0\0jxl ".utf8))
            + boxes.flatMap { HEIFFile.box($0.type, $0.data) }
    }

    /// The beginning of a codestream with `rows` rows, half as many more columns, and no other field.
    static func header(rows: Int) -> [UInt8] {
        // A size of up to 30 bits, a ratio of 3 : 2, and defaults.
        let bits = 0b110 | (rows - 1) << 3 | 4 << 33 | 1 << 36
        return [0xFF, 0x0A] + (0..<5).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
    }
}
