import CImageCodecs

/// Decodes HEIC with libheif, JPEG XL with libjxl, and AVIF with libavif, or with libheif if libavif refuses the file. The result is YCbCr
/// if the file is YCbCr. Colours are converted after scaling down.
enum HEIFDecoder {
    /// - Parameter target: size of the thumbnail in pixels as stored, before turning.
    static func decode(
        _ bytes: [UInt8], _ header: PictureHeader, target: (width: Int, height: Int), limits: RenderLimits
    ) throws(RenderError) -> DecodedPicture {
        // Counts the decoder's planes, the same planes turned, and the planes handed over or, of a large HEIC, cropped. libjxl uses 24
        // bytes per pixel for some pictures, 40 with alpha, and aborts if it runs out of memory.
        try Memory.expect(header.width * header.height * (header.kind == .jxl ? 24 : 5))
        guard bytes.count >= header.dataEnd else { return try salvage(bytes, header, limits) }
        return try run(bytes, header, target: target, limits)
    }

    /// Decodes the smallest thumbnail in a HEIC, upright.
    ///
    /// - Throws: ``RenderError/unsupported(_:)`` if the file has no thumbnail.
    static func thumbnail(
        _ bytes: [UInt8], _ header: PictureHeader, limits: RenderLimits
    ) throws(RenderError) -> DecodedPicture {
        var result = ImageResult()
        defer { ImageResultFree(&result) }
        let bytes = HEIFReferences.skippingRefused(bytes)
        ImageHEIFDecodeThumbnail(
            bytes, bytes.count, Int32(clamping: limits.maximumSide(of: .heic)), turn(header), &result)
        return try result.picture("HEIC")
    }

    /// Maximum number of missing bytes that are replaced. libde265 reads zeros as empty units of 4 bytes and allocates 80 bytes for each.
    private static let maximumMissing = 1 << 24
    /// Maximum number of missing bytes for each byte that is there, so that a small file cannot claim 16 MiB.
    private static let maximumMissingShare = 16

    /// Decodes a file with missing bytes by replacing them with zeros. The decoders refuse a file that is shorter than it states.
    private static func salvage(
        _ bytes: [UInt8], _ header: PictureHeader, _ limits: RenderLimits
    ) throws(RenderError) -> DecodedPicture {
        let missing = header.dataEnd - bytes.count
        guard bytes.count > header.dataStart, header.dataEnd <= limits.maxBytes else {
            throw .truncated("the \(header.name) ends before its picture")
        }
        guard missing <= maximumMissing, missing / maximumMissingShare <= bytes.count else {
            throw .truncated("the \(header.name) states \(missing) more bytes than the \(bytes.count) that are there")
        }
        let padded = bytes + [UInt8](repeating: 0, count: missing)
        do throws(RenderError) {
            var decoded = try run(padded, header, target: (0, 0), limits)
            decoded.isDamaged = true
            return decoded
        } catch {
            throw .truncated("the \(header.name) ends early")
        }
    }

    /// Returns the corner of the turned frame that contains the picture. Before turning, this is the upper left corner.
    private static func turn(_ header: PictureHeader) -> ImageTurn {
        let turn = header.decoderTurn
        let (right, bottom) = turn.swapsSides ? (turn.flipsY, turn.flipsX) : (turn.flipsX, turn.flipsY)
        return ImageTurn(swapsSides: turn.swapsSides ? 1 : 0, right: right ? 1 : 0, bottom: bottom ? 1 : 0)
    }

    private static func run(
        _ bytes: [UInt8], _ header: PictureHeader, target: (width: Int, height: Int), _ limits: RenderLimits
    ) throws(RenderError) -> DecodedPicture {
        var result = ImageResult()
        defer { ImageResultFree(&result) }
        let maxSide = Int32(clamping: limits.maximumSide(of: header.kind))
        if header.kind == .avif {
            ImageAVIFDecode(bytes, bytes.count, UInt32(clamping: limits.maximumPixels(of: .avif)), maxSide, &result)
            if result.outcome == ImageOddBoxes, let picture = tolerant(bytes, header, maxSide) { return picture }
        } else if header.kind == .jxl {
            ImageJXLDecode(bytes, bytes.count, UInt32(clamping: limits.maximumPixels(of: .jxl)), maxSide, &result)
        } else {
            let bytes = HEIFReferences.skippingRefused(bytes)
            ImageHEIFDecode(
                bytes, bytes.count, Int32(clamping: target.width), Int32(clamping: target.height), maxSide,
                turn(header), &result)
        }
        return try result.picture(header.name)
    }

    /// Decodes an AVIF with libheif. Returns `nil` if libheif also refuses the file, or cannot decode AV1.
    private static func tolerant(_ bytes: [UInt8], _ header: PictureHeader, _ maxSide: Int32) -> DecodedPicture? {
        var result = ImageResult()
        defer { ImageResultFree(&result) }
        let bytes = HEIFReferences.skippingRefused(bytes)
        ImageHEIFDecodeAVIF(bytes, bytes.count, maxSide, &result)
        return try? result.picture(header.name)
    }
}

extension ImageResult {
    /// Copies a decoder's result into the resampler's arrays.
    func picture(_ name: String) throws(RenderError) -> DecodedPicture {
        let reason = withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch outcome {
        case ImageDecoded: break
        case ImageTruncated: throw .truncated("the \(name) ends early")
        case ImageOutOfMemory: throw .overLimit("\(name): \(reason)")
        case ImageNotBuiltIn: throw .unsupported("\(name): \(reason)")
        default: throw .broken("\(name): \(reason)")
        }
        let isDamaged = damaged != 0
        if packed != 0 {
            let pixels = samples(planes.0, cmyk != 0 ? .invertedCMYK : opaque != 0 ? .rgbx : .rgba)
            let profile = profileSize > 0 ? [UInt8](UnsafeBufferPointer(start: self.profile, count: profileSize)) : nil
            return DecodedPicture(picture: .packed(pixels), isDamaged: isDamaged, profile: profile)
        }
        let luma = samples(planes.0, .plane)
        guard planeCount == 3 else { return DecodedPicture(picture: .grey(luma), isDamaged: isDamaged) }
        func chroma(_ plane: ImagePlane) -> Samples {
            var chroma = samples(plane, .plane)
            // Half of an odd number of pixels ends within the last sample.
            func extent(_ luma: Int, _ chroma: Int) -> Double { Double(luma) / Double((luma + chroma - 1) / chroma) }
            chroma.extentX = min(Double(chroma.width), extent(luma.width, chroma.width))
            chroma.extentY = min(Double(chroma.height), extent(luma.height, chroma.height))
            return chroma
        }
        return DecodedPicture(picture: .ycc(luma, chroma(planes.1), chroma(planes.2)), isDamaged: isDamaged)
    }

    private func samples(_ plane: ImagePlane, _ layout: Samples.Layout) -> Samples {
        let width = Int(plane.width), height = Int(plane.height)
        let bytes = [UInt8](UnsafeBufferPointer(start: plane.samples, count: width * height * layout.channels))
        return Samples(layout, width: width, height: height, bytes: bytes)
    }
}
