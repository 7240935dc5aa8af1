/// Decodes BMP of every depth, as rows or as runs of pixels.
enum BMPDecoder {
    static func decode(_ bytes: [UInt8], _ header: PictureHeader) throws(RenderError) -> DecodedPicture {
        let info = try BMPInfo(bytes)
        try Memory.expect(info.width * info.height * 4)
        let left = max(0, bytes.count - info.start)
        let rows = min(info.height, info.isRunLength ? left : left / info.stride)
        guard rows > 0 else { throw .truncated("the BMP ends before its picture") }
        var pixels = [UInt8](repeating: 0, count: info.width * info.height * 4)
        let palette = palette(bytes, info)
        let channels = info.masks.map(Channel.init)
        var isDamaged = rows < info.height && !info.isRunLength
        pixels.withUnsafeMutableBufferPointer { pixels in
            bytes.withUnsafeBufferPointer { bytes in
                if info.isRunLength {
                    isDamaged = !drawRuns(of: bytes, info, palette, into: pixels)
                    return
                }
                for row in 0..<rows {
                    let from = UnsafeBufferPointer(
                        rebasing: bytes[(info.start + row * info.stride)...].prefix(info.stride))
                    let y = info.isTopDown ? row : info.height - 1 - row
                    let to = UnsafeMutableBufferPointer(
                        rebasing: pixels[(y * info.width * 4)...].prefix(info.width * 4))
                    read(from, info, palette, channels, into: to)
                }
            }
        }
        // Missing rows and pixels are transparent. If the alpha of a whole picture is 0, the picture is treated as opaque.
        let alphas = stride(from: 3, to: pixels.count, by: 4)
        let isOpaque =
            info.isRunLength
            ? alphas.allSatisfy { pixels[$0] != 0 } : !header.hasAlpha || alphas.allSatisfy { pixels[$0] == 0 }
        let layout: Samples.Layout = isOpaque && !isDamaged ? .rgbx : .rgba
        return DecodedPicture(
            picture: .packed(Samples(layout, width: info.width, height: info.height, bytes: pixels)),
            isDamaged: isDamaged)
    }

    private static func read(
        _ row: UnsafeBufferPointer<UInt8>, _ info: BMPInfo, _ palette: [UInt32], _ channels: [Channel],
        into pixels: UnsafeMutableBufferPointer<UInt8>
    ) {
        let perByte = info.depth <= 8 ? 8 / info.depth : 0
        for x in 0..<info.width {
            let pixel = x * 4
            switch info.depth {
            case 1, 2, 4, 8:
                let shift = (perByte - 1 - x % perByte) * info.depth
                let index = Int(row[x / perByte]) >> shift & (1 << info.depth - 1)
                write(palette[index], to: pixels, at: pixel)
            case 24:
                (pixels[pixel], pixels[pixel + 1], pixels[pixel + 2]) = (row[3 * x + 2], row[3 * x + 1], row[3 * x])
                pixels[pixel + 3] = 255
            default:
                let size = info.depth / 8
                var value: UInt32 = 0
                for byte in 0..<size { value |= UInt32(row[size * x + byte]) << (8 * UInt32(byte)) }
                for channel in 0..<4 { pixels[pixel + channel] = channels[channel].byte(value) }
                if channels[3].maximum == 0 { pixels[pixel + 3] = 255 }
            }
        }
    }

    private static func write(_ color: UInt32, to pixels: UnsafeMutableBufferPointer<UInt8>, at place: Int) {
        for channel in 0..<4 {
            pixels[place + channel] = UInt8(truncatingIfNeeded: color >> (8 * UInt32(channel)))
        }
    }

    /// Draws the runs of BI_RLE8 and BI_RLE4 (MS-WMF, 3.1.6). A run repeats one pixel, or alternates between two in RLE4. Other codes end a
    /// row, skip pixels, or list single pixels.
    ///
    /// - Returns: whether the runs are complete.
    private static func drawRuns(
        of bytes: UnsafeBufferPointer<UInt8>, _ info: BMPInfo, _ palette: [UInt32],
        into pixels: UnsafeMutableBufferPointer<UInt8>
    ) -> Bool {
        var place = info.start
        var (x, y) = (0, 0)
        let isWide = info.depth == 8
        func put(_ byte: UInt8, isSecond: Bool) {
            if x < info.width, y < info.height {
                let row = info.isTopDown ? y : info.height - 1 - y
                let index = isWide ? Int(byte) : Int(isSecond ? byte & 15 : byte >> 4)
                write(palette[index], to: pixels, at: (row * info.width + x) * 4)
            }
            x += 1
        }
        while place + 1 < bytes.count, y < info.height {
            let (count, value) = (Int(bytes[place]), bytes[place + 1])
            place += 2
            if count > 0 {
                for number in 0..<count { put(value, isSecond: number % 2 == 1) }
                continue
            }
            switch value {
            case 0: (x, y) = (0, y + 1)
            case 1: return true
            case 2:
                guard place + 1 < bytes.count else { return false }
                (x, y) = (x + Int(bytes[place]), y + Int(bytes[place + 1]))
                place += 2
            default:
                let length = isWide ? Int(value) : (Int(value) + 1) / 2
                guard place + length <= bytes.count else { return false }
                for number in 0..<Int(value) {
                    put(bytes[place + (isWide ? number : number / 2)], isSecond: number % 2 == 1)
                }
                place += length + length % 2
            }
        }
        return y >= info.height
    }

    /// Position of a channel in a pixel.
    private struct Channel {
        let mask: UInt32
        let shift: UInt32
        let maximum: UInt32

        init(mask: UInt32) {
            self.mask = mask
            shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
            maximum = mask >> shift
        }

        func byte(_ pixel: UInt32) -> UInt8 {
            maximum == 0
                ? 0
                : UInt8(
                    truncatingIfNeeded: (UInt64((pixel & mask) >> shift) * 255 + UInt64(maximum) / 2) / UInt64(maximum))
        }
    }

    /// Returns 256 colours, with red, green, blue and alpha from the low byte upwards. Colours missing in the file are black.
    private static func palette(_ bytes: [UInt8], _ info: BMPInfo) -> [UInt32] {
        var palette = [UInt32](repeating: 0xFF00_0000, count: 256)
        var reader = ByteReader(bytes, range: info.palette)
        for index in 0..<info.palette.count / info.paletteStride {
            guard let color = reader.number(3, bigEndian: true), reader.skip(info.paletteStride - 3) else { break }
            palette[index] = 0xFF00_0000 | UInt32(color)
        }
        return palette
    }
}
