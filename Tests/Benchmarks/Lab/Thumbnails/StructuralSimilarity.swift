import Glibc

/// SSIM (Wang, Bovik, Sheikh and Simoncelli, "Image quality assessment: from error visibility to structural similarity",
/// 2004): means over an 11 x 11 Gaussian window of sigma 1.5, K1 0.01, K2 0.03, range 255.
enum StructuralSimilarity {
    private static let radius = 5

    private static let window: [Float] = {
        let raw = (-radius...radius).map { expf(-Float($0 * $0) / (2 * 1.5 * 1.5)) }
        let sum = raw.reduce(0, +)
        return raw.map { $0 / sum }
    }()

    /// The mean over all windows that lie within the picture; 1 where the two are the same, or too small for a window.
    static func of(_ a: [Float], _ b: [Float], width: Int, height: Int) -> Double {
        guard a.count == width * height, b.count == a.count, width > 2 * radius, height > 2 * radius else { return 1 }
        let c1: Float = 6.5025, c2: Float = 58.5225
        let meanA = blur(a, width, height), meanB = blur(b, width, height)
        let squareA = blur(zip(a, a).map(*), width, height), squareB = blur(zip(b, b).map(*), width, height)
        let product = blur(zip(a, b).map(*), width, height)
        var sum = 0.0
        for i in meanA.indices {
            let varianceA = squareA[i] - meanA[i] * meanA[i], varianceB = squareB[i] - meanB[i] * meanB[i]
            let covariance = product[i] - meanA[i] * meanB[i]
            let luminance = (2 * meanA[i] * meanB[i] + c1) / (meanA[i] * meanA[i] + meanB[i] * meanB[i] + c1)
            let structure = (2 * covariance + c2) / (varianceA + varianceB + c2)
            sum += Double(luminance * structure)
        }
        return sum / Double(meanA.count)
    }

    /// Only where the whole window fits.
    private static func blur(_ values: [Float], _ width: Int, _ height: Int) -> [Float] {
        let innerWidth = width - 2 * radius, innerHeight = height - 2 * radius
        var rows = [Float](repeating: 0, count: innerWidth * height)
        for y in 0..<height {
            for x in 0..<innerWidth {
                var sum: Float = 0
                for k in 0...2 * radius { sum += values[y * width + x + k] * window[k] }
                rows[y * innerWidth + x] = sum
            }
        }
        var result = [Float](repeating: 0, count: innerWidth * innerHeight)
        for y in 0..<innerHeight {
            for k in 0...2 * radius {
                let weight = window[k]
                for x in 0..<innerWidth { result[y * innerWidth + x] += rows[(y + k) * innerWidth + x] * weight }
            }
        }
        return result
    }
}
