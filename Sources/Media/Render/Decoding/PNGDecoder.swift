import CImageCodecs

/// Decodes PNG with libpng's simplified interface, which handles 16 bit, palettes, transparency, interlacing and gamma. Files that it
/// refuses are decoded a second time, row by row, to show as many rows as possible.
enum PNGDecoder {
    static func decode(_ bytes: [UInt8], _ header: PictureHeader) throws(RenderError) -> DecodedPicture {
        try Memory.expect(header.width * header.height * 4)
        let essential = PNGChunks.essential(bytes)
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        defer { png_image_free(&image) }
        // The library reads from these bytes until it is done.
        let result: Result<DecodedPicture, RenderError> = essential.withUnsafeBytes { source in
            guard png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0 else {
                return salvaged(essential, header, failure(image))
            }
            guard Int(image.width) == header.width, Int(image.height) == header.height else {
                return .failure(.broken("PNG: contradictory sizes"))
            }
            return finish(&image, header).flatMapError { salvaged(essential, header, $0) }
        }
        return try result.get()
    }

    /// Returns as many rows as can be read, or the error if there are none.
    private static func salvaged(
        _ bytes: [UInt8], _ header: PictureHeader, _ error: RenderError
    ) -> Result<DecodedPicture, RenderError> {
        var pixels = [UInt8](repeating: 0, count: header.width * header.height * 4)
        let rows = ImagePNGSalvage(bytes, bytes.count, UInt32(header.width), UInt32(header.height), &pixels)
        guard rows > 0 else { return .failure(error) }
        // Missing rows are transparent.
        let samples = Samples(.rgba, width: header.width, height: header.height, bytes: pixels)
        return .success(DecodedPicture(picture: .packed(samples), isDamaged: true))
    }

    private static func finish(_ image: inout png_image, _ header: PictureHeader) -> Result<DecodedPicture, RenderError>
    {
        let hasAlpha = image.format & PNG_FORMAT_FLAG_ALPHA != 0
        // 16-bit pictures without a gamma chunk are sRGB in practice, not linear light.
        image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
        // Requests alpha even for an opaque picture, because the resampler reads four bytes per pixel.
        image.format = PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA
        let stride = header.width * 4
        var isRead = false
        let pixels = [UInt8](unsafeUninitializedCapacity: stride * header.height) { buffer, initialized in
            // The library writes every row of a picture that it accepts. Otherwise the buffer is discarded.
            isRead = png_image_finish_read(&image, nil, buffer.baseAddress, Int32(stride), nil) != 0
            initialized = isRead ? stride * header.height : 0
        }
        guard isRead else { return .failure(failure(image)) }
        let samples = Samples(hasAlpha ? .rgba : .rgbx, width: header.width, height: header.height, bytes: pixels)
        return .success(DecodedPicture(picture: .packed(samples)))
    }

    private static func failure(_ image: png_image) -> RenderError {
        let message = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        // libpng's memory reader reports "Read Error" if the bytes end early.
        if message.contains("read beyond end") || message.contains("Read Error") || message.contains("Not enough") {
            return .truncated("the PNG ends early")
        }
        return .broken("PNG: \(message)")
    }
}
