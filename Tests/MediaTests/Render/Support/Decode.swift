import CImageCodecs
import Media
import TestSupport

extension Thumbnail {
    /// The thumbnail's pixels, read by a decoder other than Lookahead's.
    func decoded() -> TestPicture {
        mediaType == "image/webp" ? Self.webp(bytes) : Self.jpeg(bytes)
    }

    static func jpeg(_ bytes: [UInt8]) -> TestPicture {
        let handle = tjInitDecompress()
        defer { tjDestroy(handle) }
        var width: Int32 = 0, height: Int32 = 0, sampling: Int32 = 0, space: Int32 = 0
        tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
        var rgba = [UInt8](repeating: 0, count: Int(width * height * 4))
        tjDecompress2(handle, bytes, UInt(bytes.count), &rgba, width, 0, height, Int32(TJPF_RGBA.rawValue), 0)
        return TestPicture(width: Int(width), height: Int(height), rgba: rgba)
    }

    static func webp(_ bytes: [UInt8]) -> TestPicture {
        var width: Int32 = 0, height: Int32 = 0
        let pixels = WebPDecodeRGBA(bytes, bytes.count, &width, &height)
        defer { WebPFree(pixels) }
        return TestPicture(
            width: Int(width), height: Int(height),
            rgba: Array(UnsafeBufferPointer(start: pixels, count: Int(width * height * 4))))
    }
}
