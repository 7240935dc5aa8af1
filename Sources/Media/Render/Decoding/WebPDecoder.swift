import CImageCodecs

/// Decodes WebP. An animation is decoded to its first frame, on its canvas.
enum WebPDecoder {
    /// - Parameter target: size of the thumbnail in pixels as stored, before turning.
    static func decode(
        _ bytes: [UInt8], _ header: PictureHeader, target: (width: Int, height: Int)
    ) throws(RenderError) -> DecodedPicture {
        guard header.isAnimated else { return decoded(try frame(bytes, bytes.indices, header, target)) }
        let (range, x, y, endsEarly) = try firstFrame(bytes)
        let still = try PictureHeader(stillOf: bytes, range, header)
        if x == 0, y == 0, still.width == header.width, still.height == header.height {
            return decoded(try frame(bytes, range, still, target), endsEarly)
        }
        // The frame covers a part of its canvas. The rest is transparent.
        let (part, isDamaged) = try frame(bytes, range, still, (still.width, still.height))
        let width = header.width, height = header.height
        guard x >= 0, y >= 0, x + part.width <= width, y + part.height <= height else {
            throw .broken("WebP: a frame outside its canvas")
        }
        try Memory.expect(width * height * 4)
        var canvas = [UInt8](repeating: 0, count: width * height * 4)
        for row in 0..<part.height {
            let from = row * part.stride, to = ((y + row) * width + x) * 4
            canvas.replaceSubrange(to..<to + part.width * 4, with: part.bytes[from..<from + part.width * 4])
        }
        return decoded((Samples(.rgba, width: width, height: height, bytes: canvas), isDamaged), endsEarly)
    }

    private static func decoded(_ frame: (Samples, isDamaged: Bool), _ endsEarly: Bool = false) -> DecodedPicture {
        DecodedPicture(picture: .packed(frame.0), isDamaged: frame.isDamaged || endsEarly)
    }

    /// Returns the position of the first frame's data, and whether the animation ends early, perhaps within that frame.
    private static func firstFrame(
        _ bytes: [UInt8]
    ) throws(RenderError) -> (Range<Int>, x: Int, y: Int, endsEarly: Bool) {
        let found: (Range<Int>, Int, Int, Bool)? = bytes.withUnsafeBufferPointer { buffer in
            var data = WebPData(bytes: buffer.baseAddress, size: buffer.count)
            var state = WEBP_DEMUX_PARSING_HEADER
            guard let demuxer = WebPDemuxInternal(&data, 1, &state, Int32(WEBP_DEMUX_ABI_VERSION)) else { return nil }
            defer { WebPDemuxDelete(demuxer) }
            var iterator = WebPIterator()
            guard WebPDemuxGetFrame(demuxer, 1, &iterator) != 0, let base = buffer.baseAddress,
                let start = iterator.fragment.bytes
            else { return nil }
            defer { WebPDemuxReleaseIterator(&iterator) }
            let offset = base.distance(to: start)
            return (
                offset..<offset + iterator.fragment.size, Int(iterator.x_offset), Int(iterator.y_offset),
                state != WEBP_DEMUX_DONE
            )
        }
        guard let found, found.0.lowerBound >= 0, found.0.upperBound <= bytes.count else {
            throw .broken("WebP: the first frame cannot be read")
        }
        return found
    }

