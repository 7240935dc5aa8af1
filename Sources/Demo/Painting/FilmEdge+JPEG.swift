import CImageCodecs

extension FilmEdge {
    /// Reads the number of a JPEG, such as a thumbnail of a demo picture; `nil` when there is none or it cannot be read.
    public static func number(jpeg: [UInt8]) -> Int? {
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
