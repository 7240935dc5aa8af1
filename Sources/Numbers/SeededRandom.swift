#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): small, and the same numbers everywhere for the same seed.
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

    /// Evenly in 0 ..< 1, in steps of 2^-53.
    public mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Evenly in 0 ..< bound, which is at least 1.
    public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<max(1, bound), using: &self) }

    /// Evenly in the range.
    public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + unit() * (range.upperBound - range.lowerBound)
    }

    /// Two independent standard normal numbers (Box and Muller 1958).
    public mutating func normals() -> (Double, Double) {
        let radius = (-2 * log(1 - unit())).squareRoot()
        let angle = 2 * Double.pi * unit()
        return (radius * cos(angle), radius * sin(angle))
    }
}
