import CImageCodecs

/// Decodes a video's first frame with libavcodec.
enum VideoDecoder {
    static func decode(
        _ bytes: [UInt8], _ header: PictureHeader, limits: RenderLimits
    ) throws(RenderError) -> DecodedPicture {
        let video = try VideoFile(bytes)
        // Counts the reference frames and the frame handed over, with up to ten bits per sample.
        try Memory.expect(header.width * header.height * 12)
        var result = ImageResult()
        defer { ImageResultFree(&result) }
        video.bytes.withUnsafeBufferPointer { bytes in
            let file = ImageVideoFile(
                data: bytes.baseAddress, size: bytes.count, gapStart: UInt64(video.gap.lowerBound),
                gapLength: UInt64(video.gap.count))
            ImageVideoDecode(
                file, UInt32(clamping: limits.maximumPixels(of: .video)), Int32(clamping: limits.maxSide), &result)
        }
        return try result.picture(header.name)
    }
}
