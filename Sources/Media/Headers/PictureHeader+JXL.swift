/// Finds the codestream, EXIF and XMP of a JPEG XL file (ISO/IEC 18181-2). Skips boxes compressed by Brotli.
struct JXLFile {
    /// The first bytes of the codestream. They hold all header fields that `readJXL` reads.
    private(set) var codestream: [UInt8]
    private(set) var exif: [UInt8]?, xmp: [UInt8]?

    init(_ file: FilePieces) {
        codestream = file.bytes(at: 0, 64)
        if codestream.starts(with: [0xFF]) { return }
        codestream = []
        for box in Boxes(file) {
            let start = box.data.lowerBound, length = min(box.data.count, 1 << 18)
            switch box.type {
            case "jxlc": codestream += file.bytes(at: start, min(length, 64))
            // Four bytes with the piece's number precede each piece of the codestream.
            case "jxlp": codestream += file.bytes(at: start + 4, min(length - 4, 64))
            case "Exif": exif = HEIFItems.exif(file.bytes(at: start, length))
            case "xml ": xmp = file.bytes(at: start, length)
            default: break
            }
        }
    }
}

extension PictureHeader {
    /// Reads the header of a JPEG XL codestream (ISO/IEC 18181-1, annexes B and D) up to the animation flag.
    mutating func readJXL(_ file: FilePieces) throws(RenderError) {
        let bytes = JXLFile(file).codestream
        // Position in bits. The lowest bit of a byte is first. The first 16 bits are the signature.
        var place = 16
        func bits(_ count: Int) -> Int {
            defer { place += count }
            return (0..<count).reduce(0) { value, bit in
                let (byte, shift) = (place + bit).quotientAndRemainder(dividingBy: 8)
                return byte < bytes.count ? value | Int(bytes[byte] >> shift & 1) << bit : value
            }
        }
        func flag() -> Bool { bits(1) == 1 }
        func choice(_ lengths: [Int]) -> Int { bits(lengths[bits(2)]) }
        func size() -> (width: Int, height: Int) {
            let isSmall = flag()
            func side() -> Int { isSmall ? bits(5) * 8 + 8 : choice([9, 13, 18, 30]) + 1 }
            let height = side(), ratio = bits(3)
            if ratio == 0 { return (side(), height) }
            let (across, down) = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)][ratio - 1]
            return (height * across / down, height)
        }
        (width, height) = size()
        let isDefault = flag()
        if !isDefault, flag() {
            // EXIF does not change the orientation of a JPEG XL picture.
            orientation = Orientation(rawValue: UInt8(bits(3) + 1)) ?? .up
            // Skips the recommended display size, then the size of a preview.
            if flag() { _ = size() }
            if flag() {
                let lengths = flag() ? [0, 0, 5, 9] : [6, 8, 10, 12]
                _ = choice(lengths)
                if bits(3) == 0 { _ = choice(lengths) }
            }
            isAnimated = flag()
        }
        if place > bytes.count * 8 { throw .headerEnds(.jxl) }
    }
}
