import CImageCodecs

/// Encodes upright sRGB pictures. An instance belongs to one thread.
final class ThumbnailEncoder {
    private let turbo: tjhandle?
    private var buffer: UnsafeMutablePointer<UInt8>?
    private var capacity: UInt = 0

    init() { turbo = tjInitCompress() }

    deinit {
        if let turbo { tjDestroy(turbo) }
        if let buffer { tjFree(buffer) }
    }

    /// - Parameters:
    ///   - quality: 1 to 100.
    ///   - colors: only WebP can be lossless. JPEG then keeps colours at full resolution.
    func encode(
        _ picture: Picture, as format: ThumbnailFormat, quality: Int, _ colors: ColorDetail = .halved
    ) throws(RenderError) -> [UInt8] {
        let quality = max(1, min(100, quality))
        switch format {
        case .jpeg: return try encodeJPEG(picture, Int32(quality), colors == .halved ? TJSAMP_420 : TJSAMP_444)
        case .webp:
            // Draws transparent parts on a ground, as for JPEG, so that a picture looks the same at every size.
            let pixels = colors == .lossless ? picture.pixels().onGround() : picture.pixels()
            return try WebPEncoder.encode(pixels, quality: Float(quality), colors)
        }
    }

    private func encodeJPEG(
        _ picture: Picture, _ quality: Int32, _ sampling: TJSAMP
    ) throws(RenderError) -> [UInt8] {
        guard let turbo else { throw .noWorker("out of memory") }
        let (width, height) = picture.size
        let result: Int32
        switch picture {
        case .grey(let luma):
            result = encodePlanes([luma], width, height, TJSAMP_GRAY, quality)
        case .ycc(let luma, let blue, let red):
            result = encodePlanes([luma, blue, red], width, height, sampling, quality)
        case .packed(let samples):
            let pixels = samples.onGround()
            reserve(width, height, sampling)
            result = tjCompress2(
                turbo, pixels.bytes, Int32(width), Int32(pixels.stride), Int32(height), Int32(TJPF_RGBX.rawValue),
                &buffer,
                &capacity, Int32(sampling.rawValue), quality, TJFLAG_NOREALLOC)
        }
        guard result == 0, let buffer else {
            throw .broken("the thumbnail cannot be encoded: \(String(cString: tjGetErrorStr2(turbo)))")
        }
        defer { capacity = reserved }
        return [UInt8](UnsafeBufferPointer(start: buffer, count: Int(capacity)))
    }

    private func encodePlanes(
        _ planes: [Samples], _ width: Int, _ height: Int, _ sampling: TJSAMP, _ quality: Int32
    ) -> Int32 {
        reserve(width, height, sampling)
        var strides = planes.map { Int32($0.stride) }
        // A grey picture has no chroma. Its luma plane fills the unused parameters.
        return planes[0].bytes.withUnsafeBufferPointer { luma in
            (planes.count > 1 ? planes[1] : planes[0]).bytes.withUnsafeBufferPointer { blue in
                (planes.count > 2 ? planes[2] : planes[0]).bytes.withUnsafeBufferPointer { red in
                    var pointers = [luma.baseAddress, blue.baseAddress, red.baseAddress]
                    return tjCompressFromYUVPlanes(
                        turbo, &pointers, Int32(width), &strides, Int32(height), Int32(sampling.rawValue), &buffer,
                        &capacity, quality, TJFLAG_NOREALLOC)
                }
            }
        }
    }

    private var reserved: UInt = 0

    /// Allocates memory for the largest JPEG of this size. The memory is reused for the next picture.
    private func reserve(_ width: Int, _ height: Int, _ sampling: TJSAMP) {
        let needed = tjBufSize(Int32(width), Int32(height), Int32(sampling.rawValue))
        if needed > reserved {
            if let buffer { tjFree(buffer) }
            buffer = tjAlloc(Int32(clamping: needed))
            reserved = needed
        }
        capacity = reserved
    }
}
