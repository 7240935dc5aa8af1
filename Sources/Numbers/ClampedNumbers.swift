// Numbers from outside may be anything. The initializers of the standard library end the process if a number does not fit; these
// take the nearest one that does.

extension FixedWidthInteger {
    /// The whole number nearest to zero of `value`, or the most or least there can be. 0 for NaN.
    @inlinable
    package init(clamping value: Double) {
        // Exact or one more than the maximum, so that a number below it fits.
        if value >= Double(Self.max) {
            self = .max
        } else if value <= Double(Self.min) {
            self = .min
        } else if let whole = Self(exactly: value.rounded(.towardZero)) {
            self = whole
        } else {
            self = 0
        }
    }
}

extension Duration {
    /// At most 10¹⁵ ms, some 30,000 years, either way. 0 for NaN.
    package init(clampingMilliseconds milliseconds: Double) {
        let microseconds = min(max(milliseconds, -1e15), 1e15) * 1e3
        self = .microseconds(Int64(clamping: microseconds))
    }
}

// The compiler refuses the initializers that trap, in every module that sees these.

extension Int {
    @available(*, deprecated, message: "use init(clamping:), which cannot trap")
    package init(_ source: Double) { self.init(clamping: source) }
}

extension Int64 {
    @available(*, deprecated, message: "use init(clamping:), which cannot trap")
    package init(_ source: Double) { self.init(clamping: source) }
}

extension Int32 {
    @available(*, deprecated, message: "use init(clamping:), which cannot trap")
    package init(_ source: Double) { self.init(clamping: source) }
}

extension UInt64 {
    @available(*, deprecated, message: "use init(clamping:), which cannot trap")
    package init(_ source: Double) { self.init(clamping: source) }
}

extension UInt32 {
    @available(*, deprecated, message: "use init(clamping:), which cannot trap")
    package init(_ source: Double) { self.init(clamping: source) }
}

extension UInt16 {
    @available(*, deprecated, message: "use init(clamping:), which cannot trap")
    package init(_ source: Double) { self.init(clamping: source) }
}

extension UInt8 {
    @available(*, deprecated, message: "use init(clamping:), which cannot trap")
    package init(_ source: Double) { self.init(clamping: source) }
}

extension Duration {
    @available(*, deprecated, message: "use init(clampingMilliseconds:), which cannot trap")
    package static func milliseconds(_ milliseconds: Double) -> Duration {
        Duration(clampingMilliseconds: milliseconds)
    }

    @available(*, deprecated, message: "use init(clampingMilliseconds:), which cannot trap")
    package static func seconds(_ seconds: Double) -> Duration { Duration(clampingMilliseconds: seconds * 1e3) }
}
