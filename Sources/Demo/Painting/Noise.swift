import Numbers

/// Smooth two-dimensional noise for natural textures such as clouds, sand and leaves.
///
/// Value noise (Ken Perlin, "An Image Synthesizer", 1985): random heights on a lattice that repeats every 64 cells, with smooth steps
/// between them.
struct Noise {
    private static let side = 64
    private let lattice: [Float]

    init(_ random: inout SeededRandom) {
        lattice = (0..<Self.side * Self.side).map { _ in Float(random.unit()) }
    }

    /// Returns the noise at a point, 0 ... 1. Hills and hollows are about one unit wide.
    @inline(__always)
    func value(_ x: Float, _ y: Float) -> Float {
        lattice.withUnsafeBufferPointer { lattice in
            let (left, top) = (floor(x), floor(y))
            let (u, v) = (smooth(x - Float(left)), smooth(y - Float(top)))
            let column = left & 63
            let next = (column + 1) & 63
            let row = (top & 63) << 6
            let below = (row + 64) & 4095
            let upper = lattice[row + column] + (lattice[row + next] - lattice[row + column]) * u
            let lower = lattice[below + column] + (lattice[below + next] - lattice[below + column]) * u
            return upper + (lower - upper) * v
        }
    }

    /// Returns the weighted sum of several octaves, about 0 ... 1. Each octave is half as wide and half as high as the one before.
    @inline(__always)
    func layered(_ x: Float, _ y: Float, octaves: Int) -> Float {
        var (x, y) = (x, y)
        var weight: Float = 0.5
        var sum: Float = 0
        var whole: Float = 0
        for _ in 0..<octaves {
            sum += weight * value(x, y)
            whole += weight
            weight *= 0.5
            (x, y) = (x * 2.03 + 17.3, y * 2.01 + 9.1)
        }
        return sum / whole
    }

    /// Returns the integer at or below `x`. Avoids the standard library's `rounded(.down)`, which calls the C library.
    @inline(__always)
    private func floor(_ x: Float) -> Int {
        let whole = Int(x)
        return Float(whole) > x ? whole - 1 : whole
    }

    @inline(__always)
    private func smooth(_ t: Float) -> Float { t * t * (3 - 2 * t) }
}
