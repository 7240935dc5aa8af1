import Glibc
import Numbers

/// How the samples of one axis become outputs: first whole boxes of `box` samples are averaged, which costs one addition
/// each, then Lanczos-3 finishes from at least twice the output's resolution.
package struct ResampleAxis {
    /// Samples averaged before filtering; 1 leaves them.
    let box: Int
    /// Samples of the source.
    let samples: Int
    /// Samples left after averaging.
    let reduced: Int
    /// Outputs.
    let count: Int
    let isFlipped: Bool
    /// The first reduced sample of each output.
    private(set) var starts: [Int] = []
    /// How many samples each output reads.
    private(set) var taps: [Int] = []
    /// `stride` weights an output, of which the first `taps` count; they sum to 1.
    private(set) var weights: [Float] = []
    /// The most taps any output has.
    let stride: Int

    /// Samples of the longest box: the sum of so many, each multiplied by its alpha, fits 32 bits.
    private static let longestBox = 65_536

    /// - Parameters:
    ///   - samples: how many there are.
    ///   - extent: how many of them the picture spans, at most `samples`.
    ///   - count: how many outputs to make.
    ///   - outputExtent: how many outputs span the picture: `count`, or half the luma's for chroma of half resolution.
    ///   - isFlipped: whether the first output shows the picture's end.
    ///   - sharpness: reduced samples an output, at least, that averaging must leave.
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
                // Leading zeros cost time and nothing else.
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

/// Lanczos-3, `3 sin(πx) sin(πx/3) / (πx)²` within |x| < 3, read from a table: the taps of one picture need it tens of
/// thousands of times.
enum LanczosKernel {
    static let radius = 3.0

    static func exact(_ x: Double) -> Double {
        if x == 0 { return 1 }
        guard abs(x) < radius else { return 0 }
        let a = Double.pi * x
        return 3 * sin(a) * sin(a / 3) / (a * a)
    }

    /// Linear interpolation, within 2e-6 of ``exact(_:)``.
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
