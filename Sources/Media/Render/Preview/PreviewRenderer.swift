import Numbers

/// Turns the preview in a picture into a thumbnail: upright, cropped to the picture's shape, at the preview's own size. An instance belongs
/// to one thread.
package final class PreviewRenderer {
    private let limits: RenderLimits
    private let jpeg = JPEGDecoder()
    private let scaler = PictureScaler()
    private let encoder = ThumbnailEncoder()

    /// Longest side of an accepted preview, in pixels.
    static let longestSide = 1024
    /// Mean brightness below which the pixels beside the picture count as bars, 0 ... 255. Some bars are noisy.
    static let darkest = 25
    /// Number of pixels beside the picture that are not measured, because the bar and the picture bleed into each other.
    private static let margin = 2
    /// Maximum size in bytes of a preview that is used unchanged.
    package static let maximumPassed = 16 << 10

    package init(limits: RenderLimits) { self.limits = limits }

    /// - Parameters:
    ///   - bytes: the preview, a JPEG. For a HEIC, the whole file that contains the preview.
    ///   - frame: size and orientation of the picture.
    /// - Throws: ``RenderError/unsupported(_:)`` if the preview does not show the picture in its current form.
    package func render(_ bytes: [UInt8], of frame: PreviewFrame, quality: Int) throws(RenderError) -> Thumbnail {
        let header = try PictureHeader(bytes)
        if header.kind == .heic, header.kind.isBuiltIn {
            guard ToneMap(transfer: header.transfer, primaries: header.primaries) == nil else {
                throw .unsupported("a preview of high dynamic range")
            }
            return try render(heic: bytes, header, of: frame, quality: quality)
        }
        guard header.kind == .jpeg, max(header.width, header.height) <= Self.longestSide else {
            throw .unsupported("a preview of \(header.width) x \(header.height) pixels")
        }
        guard let content = frame.content(width: header.width, height: header.height) else {
            throw .unsupported("a preview that was not rotated with its picture")
        }
        let size = (width: header.width, height: header.height)
        let decoded = try jpeg.decode(bytes, header, target: size, limits: limits, partial: false)
        guard !decoded.isDamaged else { throw .broken("the preview is damaged") }
        if content == .all, frame.orientation == .up, bytes.count <= Self.maximumPassed {
            // The preview can be decoded and needs no change.
            return Thumbnail(
                width: size.width, height: size.height, mediaType: ThumbnailFormat.jpeg.mediaType, bytes: bytes,
                thumbHash: hash(decoded.picture), sourceWidth: frame.width, sourceHeight: frame.height)
        }
        let pixels = scaler.scale(decoded.picture, to: size, .up, chroma: .full).pixels()
        var cut = pixels
        if case .boxed(let columns, let rows) = content {
            guard Self.brightness(of: pixels, besides: columns, rows) < Self.darkest else {
                throw .unsupported("a preview of another shape than its picture")
            }
            cut = pixels.cut(columns, rows)
        }
        return try thumbnail(.packed(cut), (cut.width, cut.height), of: frame, quality: quality)
    }

    private func render(
        heic bytes: [UInt8], _ header: PictureHeader, of frame: PreviewFrame, quality: Int
    ) throws(RenderError) -> Thumbnail {
        let decoded = try HEIFDecoder.thumbnail(bytes, header, limits: limits)
        let size = decoded.picture.size
        guard max(size.width, size.height) <= Self.longestSide,
            frame.content(width: size.width, height: size.height) == .all
        else { throw .unsupported("a preview of \(size.width) x \(size.height) pixels") }
        return try thumbnail(decoded.picture, size, of: frame, quality: quality)
    }

    private func thumbnail(
        _ picture: Picture, _ size: (width: Int, height: Int), of frame: PreviewFrame, quality: Int
    ) throws(RenderError) -> Thumbnail {
        let turns = frame.orientation.swapsSides
        let upright = turns ? (width: size.height, height: size.width) : size
        let picture = scaler.scale(picture, to: upright, frame.orientation, chroma: .full)
        return Thumbnail(
            width: upright.width, height: upright.height, mediaType: ThumbnailFormat.jpeg.mediaType,
            bytes: try encoder.encode(.packed(picture.pixels()), as: .jpeg, quality: quality), thumbHash: hash(picture),
            sourceWidth: turns ? frame.height : frame.width, sourceHeight: turns ? frame.width : frame.height)
    }

    /// Returns the mean brightness of the pixels outside a box and its margin.
    private static func brightness(of pixels: Samples, besides columns: Range<Int>, _ rows: Range<Int>) -> Int {
        let columns = columns.lowerBound - margin..<columns.upperBound + margin
        let rows = rows.lowerBound - margin..<rows.upperBound + margin
        var sum = 0
        var count = 0
        for row in 0..<pixels.height {
            for column in 0..<pixels.width where !(rows.contains(row) && columns.contains(column)) {
                let place = row * pixels.stride + column * 4
                sum += Int(pixels.bytes[place]) + 2 * Int(pixels.bytes[place + 1]) + Int(pixels.bytes[place + 2])
                count += 4
            }
        }
        return count == 0 ? 0 : sum / count
    }

    private func hash(_ picture: Picture) -> [UInt8] {
        let (width, height) = picture.size
        let scale = min(1, 32 / Double(max(width, height, 1)))
        func scaled(_ side: Int) -> Int { max(1, Int(clamping: (Double(side) * scale).rounded())) }
        let pixels = scaler.scale(picture, to: (scaled(width), scaled(height)), .up, chroma: .full).pixels()
        var rgba = pixels.bytes
        for alpha in stride(from: 3, to: rgba.count, by: 4) { rgba[alpha] = 255 }
        return ThumbHash(width: pixels.width, height: pixels.height, rgba: rgba)?.bytes ?? []
    }
}

extension Samples {
    fileprivate func cut(_ columns: Range<Int>, _ rows: Range<Int>) -> Samples {
        var part: [UInt8] = []
        part.reserveCapacity(columns.count * rows.count * 4)
        for row in rows {
            part += bytes[row * stride + columns.lowerBound * 4..<row * stride + columns.upperBound * 4]
        }
        return Samples(.rgbx, width: columns.count, height: rows.count, bytes: part)
    }
}
