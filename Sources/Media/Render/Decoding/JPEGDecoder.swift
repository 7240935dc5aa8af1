import CImageCodecs

/// Decodes JPEG at a fraction of its size: baseline with TurboJPEG, progressive with libjpeg, which can stop early.
final class JPEGDecoder {
    private let turbo: tjhandle?

    init() { turbo = tjInitDecompress() }

    deinit {
        if let turbo { tjDestroy(turbo) }
    }

    /// - Parameters:
    ///   - target: size of the thumbnail in pixels as stored, before turning.
    ///   - partial: whether the bytes were ended early on purpose. Missing scans then do not count as damage.
    func decode(
        _ bytes: [UInt8], _ header: PictureHeader, target: (width: Int, height: Int), limits: RenderLimits,
        partial: Bool
    ) throws(RenderError) -> DecodedPicture {
        let denominator = Self.denominator(header, target)
        if header.isProgressive {
            return try decodeByLibrary(bytes, header, denominator, limits, partial)
        }
        guard let turbo else { throw .noWorker("out of memory") }
        var width: Int32 = 0, height: Int32 = 0, subsampling: Int32 = 0, space: Int32 = 0
        guard tjDecompressHeader3(turbo, bytes, UInt(bytes.count), &width, &height, &subsampling, &space) == 0,
            width == header.width, height == header.height
        else {
            // TurboJPEG does not support every combination of sampling factors.
            return try decodeByLibrary(bytes, header, denominator, limits, partial)
        }
        try Memory.expect(Int(width) / denominator * (Int(height) / denominator) * 4)
        let scaled = (width: Self.scaled(Int(width), denominator), height: Self.scaled(Int(height), denominator))
        let picture: Picture
        let result: Int32
        switch TJCS(rawValue: UInt32(bitPattern: space)) {
        case TJCS_YCbCr, TJCS_GRAY:
            (picture, result) = planes(turbo, bytes, header, denominator, scaled, subsampling)
        case TJCS_CMYK, TJCS_YCCK:
            // Pictures in CMYK are rare, and libjpeg decodes them only to ink values.
            return try decodeByLibrary(bytes, header, denominator, limits, partial)
        default:
            let stride = scaled.width * 4
            var pixels = [UInt8](repeating: 0, count: stride * scaled.height)
            result = tjDecompress2(
                turbo, bytes, UInt(bytes.count), &pixels, Int32(scaled.width), Int32(stride), Int32(scaled.height),
                Int32(TJPF_RGBX.rawValue), Self.flags)
            picture = .packed(
                Samples(
                    .rgbx, width: scaled.width, height: scaled.height,
                    extentX: Double(header.width) / Double(denominator),
                    extentY: Double(header.height) / Double(denominator), bytes: pixels))
        }
        guard result != 0 else { return DecodedPicture(picture: picture) }
        let warning = String(cString: tjGetErrorStr2(turbo))
        if tjGetErrorCode(turbo) != TJERR_WARNING.rawValue || !Self.hasEnd(bytes) {
            // libjpeg shows the pixels before an error. It also distinguishes a picture without its lower part from a picture that only
            // lacks its end marker.
            return try decodeByLibrary(bytes, header, denominator, limits, partial)
        }
        // `warning` is the first warning. Stray bytes between segments do no harm. Any other corruption affects visible pixels.
        let isDamaged = warning.contains("Corrupt JPEG data") && !warning.contains("extraneous")
        return DecodedPicture(picture: picture, isDamaged: isDamaged)
    }

    /// Returns the largest of 8, 4, 2 and 1 that leaves at least 1.25 times the target. Only these have fast transforms.
    static func denominator(_ header: PictureHeader, _ target: (width: Int, height: Int)) -> Int {
        for denominator in [8, 4, 2] {
            let scale = 1.25 * Double(denominator)
            if Double(header.width) >= scale * Double(target.width),
                Double(header.height) >= scale * Double(target.height)
            {
                return denominator
            }
        }
        return 1
    }

    private static func scaled(_ side: Int, _ denominator: Int) -> Int { (side + denominator - 1) / denominator }

    // Better upsampling would not be visible after scaling down. The scan limit protects against scan bombs.
    private static let flags = TJFLAG_FASTUPSAMPLE | TJFLAG_LIMITSCANS

    /// Decodes luma and chroma as stored. Converting colours after scaling halves the work.
    private func planes(
        _ turbo: tjhandle, _ bytes: [UInt8], _ header: PictureHeader, _ denominator: Int,
        _ scaled: (width: Int, height: Int), _ subsampling: Int32
    ) -> (Picture, Int32) {
        func plane(_ component: Int32) -> Samples {
            let width = Int(tjPlaneWidth(component, Int32(scaled.width), subsampling))
            let height = Int(tjPlaneHeight(component, Int32(scaled.height), subsampling))
            let shrink = component == 0 ? (1.0, 1.0) : Self.chromaShrink(subsampling)
            return Samples(
                .plane, width: width, height: height,
                extentX: min(Double(width), Double(header.width) / Double(denominator) / shrink.0),
                extentY: min(Double(height), Double(header.height) / Double(denominator) / shrink.1),
                // Samples that the decoder leaves out are grey.
                bytes: [UInt8](repeating: 128, count: width * height))
        }
        let isGrey = subsampling == Int32(TJSAMP_GRAY.rawValue)
        var luma = plane(0), blue = plane(isGrey ? 0 : 1), red = plane(isGrey ? 0 : 2)
        let result = luma.bytes.withUnsafeMutableBufferPointer { luma in
            blue.bytes.withUnsafeMutableBufferPointer { blue in
                red.bytes.withUnsafeMutableBufferPointer { red in
                    var planes = [luma.baseAddress, blue.baseAddress, red.baseAddress]
                    return tjDecompressToYUVPlanes(
                        turbo, bytes, UInt(bytes.count), &planes, Int32(scaled.width), nil, Int32(scaled.height),
                        Self.flags)
                }
            }
        }
        return (isGrey ? .grey(luma) : .ycc(luma, blue, red), result)
    }

