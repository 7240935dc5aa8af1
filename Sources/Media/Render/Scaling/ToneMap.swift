import Glibc
import Numbers

/// Converts pixels of high dynamic range (ITU-R BT.2100) to sRGB, as Chromium shows them on an ordinary screen.
///
/// The formula is the reference white tone mapping operator of SMPTE ST 2094-50. Reference white, 203 cd/m² (ITU-R BT.2408), becomes half
/// of the light of sRGB's white. Darker colours are also halved. A quadratic Bézier curve maps brighter colours up to 1,000 cd/m², which
/// becomes white. The input of the curve is the largest of red, green and blue in BT.2020's primaries. A file's mastering metadata is not
/// used.
struct ToneMap {
    private enum Transfer: Int {
        case pq = 16
        case hlg = 18
    }

    private struct Matrix {
        let rows: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)

        func callAsFunction(_ color: SIMD3<Float>) -> SIMD3<Float> {
            SIMD3((rows.0 * color).sum(), (rows.1 * color).sum(), (rows.2 * color).sum())
        }
    }

    /// Light of the brightest white, in units of reference white.
    private static let peak: Float = 1000 / 203
    /// The end of the curve's straight part, its control point and its end, as pairs of input light and output light.
    private static let (start, control, end) = (SIMD2<Float>(1, 0.5), SIMD2<Float>(1.65, 0.825), SIMD2<Float>(peak, 1))

    private let transfer: Transfer
    private let toBT2020: Matrix
    /// Light of each code, in units of reference white for PQ and of the scene's peak for HLG.
    private let light: [Float]
    /// sRGB's code for light in steps of 1 / (count - 1).
    private let codes: [UInt8]

    /// - Parameters:
    ///   - transfer, primaries: numbers of ITU-T H.273. Unknown primaries count as BT.2020's.
    /// - Returns: `nil` unless the transfer function is PQ (16) or HLG (18).
    init?(transfer: Int, primaries: Int) {
        guard let transfer = Transfer(rawValue: transfer) else { return nil }
        self.transfer = transfer
        toBT2020 =
            switch primaries {
            case 1: Self.fromBT709
            case 12: Self.fromDisplayP3
            default: Matrix(rows: ([1, 0, 0], [0, 1, 0], [0, 0, 1]))
            }
        light = (0..<256).map { code in
            let value = Float(code) / 255
            return transfer == .pq ? Self.pq(value) : Self.hlg(value)
        }
        codes = (0..<8192).map { step in
            let light = Float(step) / 8191
            let value = light <= 0.0031308 ? 12.92 * light : 1.055 * powf(light, 1 / 2.4) - 0.055
            return UInt8(clamping: Int(clamping: Double(value * 255).rounded()))
        }
    }

    /// Alpha does not change.
    func convert(_ samples: Samples) -> Samples {
        var bytes = [UInt8](repeating: 255, count: samples.width * samples.height * 4)
        for row in 0..<samples.height {
            var (from, to) = (row * samples.stride, row * samples.width * 4)
            for _ in 0..<samples.width {
                let color = SIMD3(
                    light[Int(samples.bytes[from])], light[Int(samples.bytes[from + 1])],
                    light[Int(samples.bytes[from + 2])])
                let shown = Self.toSRGB(mapped(toBT2020(color)))
                for channel in 0..<3 { bytes[to + channel] = code(shown[channel]) }
                bytes[to + 3] = samples.bytes[from + 3]
                from += 4
                to += 4
            }
        }
        return Samples(samples.layout, width: samples.width, height: samples.height, bytes: bytes)
    }

    private func code(_ light: Float) -> UInt8 {
        codes[Int(clamping: Double(light * 8191).rounded(), to: 0...8191)]
    }

    private func mapped(_ color: SIMD3<Float>) -> SIMD3<Float> {
        var color = color
        if transfer == .hlg {
            // Converts to the light of a screen of 1,000 cd/m² (BT.2100, table 5).
            let luminance = max(0, (color * [0.2627, 0.6780, 0.0593]).sum())
            color *= powf(luminance, 0.2) * Self.peak
        }
        let brightest = color.max()
        if brightest <= Self.start.x { return color * Self.start.y }
        if brightest >= Self.end.x { return color / brightest }
        let square = Self.start - 2 * Self.control + Self.end, linear = 2 * (Self.control - Self.start)
        let root = (linear.x * linear.x + 4 * square.x * (brightest - Self.start.x)).squareRoot()
        let place = (root - linear.x) / (2 * square.x)
        return color * ((Self.start.y + place * (linear.y + place * square.y)) / brightest)
    }

    /// Converts a PQ code to light (SMPTE ST 2084; BT.2100, table 4).
    private static func pq(_ value: Float) -> Float {
        let root = powf(value, 1 / 78.84375)
        return powf(max(root - 0.8359375, 0) / (18.8515625 - 18.6875 * root), 1 / 0.1593017578125) * 10_000 / 203
    }

    /// Converts an HLG code to light (BT.2100, table 5).
    private static func hlg(_ value: Float) -> Float {
        value <= 0.5 ? value * value / 3 : (expf((value - 0.55991073) / 0.17883277) + 0.28466892) / 12
    }

    // Computed from the primaries and the white point D65 of each space, by the method of SMPTE RP 177.
    private static let fromBT709 = Matrix(
        rows: ([0.627404, 0.329283, 0.043313], [0.069097, 0.919540, 0.011362], [0.016391, 0.088013, 0.895595]))
    private static let fromDisplayP3 = Matrix(
        rows: ([0.753833, 0.198597, 0.047570], [0.045744, 0.941777, 0.012479], [-0.001210, 0.017602, 0.983609]))
    private static let toSRGB = Matrix(
        rows: ([1.660491, -0.587641, -0.072850], [-0.124550, 1.132900, -0.008349], [-0.018151, -0.100579, 1.118730]))
}
