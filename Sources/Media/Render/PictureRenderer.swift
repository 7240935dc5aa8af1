import Numbers

/// Renders pictures in the current process and on the caller's thread, as a worker does. Decoders and buffers are reused for the next
/// picture. An instance belongs to one thread.
///
/// Use a ``Renderer`` for untrusted bytes: its workers may crash without harm.
package final class PictureRenderer {
    package let limits: RenderLimits
    private let jpeg = JPEGDecoder()
    private let scaler = PictureScaler()
    private let profiles = ColorProfiles()
    private let encoder = ThumbnailEncoder()
    /// Renders previews.
    private(set) lazy var previews = PreviewRenderer(limits: limits)

    package init(limits: RenderLimits = RenderLimits()) { self.limits = limits }

    /// Renders an encoded picture upright and in sRGB. Transparent parts are white in a JPEG, or grey if the picture itself is white. They
    /// stay transparent in a WebP.
    package func render(
        _ bytes: [UInt8], size: ThumbnailSize, options: RenderOptions = RenderOptions()
    ) throws(RenderError) -> Thumbnail {
        let whole = try admit(bytes)
        let upright = (width: whole.uprightWidth, height: whole.uprightHeight)
        let target = size.size(forPicture: upright.width, upright.height)
        let (bytes, header) = try shown(bytes, whole, target)
        let decoded = try decode(bytes, header, target: target, partial: options.acceptsPartial)
        let colors = ColorDetail(of: decoded.picture, header, target: target)
        // Pictures that keep their size and all their pixels become WebP, a lossless format that every browser shows.
        let format = colors == .lossless ? .webp : options.format
        let chroma: PictureScaler.Chroma = format == .jpeg && colors == .halved ? .halved : .full
        let final = finish(decoded, bytes, header, target, chroma)
        let encoded = try encoder.encode(final, as: format, quality: options.quality, colors)
        let hash = hash(final)
        var small: [UInt8] = []
        if options.smallSide > 0 {
            let size = ThumbnailSize(width: 0, height: 0).fitting(target, longest: options.smallSide)
            let picture = scaler.scale(final, to: size, .up, chroma: chroma)
            small = try encoder.encode(picture, as: format, quality: options.quality, colors)
        }
        var thumbnail = Thumbnail(
            width: target.width, height: target.height, mediaType: format.mediaType, bytes: encoded,
            thumbHash: hash, sourceWidth: upright.width, sourceHeight: upright.height, small: small,
            isDamaged: decoded.isDamaged)
        thumbnail.hasPreview = JPEGHead(Array(bytes.prefix(JPEGHead.length)))?.preview != nil
        return thumbnail
    }

    /// Returns the upright thumbnail before encoding, as rows of red, green, blue and alpha. For measuring quality.
    package func pixels(
        _ bytes: [UInt8], size: ThumbnailSize
    ) throws(RenderError) -> (width: Int, height: Int, rgba: [UInt8]) {
        let whole = try admit(bytes)
        let target = size.size(forPicture: whole.uprightWidth, whole.uprightHeight)
        let (bytes, header) = try shown(bytes, whole, target)
        let decoded = try decode(bytes, header, target: target, partial: false)
        let final = finish(decoded, bytes, header, target, .full).pixels()
        return (final.width, final.height, final.bytes)
    }

    private func admit(_ bytes: [UInt8]) throws(RenderError) -> PictureHeader {
        guard bytes.count <= limits.maxBytes else {
            throw .overLimit("\(bytes.count) bytes are over the limit of \(limits.maxBytes)")
        }
        let kind = try PictureKind(bytes)
        guard kind.isBuiltIn else { throw .notBuiltIn(kind) }
        let header = try PictureHeader(bytes)
        try limits.check(header, bytes: bytes.count)
        return header
    }

    /// Returns the bytes to decode: the picture itself, or the smallest sufficient preview of a RAW file.
    private func shown(
        _ bytes: [UInt8], _ header: PictureHeader, _ target: (width: Int, height: Int)
    ) throws(RenderError) -> ([UInt8], PictureHeader) {
        guard header.kind == .raw else { return (bytes, header) }
        let picture = try RAWPicture(FilePieces(bytes))
        let stored = picture.orientation.swapsSides ? (width: target.height, height: target.width) : target
        guard let preview = picture.preview(for: stored) else { throw .unsupported("RAW without a preview") }
        let jpeg = Array(bytes[preview.range])
        var header = try PictureHeader(jpeg)
        header.orientation = picture.orientation
        try limits.check(header)
        return (jpeg, header)
    }

    private func decode(
        _ bytes: [UInt8], _ header: PictureHeader, target: (width: Int, height: Int), partial: Bool
    ) throws(RenderError) -> DecodedPicture {
        let stored = header.orientation.swapsSides ? (width: target.height, height: target.width) : target
        switch header.kind {
        case .jpeg, .raw: return try jpeg.decode(bytes, header, target: stored, limits: limits, partial: partial)
        case .png: return try PNGDecoder.decode(bytes, header)
        case .webp: return try WebPDecoder.decode(bytes, header, target: stored)
        case .gif: return try GIFDecoder.decode(bytes, header, limits: limits)
        case .heic, .avif, .jxl: return try HEIFDecoder.decode(bytes, header, target: stored, limits: limits)
        case .tiff: return try TIFFDecoder.decode(bytes, header, target: stored, limits: limits)
        case .bmp: return try BMPDecoder.decode(bytes, header)
        case .video: return try VideoDecoder.decode(bytes, header, limits: limits)
        }
    }

    /// Scales and turns the picture, and converts its colours. A picture that needs no colour conversion keeps JPEG's planes up to the
    /// encoder.
    private func finish(
        _ decoded: DecodedPicture, _ bytes: [UInt8], _ header: PictureHeader, _ target: (width: Int, height: Int),
        _ chroma: PictureScaler.Chroma
    ) -> Picture {
        let conversion = profiles.conversion(bytes, header, decoded, limits: limits)
        switch conversion {
        case .none:
            let scaled = scaler.scale(decoded.picture, to: target, header.orientation, chroma: chroma)
            if case .packed(let samples) = scaled, samples.layout == .invertedCMYK { return .packed(scaled.pixels()) }
            return scaled
        case .toneMap(let toneMap):
            let scaled = scaler.scale(decoded.picture, to: target, header.orientation, chroma: .full)
            return .packed(toneMap.convert(scaled.pixels()))
        case .transform(let transform, let takesGrey):
            let scaled = scaler.scale(decoded.picture, to: target, header.orientation, chroma: .full)
            let samples: Samples
            switch scaled {
            case .grey(let luma) where takesGrey: samples = luma
            case .packed(let pixels): samples = pixels
            default: samples = scaled.pixels()
            }
            return .packed(profiles.convert(samples, by: transform))
        }
    }

    private func hash(_ picture: Picture) -> [UInt8] {
        let size = ThumbnailSize(width: 0, height: 0).fitting(picture.size, longest: 32)
        let pixels = scaler.scale(picture, to: size, .up, chroma: .full).pixels()
        var rgba = pixels.bytes
        if pixels.layout == .rgbx { for i in stride(from: 3, to: rgba.count, by: 4) { rgba[i] = 255 } }
        return ThumbHash(width: pixels.width, height: pixels.height, rgba: rgba)?.bytes ?? []
    }
}

extension ThumbnailSize {
    /// Returns a picture's size reduced to fit a square. Never enlarges.
    fileprivate func fitting(_ size: (width: Int, height: Int), longest: Int) -> (width: Int, height: Int) {
        let scale = min(1, Double(longest) / Double(max(size.width, size.height, 1)))
        func scaled(_ side: Int) -> Int { max(1, Int(clamping: (Double(side) * scale).rounded())) }
        return (scaled(size.width), scaled(size.height))
    }
}