    private static func chromaShrink(_ subsampling: Int32) -> (Double, Double) {
        // The constants are signed from libjpeg-turbo 3 on.
        switch Int(subsampling) {
        case Int(TJSAMP_422.rawValue): (2, 1)
        case Int(TJSAMP_420.rawValue): (2, 2)
        case Int(TJSAMP_440.rawValue): (1, 2)
        case Int(TJSAMP_411.rawValue): (4, 1)
        default: (1, 1)
        }
    }

    /// Whether an end-of-image marker follows the beginning of the first scan. Other bytes may follow the marker.
    private static func hasEnd(_ bytes: [UInt8]) -> Bool {
        // Embedded previews have their own end markers, but those are before the scan.
        var index = bytes.count - 2
        let floor = max(0, bytes.count - (64 << 10))
        while index >= floor {
            if bytes[index] == 0xFF {
                if bytes[index + 1] == 0xD9 { return true }
                if bytes[index + 1] == 0xDA { return false }
            }
            index -= 1
        }
        return false
    }

    private func decodeByLibrary(
        _ bytes: [UInt8], _ header: PictureHeader, _ denominator: Int, _ limits: RenderLimits, _ partial: Bool
    ) throws(RenderError) -> DecodedPicture {
        guard bytes.count > header.dataStart else { throw .truncated("the JPEG ends before its picture") }
        var options = ImageJPEGOptions()
        options.denominator = Int32(denominator)
        // A picture without its end marker is read completely, because only then libjpeg reports missing data.
        options.stopAfterScan =
            partial || Self.hasEnd(bytes) ? Int32(clamping: limits.progressiveStop) : Int32.max
        options.maxScans = Int32(clamping: limits.maxScans)
        options.maxMemory = limits.workerMemory > 0 ? limits.workerMemory * 3 / 4 : 0
        options.packed = header.components == 4 ? 1 : 0
        do {
            return try runLibrary(bytes, options, partial)
        } catch {
            // The colour space is RGB, or another one that libjpeg converts.
            guard options.packed == 0, error == .broken("JPEG: not YCbCr") else { throw error }
            options.packed = 1
            return try runLibrary(bytes, options, partial)
        }
    }

    private func runLibrary(
        _ bytes: [UInt8], _ options: ImageJPEGOptions, _ partial: Bool
    ) throws(RenderError) -> DecodedPicture {
        var ok: Int32 = 0
        guard let result = ImageJPEGDecode(bytes, bytes.count, options, &ok) else {
            throw .overLimit("JPEG: out of memory")
        }
        defer { ImageJPEGFree(result) }
        if ok == 0 {
            let reason = Self.text(result)
            throw reason == "out of memory" ? .overLimit("JPEG: \(reason)") : .broken("JPEG: \(reason)")
        }
        let isDamaged = result.pointee.damaged != 0 || (result.pointee.truncated != 0 && !partial)
        return DecodedPicture(picture: Self.picture(result, options), isDamaged: isDamaged)
    }

    private static func picture(
        _ result: UnsafeMutablePointer<ImageJPEGResult>, _ options: ImageJPEGOptions
    ) -> Picture {
        let layout: Samples.Layout = options.packed == 0 ? .plane : result.pointee.cmyk == 0 ? .rgbx : .invertedCMYK
        // Browsers treat 255 as no ink, whether or not Adobe's marker is present.
        let first = samples(result.pointee.planes.0, layout)
        if options.packed != 0 { return .packed(first) }
        guard result.pointee.planeCount == 3 else { return .grey(first) }
        return .ycc(first, samples(result.pointee.planes.1, .plane), samples(result.pointee.planes.2, .plane))
    }

    private static func text(_ result: UnsafeMutablePointer<ImageJPEGResult>) -> String {
        withUnsafeBytes(of: result.pointee.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private static func samples(_ plane: ImageJPEGPlane, _ layout: Samples.Layout) -> Samples {
        let count = Int(plane.stride) * Int(plane.height)
        return Samples(
            layout, width: Int(plane.width), height: Int(plane.height), stride: Int(plane.stride),
            extentX: min(plane.extentX, Double(plane.width)), extentY: min(plane.extentY, Double(plane.height)),
            bytes: [UInt8](UnsafeBufferPointer(start: plane.samples, count: count)))
    }
}
