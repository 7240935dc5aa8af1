import CImageCodecs
import Glibc

/// Real encoders, so that tests need no picture files.
package enum Encode {
    package static func jpeg(
        _ picture: TestPicture, quality: Int32 = 92, sampling: TJSAMP = TJSAMP_420, progressive: Bool = false
    ) -> [UInt8] {
        compress(picture.rgba, picture, TJPF_RGBX, quality, sampling, progressive)
    }

    /// Encodes YCCK with Adobe's marker and inversion. TurboJPEG interprets 255 as no ink.
    package static func cmyk(_ picture: TestPicture) -> [UInt8] {
        var inks = picture.rgba
        for i in stride(from: 0, to: inks.count, by: 4) { inks[i + 3] = 255 }
        return compress(inks, picture, TJPF_CMYK, 95, TJSAMP_444, false)
    }

    private static func compress(
        _ bytes: [UInt8], _ picture: TestPicture, _ format: TJPF, _ quality: Int32, _ sampling: TJSAMP,
        _ progressive: Bool
    ) -> [UInt8] {
        let handle = tjInitCompress()
        defer { tjDestroy(handle) }
        var buffer: UnsafeMutablePointer<UInt8>?
        var size: UInt = 0
        tjCompress2(
            handle, bytes, Int32(picture.width), 0, Int32(picture.height), Int32(format.rawValue), &buffer, &size,
            Int32(sampling.rawValue), quality, progressive ? TJFLAG_PROGRESSIVE : 0)
        defer { tjFree(buffer) }
        return Array(UnsafeBufferPointer(start: buffer, count: Int(size)))
    }

    package static func png(_ picture: TestPicture, alpha: Bool = true) -> [UInt8] {
        let bytes = alpha ? picture.rgba : picture.rgba.indices.filter { $0 % 4 != 3 }.map { picture.rgba[$0] }
        return png(picture, alpha ? PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA : PNG_FORMAT_FLAG_COLOR, bytes)
    }

    /// Encodes a PNG with 16 bits per channel, which libpng treats as linear light.
    package static func png16(_ picture: TestPicture) -> [UInt8] {
        var samples: [UInt16] = []
        for i in stride(from: 0, to: picture.rgba.count, by: 4) {
            for channel in 0..<3 {
                let value = Double(picture.rgba[i + channel]) / 255
                let linear = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
                samples.append(UInt16((linear * 65535).rounded()))
            }
        }
        return png(picture, PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_LINEAR, samples)
    }

    private static func png<Sample: FixedWidthInteger & BitwiseCopyable>(
        _ picture: TestPicture, _ format: UInt32, _ samples: [Sample]
    ) -> [UInt8] {
        var image = png_image()
        image.version = UInt32(PNG_IMAGE_VERSION)
        image.width = UInt32(picture.width)
        image.height = UInt32(picture.height)
        image.format = format
        var size = picture.rgba.count * 4 + 65536
        var bytes = [UInt8](repeating: 0, count: size)
        samples.withUnsafeBytes { _ = png_image_write_to_memory(&image, &bytes, &size, 0, $0.baseAddress, 0, nil) }
        return Array(bytes.prefix(size))
    }

    package static func webp(_ picture: TestPicture, lossless: Bool = false, quality: Float = 92) -> [UInt8] {
        var output: UnsafeMutablePointer<UInt8>?
        let width = Int32(picture.width), height = Int32(picture.height)
        let size =
            lossless
            ? WebPEncodeLosslessRGBA(picture.rgba, width, height, width * 4, &output)
            : WebPEncodeRGBA(picture.rgba, width, height, width * 4, quality, &output)
        defer { WebPFree(output) }
        return Array(UnsafeBufferPointer(start: output, count: size))
    }

    /// Encodes a GIF with at most 256 colours. `second` adds another frame. Fully transparent pixels become index 0.
    package static func gif(
        _ picture: TestPicture, interlaced: Bool = false, second: TestPicture? = nil, localPalette: Bool = false,
        screen: (width: Int, height: Int)? = nil, at offset: (x: Int, y: Int) = (0, 0)
    ) -> [UInt8] {
        final class Sink { var bytes: [UInt8] = [] }
        let sink = Sink()
        let write: OutputFunc = { file, bytes, count in
            if let file, let sink = file.pointee.UserData {
                Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().bytes +=
                    UnsafeBufferPointer(start: bytes, count: Int(count))
            }
            return count
        }
        var code: Int32 = 0
        guard let file = EGifOpen(Unmanaged.passUnretained(sink).toOpaque(), write, &code) else { return [] }
        EGifSetGifVersion(file, true)
        var palette: [[UInt8]] = [[0, 0, 0, 0]]
        for frame in [picture, second].compactMap({ $0 }) {
            for i in stride(from: 0, to: frame.rgba.count, by: 4) {
                let color = Array(frame.rgba[i..<i + 4])
                if color[3] == 255, !palette.contains(color) { palette.append(color) }
            }
        }
        var colors = palette.map { GifColorType(Red: $0[0], Green: $0[1], Blue: $0[2]) }
        while colors.count < 8 { colors.append(GifColorType(Red: 1, Green: 2, Blue: 3)) }
        let map = GifMakeMapObject(8, colors)
        let width = screen?.width ?? picture.width, height = screen?.height ?? picture.height
        EGifPutScreenDesc(file, Int32(width), Int32(height), 8, 0, localPalette ? nil : map)
        for frame in [picture, second].compactMap({ $0 }) {
            EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, [1, 5, 0, 0] as [UInt8])
            EGifPutImageDesc(
                file, Int32(offset.x), Int32(offset.y), Int32(frame.width), Int32(frame.height), interlaced,
                localPalette ? map : nil)
            let indices = stride(from: 0, to: frame.rgba.count, by: 4).map { i in
                GifPixelType(palette.firstIndex(of: Array(frame.rgba[i..<i + 4])) ?? 0)
            }
            let rows =
                interlaced
                ? [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: frame.height, by: $0.1)) }
                : Array(0..<frame.height)
            for row in rows {
                var line = Array(indices[row * frame.width..<(row + 1) * frame.width])
                EGifPutLine(file, &line, Int32(frame.width))
            }
        }
        EGifCloseFile(file, nil)
        GifFreeMapObject(map)
        return withExtendedLifetime(sink) { sink.bytes }
    }
}
