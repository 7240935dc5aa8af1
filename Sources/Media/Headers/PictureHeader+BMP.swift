extension PictureHeader {
    mutating func readBMP(_ bytes: [UInt8]) throws(RenderError) {
        let info = try BMPInfo(bytes)
        width = info.width
        height = info.height
        hasAlpha = info.masks[3] != 0 || info.isRunLength
    }
}

/// The headers of a BMP: BITMAPFILEHEADER, followed by BITMAPINFOHEADER, a longer version of it, or the BITMAPCOREHEADER that OS/2 writes.
package struct BMPInfo {
    package let width: Int
    package let height: Int
    package let isTopDown: Bool
    /// Bits per pixel: 1, 2, 4, 8, 16, 24 or 32.
    package let depth: Int
    /// Bit masks of red, green, blue and alpha in pixels of 16 and 32 bits.
    package private(set) var masks: [UInt32] = [0, 0, 0, 0]
    package private(set) var palette = 0..<0
    /// Bytes per palette entry: 3 or 4.
    package let paletteStride: Int
    /// Whether the picture is stored as runs of 4-bit or 8-bit pixels, not as rows.
    package private(set) var isRunLength = false
    /// Offset of the pixel data.
    package let start: Int

    package init(_ bytes: [UInt8]) throws(RenderError) {
        var reader = ByteReader(bytes)
        func number(_ count: Int) throws(RenderError) -> Int {
            guard let value = reader.number(count, bigEndian: false) else { throw .headerEnds(.bmp) }
            return value
        }
        func signed() throws(RenderError) -> Int { Int(Int32(truncatingIfNeeded: try number(4))) }
        _ = reader.skip(10)
        start = try number(4)
        let length = try number(4)
        guard length == 12 || 40...256 ~= length else { throw .broken("a BMP header of \(length) bytes") }
        let isOS2 = length == 12
        paletteStride = isOS2 ? 3 : 4
        width = try isOS2 ? number(2) : signed()
        let rows = try isOS2 ? number(2) : signed()
        isTopDown = rows < 0
        height = abs(rows)
        _ = try number(2)
        depth = try number(2)
        var compression = 0
        var colors = 0
        if !isOS2 {
            compression = try number(4)
            _ = try (number(4), number(4), number(4))
            colors = try number(4)
            _ = try number(4)
        }
        switch (compression, depth) {
        case (0, 1), (0, 2), (0, 4), (0, 8), (1, 8), (2, 4):
            let first = 14 + length, count = colors == 0 ? 1 << depth : min(colors, 1 << depth)
            palette = first..<first + paletteStride * count
            isRunLength = compression != 0
        case (0, 16): masks = [0x7C00, 0x3E0, 0x1F, 0]
        case (0, 24): break
        case (0, 32): masks = [0xFF0000, 0xFF00, 0xFF, 0]
        // The masks follow a header of 40 bytes, and are part of longer headers.
        case (3, 16), (3, 32), (6, 16), (6, 32):
            for channel in 0..<3 { masks[channel] = UInt32(try number(4)) }
            if length >= 56 || compression == 6 { masks[3] = UInt32(try number(4)) }
        case (4, _), (5, _): throw .unsupported("BMP that holds a JPEG or PNG")
        default: throw .broken("a BMP of \(depth) bits and compression \(compression)")
        }
        guard width > 0 else { throw .broken("\(width) x \(height) pixels") }
    }

    package var stride: Int { (width * depth + 31) / 32 * 4 }
}
