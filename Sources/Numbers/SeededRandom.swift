#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). Small, and yields the same numbers everywhere for the same seed.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    @inlinable public init(seed: UInt64) { state = seed }

    @inlinable public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns an evenly distributed number in 0 ..< 1, in steps of 2^-53.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Returns an evenly distributed number in 0 ..< bound. A bound below 1 counts as 1.
    public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }

    /// Returns an evenly distributed number in the range.
    public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Returns two independent standard normal numbers (Box and Muller 1958).
    public mutating func normals() -> (Double, Double) {
        let radius = (-2 * log(1 - unit())).squareRoot()
        let angle = 2 * Double.pi * unit()
        return (radius * cos(angle), radius * sin(angle))
    }
}
