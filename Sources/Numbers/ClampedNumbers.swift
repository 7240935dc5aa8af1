// Numbers from outside may be anything. The initializers of the standard library end the process if a number does not fit; these
// take the nearest one that does. A test refuses the others in all of Sources.

extension FixedWidthInteger {
    /// The integer part of `value`, or the nearest number of this type; 0 for NaN.
    @inlinable
    package init(clamping value: Double) {
        // For `Int` the maximum is no `Double`: this is one more, so that each number below it fits.
        if value >= Double(Self.max) {
            self = .max
        } else if value <= Double(Self.min) {
            self = .min
        } else {
            self = Self(exactly: value.rounded(.towardZero)) ?? 0
        }
    }
}

extension Int {
    /// The integer part of `value` within `bounds`; their lower bound for NaN.
    package init(clamping value: Double, to bounds: ClosedRange<Int>) {
        let whole = value.isNaN ? bounds.lowerBound : Int(clamping: value)
        self = Swift.min(Swift.max(whole, bounds.lowerBound), bounds.upperBound)
    }
}

extension Duration {
    /// At most 10¹² s, some 30,000 years, either way; 0 for NaN.
    package init(clampingSeconds seconds: Double) {
        self = .microseconds(Int64(clamping: Swift.min(Swift.max(seconds, -1e12), 1e12) * 1e6))
    }

    /// At most 10¹⁵ ms, some 30,000 years, either way; 0 for NaN.
    package init(clampingMilliseconds milliseconds: Double) { self.init(clampingSeconds: milliseconds / 1e3) }
}
