import CImageCodecs
import Numbers

/// Decodes TIFF with libtiff, strip by strip, and reduces each strip immediately. A picture of 100 million pixels is never completely in
/// memory.
enum TIFFDecoder {
    /// - Parameter target: size of the thumbnail in pixels as stored, before turning.
    static func decode(
        _ bytes: [UInt8], _ header: PictureHeader, target: (width: Int, height: Int), limits: RenderLimits
    ) throws(RenderError) -> DecodedPicture {
        let enough = header.directories.last { $0.width >= target.width && $0.height >= target.height }
        guard let picture = enough ?? header.directories.first else { throw .broken("TIFF without a picture") }
        // Leaves two and a half samples for each sample of the result, the same as the resampler's own averaging leaves.
        let shrink = max(
            1,
            min(
                Int(clamping: Double(picture.width) / Double(target.width) / 2.5),
                Int(clamping: Double(picture.height) / Double(target.height) / 2.5)))
        try Memory.expect((picture.width / shrink + 1) * (picture.height / shrink + 1) * 4)
        var options = ImageTIFFOptions()
        options.directory = UInt64(picture.offset)
        options.width = UInt32(clamping: picture.width)
        options.height = UInt32(clamping: picture.height)
        options.shrink = UInt32(clamping: shrink)
        options.maxMemory = UInt64(clamping: limits.workerMemory > 0 ? limits.workerMemory / 3 : Int.max)
        var result = ImageResult()
        defer { ImageResultFree(&result) }
        ImageTIFFDecode(bytes, bytes.count, options, &result)
        var decoded = try result.picture("TIFF")
        if case .packed(var samples) = decoded.picture {
            samples.extentX = Double(picture.width) / Double(shrink)
            samples.extentY = Double(picture.height) / Double(shrink)
            decoded.picture = .packed(samples)
        }
        return decoded
    }
}
