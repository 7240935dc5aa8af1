import Glibc

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
        let index = Int(place)
        let fraction = Float(place - Double(index))
        return table[index] + (table[index + 1] - table[index]) * fraction
    }

    private static let steps = 1024
    private static let table: [Float] = (0...3 * steps + 1).map { Float(exact(Double($0) / Double(steps))) }
}
