import CImageCodecs
import Media

extension RenderBenchmark {
    /// How near thumbnails come to the best there could be: the whole picture decoded at full size and scaled by one
    /// Lanczos-3 filter. Mean SSIM of luma.
    struct Quality: Sendable {
        /// Before encoding.
        var rendered: Double
        /// As sent.
        var encoded: Double
    }

    /// - Throws: the first picture's ``RenderError``; ``RenderError/unsupported(_:)`` for one that is no JPEG.
    static func quality(_ pictures: [[UInt8]], size: ThumbnailSize) throws(RenderError) -> Quality {
        let renderer = PictureRenderer()
        var quality = Quality(rendered: 0, encoded: 0)
        for picture in pictures {
            let thumbnail = try renderer.render(picture, size: size)
            let reference = try reference(picture, width: thumbnail.width, height: thumbnail.height)
            let pixels = try renderer.pixels(picture, size: size).rgba
            quality.rendered += StructuralSimilarity.of(
                luma(pixels), reference, width: thumbnail.width, height: thumbnail.height)
            guard let decoded = decodeWhole(thumbnail.bytes) else { throw .broken("the thumbnail is no JPEG") }
            quality.encoded += StructuralSimilarity.of(
                luma(decoded.bytes), reference, width: thumbnail.width, height: thumbnail.height)
        }
        let count = Double(max(1, pictures.count))
        return Quality(rendered: quality.rendered / count, encoded: quality.encoded / count)
    }

    /// The thumbnails themselves, for comparing with others'.
    static func thumbnails(_ pictures: [[UInt8]], size: ThumbnailSize) throws(RenderError) -> [[UInt8]] {
        let renderer = PictureRenderer()
        var thumbnails: [[UInt8]] = []
        for picture in pictures { thumbnails.append(try renderer.render(picture, size: size).bytes) }
        return thumbnails
    }

    private static func reference(_ bytes: [UInt8], width: Int, height: Int) throws(RenderError) -> [Float] {
        guard let whole = decodeWhole(bytes) else { throw .unsupported("only JPEG has a reference") }
        func axis(_ samples: Int, _ count: Int) -> ResampleAxis {
            ResampleAxis(
                samples: samples, extent: Double(samples), count: count, outputExtent: Double(count),
                sharpness: .infinity)
        }
        let scaled = Resampler().resample(whole, x: axis(whole.width, width), y: axis(whole.height, height))
        return luma(scaled.bytes)
    }

    private static func decodeWhole(_ bytes: [UInt8]) -> Samples? {
        let decoder = tjInitDecompress()
        defer { tjDestroy(decoder) }
        var width: Int32 = 0, height: Int32 = 0, sampling: Int32 = 0, space: Int32 = 0
        guard tjDecompressHeader3(decoder, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0 else {
            return nil
        }
        var pixels = [UInt8](repeating: 0, count: Int(width) * Int(height) * 4)
        guard
            tjDecompress2(
                decoder, bytes, UInt(bytes.count), &pixels, width, 0, height, Int32(TJPF_RGBX.rawValue), 0) == 0
        else { return nil }
        return Samples(.rgbx, width: Int(width), height: Int(height), bytes: pixels)
    }

    /// BT.601 luma, 0 to 255.
    private static func luma(_ rgbx: [UInt8]) -> [Float] {
        stride(from: 0, to: rgbx.count - 3, by: 4).map {
            0.299 * Float(rgbx[$0]) + 0.587 * Float(rgbx[$0 + 1]) + 0.114 * Float(rgbx[$0 + 2])
        }
    }
}
