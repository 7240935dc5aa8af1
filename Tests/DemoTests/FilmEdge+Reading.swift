import CImageCodecs
import Demo

extension FilmEdge {
    /// Reads the number of a picture. Returns `nil` if there is none or it is unreadable.
    ///
    /// - Parameters:
    ///   - rgba: Rows of four-byte pixels, red, green and blue first, in `width * height * 4` bytes.
    static func number(rgba: [UInt8], width: Int, height: Int) -> Int? {
        guard width >= 16, height >= 16, rgba.count / 4 / width >= height else { return nil }
        let (wide, high) = (Double(width), Double(height))
        let cells = (0..<32).map { cell in
            let x = (Double(cell % 16) + 0.5) * wide / 16
            let y = high * 0.9 + (Double(cell / 16) + 0.5) * high * 0.05
            var sum = 0
            var count = 0
            for v in Int(y - high * 0.01)...Int(y + high * 0.01) {
                for u in Int(x - wide * 0.01)...Int(x + wide * 0.01) {
                    let pixel = (min(v, height - 1) * width + min(u, width - 1)) * 4
                    sum += Int(rgba[pixel]) + Int(rgba[pixel + 1]) + Int(rgba[pixel + 2])
                    count += 1
                }
            }
            return Double(sum) / Double(max(count, 1))
        }
        guard cells[0] - cells[31] >= 150 else { return nil }
        let middle = (cells[0] + cells[31]) / 2
        let word = cells[1..<31].reduce(0) { $0 << 1 | ($1 > middle ? 1 : 0) }
        return word & 63 == check(word >> 6) ? word >> 6 : nil
    }

    /// Reads the number of a JPEG, such as a demo thumbnail. Returns `nil` if there is none or it is unreadable.
    static func number(jpeg: [UInt8]) -> Int? {
        guard let decoder = tjInitDecompress() else { return nil }
        defer { tjDestroy(decoder) }
        let size = UInt(jpeg.count)
        var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
        guard tjDecompressHeader3(decoder, jpeg, size, &width, &height, &subsampling, &space) == 0,
            16...4096 ~= width, 16...4096 ~= height
        else { return nil }
        var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height) * 4)
        let status = tjDecompress2(
            decoder, jpeg, size, &pixels, width, 0, height, Int32(TJPF_RGBX.rawValue), 0)
        return status == 0 ? number(rgba: pixels, width: Int(width), height: Int(height)) : nil
    }
}
