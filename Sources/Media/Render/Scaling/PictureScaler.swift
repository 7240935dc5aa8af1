/// Scales a decoded picture and turns it upright.
final class PictureScaler {
    private let resampler = Resampler()

    enum Chroma {
        /// Half of luma's resolution, as required by the JPEG encoder.
        case halved
        /// Luma's resolution, for conversion to pixels.
        case full
    }

    /// - Parameters:
    ///   - size: size of the upright result in pixels.
    ///   - orientation: how `picture` must be turned.
    func scale(_ picture: Picture, to size: (width: Int, height: Int), _ orientation: Orientation, chroma: Chroma)
        -> Picture
    {
        switch picture {
        case .grey(let luma):
            return .grey(scale(luma, size, orientation, divisor: 1, padding: 1))
        case .packed(let pixels):
            return .packed(scale(pixels, size, orientation, divisor: 1, padding: 1))
        case .ycc(let luma, let blue, let red):
            let divisor = chroma == .halved ? 2 : 1
            // In 4:2:0, luma needs two samples for each chroma sample in both directions.
            return .ycc(
                scale(luma, size, orientation, divisor: 1, padding: divisor),
                scale(blue, size, orientation, divisor: divisor, padding: 1),
                scale(red, size, orientation, divisor: divisor, padding: 1))
        }
    }

    private func scale(
        _ samples: Samples, _ size: (width: Int, height: Int), _ orientation: Orientation, divisor: Int, padding: Int
    ) -> Samples {
        let stored = orientation.swapsSides ? (width: size.height, height: size.width) : size
        func axis(_ count: Int, _ extent: Double, _ output: Int, _ flipped: Bool) -> ResampleAxis {
            ResampleAxis(
                samples: count, extent: extent, count: (output + divisor - 1) / divisor,
                outputExtent: Double(output) / Double(divisor), isFlipped: flipped)
        }
        let x = axis(samples.width, samples.extentX, stored.width, orientation.flipsX)
        let y = axis(samples.height, samples.extentY, stored.height, orientation.flipsY)
        func padded(_ count: Int) -> Int { (count + padding - 1) / padding * padding }
        let channels = samples.layout.channels
        var scaled = resampler.resample(samples, x: x, y: y, stride: padded(x.count) * channels, rows: padded(y.count))
        if orientation.swapsSides { scaled = scaled.transposed() }
        scaled.extentX = Double(size.width) / Double(divisor)
        scaled.extentY = Double(size.height) / Double(divisor)
        return scaled
    }
}

extension Samples {
    /// Swaps columns and rows, including their padding.
    func transposed() -> Samples {
        let channels = layout.channels
        let columns = stride / channels, rows = bytes.count / stride
        var result = [UInt8](repeating: 0, count: bytes.count)
        bytes.withUnsafeBufferPointer { from in
            result.withUnsafeMutableBufferPointer { to in
                for row in 0..<rows {
                    for column in 0..<columns {
                        for channel in 0..<channels {
                            to[(column * rows + row) * channels + channel] =
                                from[row * stride + column * channels + channel]
                        }
                    }
                }
            }
        }
        return Samples(layout, width: height, height: width, stride: rows * channels, bytes: result)
    }
}

extension Picture {
    package var size: (width: Int, height: Int) {
        switch self {
        case .grey(let samples), .ycc(let samples, _, _), .packed(let samples): (samples.width, samples.height)
        }
    }

    /// Converts the picture to red, green, blue and alpha, without a colour profile. Chroma planes must have luma's resolution.
    func pixels() -> Samples {
        switch self {
        case .grey(let luma): return Self.pixels(luma) { y, _ in (y, y, y) }
        case .ycc(let luma, let blue, let red):
            // JFIF 1.02: full-range BT.601.
            return Self.pixels(luma) { y, place in
                let cb = Float(blue.bytes[place]) - 128, cr = Float(red.bytes[place]) - 128
                let luma = Float(y)
                func byte(_ value: Float) -> UInt8 { UInt8(max(0, min(255, value.rounded()))) }
                return (byte(luma + 1.402 * cr), byte(luma - 0.344136 * cb - 0.714136 * cr), byte(luma + 1.772 * cb))
            }
        case .packed(let samples):
            guard samples.layout == .invertedCMYK else { return samples }
            return samples.mapPixels { c, m, y, k in
                func ink(_ value: UInt8) -> UInt8 { UInt8((Int(value) * Int(k) + 127) / 255) }
                return (ink(c), ink(m), ink(y), 255)
            }
        }
    }

    private static func pixels(
        _ luma: Samples, _ color: (_ luma: UInt8, _ place: Int) -> (UInt8, UInt8, UInt8)
    ) -> Samples {
        var bytes = [UInt8](repeating: 255, count: luma.width * luma.height * 4)
        for row in 0..<luma.height {
            for column in 0..<luma.width {
                let place = row * luma.stride + column, pixel = (row * luma.width + column) * 4
                (bytes[pixel], bytes[pixel + 1], bytes[pixel + 2]) = color(luma.bytes[place], place)
            }
        }
        return Samples(.rgbx, width: luma.width, height: luma.height, bytes: bytes)
    }
}

extension Samples {
    fileprivate func mapPixels(
        _ change: (UInt8, UInt8, UInt8, UInt8) -> (UInt8, UInt8, UInt8, UInt8)
    ) -> Samples {
        var bytes = [UInt8](repeating: 255, count: width * height * 4)
        for row in 0..<height {
            for column in 0..<width {
                let from = row * stride + column * 4, to = (row * width + column) * 4
                (bytes[to], bytes[to + 1], bytes[to + 2], bytes[to + 3]) = change(
                    self.bytes[from], self.bytes[from + 1], self.bytes[from + 2], self.bytes[from + 3])
            }
        }
        return Samples(.rgbx, width: width, height: height, bytes: bytes)
    }

    /// Draws the pixels on white, as on a page, because JPEG has no transparency. Uses grey for a drawing that is invisible on white.
    func onGround() -> Samples {
        guard layout == .rgba else { return self }
        let white = on(255)
        return isLost(on: white) ? on(Self.grey) : white
    }

    /// Whether a partly transparent picture cannot be seen on white. For a drawing on a transparent ground, it is enough that less than
    /// half can be seen, such as a white logo with a coloured dot.
    private func isLost(on white: Samples) -> Bool {
        var clear = 0, drawn = 0, seen = 0
        for row in 0..<height {
            for column in 0..<width {
                let alpha = bytes[row * stride + column * 4 + 3], pixel = (row * width + column) * 4
                if alpha < 128 { clear += 1 }
                guard alpha > 16 else { continue }
                drawn += 1
                if white.bytes[pixel..<pixel + 3].contains(where: { $0 < Self.minimumVisible }) { seen += 1 }
            }
        }
        guard clear > 0, drawn > 0 else { return false }
        return seen == 0 || (clear * Self.clearShare >= width * height && seen * 2 < drawn)
    }

    /// Pixels with all channels at or above this value cannot be seen on white.
    private static let minimumVisible: UInt8 = 240
    private static let grey: UInt8 = 112
    /// A drawing has at least one transparent pixel in this many. Fewer transparent pixels are the corners of a window or a page.
    private static let clearShare = 8

    private func on(_ ground: UInt8) -> Samples {
        mapPixels { r, g, b, a in
            let rest = Int(ground) * (255 - Int(a)) + 127
            func over(_ value: UInt8) -> UInt8 { UInt8((Int(value) * Int(a) + rest) / 255) }
            return (over(r), over(g), over(b), 255)
        }
    }
}
