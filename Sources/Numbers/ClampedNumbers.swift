// Numbers from outside may have any value. The initializers of the standard library crash the process if a number does not fit.
// The initializers in this file use the nearest number that fits. A test forbids the others in all of Sources.

extension FixedWidthInteger {
    /// The integer part of `value`, or the nearest number of this type. 0 for NaN.
    @inlinable
    package init(clamping value: Double) {
        // `Int.max` is not a `Double`. The conversion yields one more than the maximum, so every smaller `Double` fits.
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
    /// The integer part of `value`, limited to `bounds`. The lower bound for NaN.
    package init(clamping value: Double, to bounds: ClosedRange<Int>) {
        let whole = value.isNaN ? bounds.lowerBound : Int(clamping: value)
        self = Swift.min(Swift.max(whole, bounds.lowerBound), bounds.upperBound)
    }
}

extension Duration {
    /// At most 10¹² s (some 30,000 years), positive or negative. 0 for NaN.
    package init(clampingSeconds seconds: Double) {
        self = .microseconds(Int64(clamping: Swift.min(Swift.max(seconds, -1e12), 1e12) * 1e6))
    }

    /// At most 10¹⁵ ms (some 30,000 years), positive or negative. 0 for NaN.
    package init(clampingMilliseconds milliseconds: Double) { self.init(clampingSeconds: milliseconds / 1e3) }
}
