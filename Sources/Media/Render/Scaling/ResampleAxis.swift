import Glibc
import Numbers

/// The conversion of one axis from samples to outputs. First, boxes of `box` samples are averaged, which costs one addition for each
/// sample. Then a Lanczos-3 filter reduces the rest, which has at least twice the output's resolution.
package struct ResampleAxis {
    /// Number of samples averaged before filtering. 1 means no averaging.
    let box: Int
    let samples: Int
    /// Number of samples after averaging.
    let reduced: Int
    /// Number of outputs.
    let count: Int
    let isFlipped: Bool
    /// Index of the first reduced sample of each output.
    private(set) var starts: [Int] = []
    /// Number of reduced samples that each output reads.
    private(set) var taps: [Int] = []
    /// `stride` weights for each output. Only the first `taps` weights are used, and their sum is 1.
    private(set) var weights: [Float] = []
    /// Maximum number of taps of an output.
    let stride: Int

    /// Maximum number of samples in a box. The sum of so many samples, each multiplied by its alpha, fits 32 bits.
    private static let longestBox = 65_536

    /// - Parameters:
    ///   - extent: number of samples that the picture spans, at most `samples`.
    ///   - outputExtent: number of outputs that span the picture: `count`, or half of luma's for chroma at half resolution.
    ///   - isFlipped: whether the first output shows the picture's end.
    ///   - sharpness: minimum number of reduced samples per output after averaging.
    package init(
        samples: Int, extent: Double, count: Int, outputExtent: Double, isFlipped: Bool = false, sharpness: Double = 2.5
    ) {
        let ratio = extent / outputExtent
        let box = max(1, Int(clamping: min(ratio / sharpness, Double(samples), Double(Self.longestBox))))
        let reduced = (samples + box - 1) / box
        let step = ratio / Double(box)
        let filterScale = max(1, step)
        let support = LanczosKernel.radius * filterScale
        let stride = min(reduced, Int(clamping: (2 * support).rounded(.up)) + 1)
        self.box = box
        self.samples = samples
        self.reduced = reduced
        self.count = count
        self.isFlipped = isFlipped
        self.stride = stride

        starts.reserveCapacity(count)
        taps.reserveCapacity(count)
        weights = [Float](repeating: 0, count: count * stride)
        let span = extent / Double(box)
        for output in 0..<count {
            let along = (Double(output) + 0.5) * step
            let centre = isFlipped ? span - along : along
            var start = max(0, min(reduced - 1, Int(clamping: (centre - support + 0.5).rounded(.down))))
            let end = min(
                reduced, max(start + 1, Int(clamping: (centre + support + 0.5).rounded(.down))), start + stride)
            var sum: Float = 0
            let base = output * stride
            var used = 0
            for sample in start..<end {
                let weight = LanczosKernel.value((Double(sample) + 0.5 - centre) / filterScale)
                // Skips leading zeros to save time.
                if used == 0, abs(weight) < 1e-5, sample < end - 1 {
                    start = sample + 1
                    continue
                }
                weights[base + used] = weight
                used += 1
                sum += weight
            }
            while used > 1, abs(weights[base + used - 1]) < 1e-5 { used -= 1 }
            if abs(sum) > 1e-6 {
                for tap in 0..<used { weights[base + tap] /= sum }
            } else {
                weights[base] = 1
                used = 1
            }
            starts.append(start)
            taps.append(used)
        }
    }
}

/// The Lanczos-3 kernel, `3 sin(πx) sin(πx/3) / (πx)²` within |x| < 3, read from a table. The taps of one picture need tens of thousands of
/// values.
enum LanczosKernel {
    static let radius = 3.0

    static func exact(_ x: Double) -> Double {
        if x == 0 { return 1 }
        guard abs(x) < radius else { return 0 }
        let a = Double.pi * x
        return 3 * sin(a) * sin(a / 3) / (a * a)
    }

    /// Interpolates linearly in the table. The result is within 2e-6 of ``exact(_:)``.
    static func value(_ x: Double) -> Float {
        let place = abs(x) * Double(steps)
        guard place < radius * Double(steps) else { return 0 }
        let index = Int(clamping: place)
        let fraction = Float(place - Double(index))
        return table[index] + (table[index + 1] - table[index]) * fraction
    }

    private static let steps = 1024
    private static let table: [Float] = (0...3 * steps + 1).map { Float(exact(Double($0) / Double(steps))) }
}