    private static func frame(
        _ bytes: [UInt8], _ range: Range<Int>, _ header: PictureHeader, _ target: (width: Int, height: Int)
    ) throws(RenderError) -> (Samples, isDamaged: Bool) {
        var config = WebPDecoderConfig()
        guard WebPInitDecoderConfigInternal(&config, Int32(WEBP_DECODER_ABI_VERSION)) != 0 else {
            throw .broken("WebP: wrong version of the library")
        }
        let (width, height) = decodedSize(header, target)
        let stride = width * 4
        try Memory.expect(stride * height)
        var status = VP8_STATUS_OK
        var hasRows = false
        let pixels = [UInt8](unsafeUninitializedCapacity: stride * height) { buffer, initialized in
            buffer.initialize(repeating: 0)
            initialized = stride * height
            bytes.withUnsafeBufferPointer { input in
                guard let base = input.baseAddress else { return }
                status = WebPGetFeaturesInternal(
                    base + range.lowerBound, range.count, &config.input, Int32(WEBP_DECODER_ABI_VERSION))
                guard status == VP8_STATUS_OK else { return }
                guard Int(config.input.width) == header.width, Int(config.input.height) == header.height else {
                    status = VP8_STATUS_BITSTREAM_ERROR
                    return
                }
                config.options.use_scaling = width == header.width && height == header.height ? 0 : 1
                config.options.scaled_width = Int32(width)
                config.options.scaled_height = Int32(height)
                config.output.colorspace = MODE_RGBA
                config.output.is_external_memory = 1
                config.output.u.RGBA.rgba = buffer.baseAddress
                config.output.u.RGBA.stride = Int32(stride)
                config.output.u.RGBA.size = buffer.count
                status = WebPDecode(base + range.lowerBound, range.count, &config)
                guard status != VP8_STATUS_OK, status != VP8_STATUS_OUT_OF_MEMORY else { return }
                // Decodes again to get as many rows as possible. Missing rows are transparent.
                buffer.update(repeating: 0)
                let lossless = losslessData(bytes, range)
                if lossless.isEmpty {
                    hasRows = salvage(base + range.lowerBound, range.count, &config) > 0
                } else {
                    // Without the length of its chunk, the data is decoded up to its end or its first error. libwebp does not count these
                    // rows.
                    let end = WebPDecode(base + lossless.lowerBound, lossless.count, &config)
                    hasRows = end != VP8_STATUS_OUT_OF_MEMORY && buffer.contains { $0 != 0 }
                }
            }
        }
        switch status {
        case VP8_STATUS_OK: break
        case _ where hasRows:
            return (Samples(.rgba, width: width, height: height, bytes: pixels), true)
        case VP8_STATUS_NOT_ENOUGH_DATA, VP8_STATUS_SUSPENDED: throw .truncated("the WebP ends early")
        case VP8_STATUS_OUT_OF_MEMORY: throw .overLimit("WebP: out of memory")
        default: throw .broken("WebP: its data is damaged")
        }
        let layout: Samples.Layout = config.input.has_alpha != 0 ? .rgba : .rgbx
        return (Samples(layout, width: width, height: height, bytes: pixels), false)
    }

    /// Returns the position of a lossless picture's data. Empty if the picture is not lossless.
    private static func losslessData(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        var reader = ByteReader(bytes, range: range)
        if reader.starts(with: Array("RIFF".utf8)) { _ = reader.skip(12) }
        while let type = reader.tag(), let length = reader.number(4, bigEndian: false) {
            if type == "VP8L" { return reader.offset..<reader.offset + min(length, reader.remaining) }
            guard reader.skip(length + length % 2) else { break }
        }
        return reader.offset..<reader.offset
    }

    /// Decodes as if more bytes were to follow. Returns the number of decoded rows.
    private static func salvage(
        _ bytes: UnsafePointer<UInt8>, _ count: Int, _ config: inout WebPDecoderConfig
    ) -> Int {
        guard let decoder = WebPIDecode(bytes, count, &config) else { return 0 }
        defer { WebPIDelete(decoder) }
        _ = WebPIUpdate(decoder, bytes, count)
        var last: Int32 = 0
        guard WebPIDecGetRGB(decoder, &last, nil, nil, nil) != nil else { return 0 }
        return Int(last)
    }

    /// Returns twice the target if the picture is much larger. libwebp's own scaler then averages the pixels.
    private static func decodedSize(_ header: PictureHeader, _ target: (width: Int, height: Int)) -> (Int, Int) {
        let width = 2 * target.width, height = 2 * target.height
        let isWorthIt = header.width * 4 >= width * 5 && header.height * 4 >= height * 5
        return isWorthIt ? (width, height) : (header.width, header.height)
    }
}

extension PictureHeader {
    /// Creates the header of an animation's frame, whose data has no RIFF header.
    fileprivate init(stillOf bytes: [UInt8], _ range: Range<Int>, _ animation: PictureHeader) throws(RenderError) {
        self = animation
        var width: Int32 = 0, height: Int32 = 0
        let known = bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return Int32(0) }
            return WebPGetInfo(base + range.lowerBound, range.count, &width, &height)
        }
        guard known != 0, width > 0, height > 0 else { throw .broken("WebP: the first frame cannot be read") }
        self.width = Int(width)
        self.height = Int(height)
    }
}
