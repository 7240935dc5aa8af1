import CImageCodecs

/// Decodes the first frame of a GIF onto its screen. giflib's own "slurp" function would decode every frame.
enum GIFDecoder {
    static func decode(
        _ bytes: [UInt8], _ header: PictureHeader, limits: RenderLimits
    ) throws(RenderError) -> DecodedPicture {
        var source = Source(offset: 0, bytes: nil, count: bytes.count)
        var result: Result<DecodedPicture, RenderError> = .failure(.broken("GIF"))
        bytes.withUnsafeBufferPointer { buffer in
            source.bytes = buffer.baseAddress
            withUnsafeMutablePointer(to: &source) { source in
                var code: Int32 = 0
                guard let file = DGifOpen(source, readBytes, &code) else {
                    result = .failure(failure(code))
                    return
                }
                defer { _ = DGifCloseFile(file, nil) }
                do throws(RenderError) {
                    result = .success(try firstFrame(file, header, limits))
                } catch {
                    result = .failure(error)
                }
            }
        }
        return try result.get()
    }

    private struct Source {
        var offset: Int
        var bytes: UnsafePointer<UInt8>?
        let count: Int
    }

    private static let readBytes: InputFunc = { file, into, count in
        guard let source = file?.pointee.UserData?.assumingMemoryBound(to: Source.self), let into,
            let bytes = source.pointee.bytes
        else { return 0 }
        let taken = max(0, min(Int(count), source.pointee.count - source.pointee.offset))
        into.update(from: bytes + source.pointee.offset, count: taken)
        source.pointee.offset += taken
        return Int32(taken)
    }

    private static func firstFrame(
        _ file: UnsafeMutablePointer<GifFileType>, _ header: PictureHeader, _ limits: RenderLimits
    ) throws(RenderError) -> DecodedPicture {
        var transparent = -1
        while true {
            var type = UNDEFINED_RECORD_TYPE
            guard DGifGetRecordType(file, &type) != 0 else { throw failure(file.pointee.Error) }
            switch type {
            case EXTENSION_RECORD_TYPE: try readExtension(file, &transparent)
            case IMAGE_DESC_RECORD_TYPE: return try readImage(file, header, limits, transparent)
            case TERMINATE_RECORD_TYPE: throw .broken("GIF without a picture")
            default: continue
            }
        }
    }

    private static func readExtension(
        _ file: UnsafeMutablePointer<GifFileType>, _ transparent: inout Int
    ) throws(RenderError) {
        var code: Int32 = 0
        var block: UnsafeMutablePointer<GifByteType>?
        guard DGifGetExtension(file, &code, &block) != 0 else { throw failure(file.pointee.Error) }
        // A graphic control block consists of length, flags, delay (2 bytes) and transparent index.
        if code == GRAPHICS_EXT_FUNC_CODE, let block, block[0] >= 4 {
            transparent = block[1] & 1 != 0 ? Int(block[4]) : -1
        }
        while block != nil {
            guard DGifGetExtensionNext(file, &block) != 0 else { throw failure(file.pointee.Error) }
        }
    }

    private static func readImage(
        _ file: UnsafeMutablePointer<GifFileType>, _ header: PictureHeader, _ limits: RenderLimits, _ transparent: Int
    ) throws(RenderError) -> DecodedPicture {
        guard DGifGetImageDesc(file) != 0 else { throw failure(file.pointee.Error) }
        let image = file.pointee.Image
        let left = Int(image.Left), top = Int(image.Top), width = Int(image.Width), height = Int(image.Height)
        guard width > 0, height > 0 else { throw .broken("GIF: a frame of \(width) x \(height) pixels") }
        let maximum = limits.maximumPixels(of: .gif)
        guard width * height <= maximum else {
            throw .overLimit(
                "GIF frame of \(width) x \(height) pixels is over the limit of "
                    + "\(decimal(Double(maximum) / 1e6)) megapixels")
        }
        guard let map = image.ColorMap ?? file.pointee.SColorMap, let colors = map.pointee.Colors else {
            throw .broken("GIF without a palette")
        }
        let palette = (0..<256).map { index -> (UInt8, UInt8, UInt8, UInt8) in
            if index == transparent { return (0, 0, 0, 0) }
            guard index < Int(map.pointee.ColorCount) else { return (0, 0, 0, 255) }
            return (colors[index].Red, colors[index].Green, colors[index].Blue, 255)
        }
        let canvasWidth = header.width, canvasHeight = header.height
        let covers = left == 0 && top == 0 && width >= canvasWidth && height >= canvasHeight
        try Memory.expect(canvasWidth * canvasHeight * 4)
        var pixels = [UInt8](repeating: 0, count: canvasWidth * canvasHeight * 4)
        var line = [GifPixelType](repeating: 0, count: width)
        func draw(_ row: Int) {
            let y = top + row
            guard y >= 0, y < canvasHeight else { return }
            for column in 0..<width where left + column >= 0 && left + column < canvasWidth {
                let place = (y * canvasWidth + left + column) * 4
                let color = palette[Int(line[column])]
                (pixels[place], pixels[place + 1], pixels[place + 2], pixels[place + 3]) = color
            }
        }
        let rows = order(height, interlaced: image.Interlace)
        var isDamaged = false
        for (number, row) in rows.enumerated() {
            if DGifGetLine(file, &line, Int32(width)) != 0 {
                draw(row)
                continue
            }
            guard number > 0 else { throw failure(file.pointee.Error) }
            // Draws the pixels of this row that arrived. The rest of `line` still contains the row before it.
            draw(row)
            isDamaged = true
            if image.Interlace {
                let missing = rows.dropFirst(number + 1).map { $0 + top }.filter { (0..<canvasHeight).contains($0) }
                repeatRows(&pixels, stride: canvasWidth * 4, missing: missing)
            }
            break
        }
        let layout: Samples.Layout = covers && transparent < 0 && !isDamaged ? .rgbx : .rgba
        let samples = Samples(layout, width: canvasWidth, height: canvasHeight, bytes: pixels)
        return DecodedPicture(picture: .packed(samples), isDamaged: isDamaged)
    }

    /// Fills each missing row of an interlaced picture with the row above.
    private static func repeatRows(_ pixels: inout [UInt8], stride: Int, missing: [Int]) {
        for row in missing.sorted() where row > 0 {
            for place in row * stride..<(row + 1) * stride { pixels[place] = pixels[place - stride] }
        }
    }

    /// Returns the order of the rows (GIF89a, appendix E).
    private static func order(_ height: Int, interlaced: Bool) -> [Int] {
        guard interlaced else { return Array(0..<height) }
        return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    private static func failure(_ code: Int32) -> RenderError {
        switch code {
        case Int32(D_GIF_ERR_READ_FAILED), Int32(D_GIF_ERR_EOF_TOO_SOON): return .truncated("the GIF ends early")
        case Int32(D_GIF_ERR_NOT_ENOUGH_MEM): return .overLimit("GIF: out of memory")
        default:
            let text = GifErrorString(code).map { String(cString: $0) } ?? "code \(code)"
            return .broken("GIF: \(text)")
        }
    }
}
