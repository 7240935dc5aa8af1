/// Aspect ratio (width divided by height) of each item of a gallery, in 2 bytes an item.
///
/// Stored as the middle 16 bits of a `Float`: 16 octaves from 1/256 with 12 bits each, which is precise to 0.013 %. Ratios are
/// limited to 1/32 ... 32. An unknown ratio counts as 1.5.
public struct AspectRatios: Sendable {
    /// Bounds of a ratio.
    public static let bounds = 1.0 / 32...32.0

    /// Ratio of an unknown picture: landscape format of most cameras.
    public static let unknown = 1.5

    // 0 means unknown. It is also the code of 1/256, which is below the bounds.
    private var codes: [UInt16]

    /// Creates `count` unknown ratios. A negative count counts as 0.
    public init(count: Int) {
        codes = [UInt16](repeating: 0, count: max(0, count))
    }

    /// Creates `count` ratios with the values of `ratio`. NaN and ratios not above 0 count as unknown.
    public init(count: Int, ratio: (_ item: Int) -> Double) {
        codes = [UInt16](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
            for item in 0..<max(0, count) { buffer.initializeElement(at: item, to: Self.encode(ratio(item))) }
            initialized = max(0, count)
        }
    }

    /// Number of stored ratios. Items beyond have unknown ratios.
    public var count: Int { codes.count }

    /// Ratio of `item`. Setting a ratio beyond `count` does nothing. Setting NaN or a ratio not above 0 makes the ratio
    /// unknown.
    public subscript(item: Int) -> Double {
        get { codes.indices.contains(item) ? Self.decode(codes[item]) : Self.unknown }
        set {
            guard codes.indices.contains(item) else { return }
            codes[item] = Self.encode(newValue)
        }
    }

    /// Whether the ratio of `item` has been set.
    public func isKnown(_ item: Int) -> Bool { codes.indices.contains(item) && codes[item] != 0 }

    /// Sets the ratio of `item` from the size of a picture in pixels. Returns whether the stored ratio changed.
    @discardableResult
    public mutating func set(_ item: Int, width: Int, height: Int) -> Bool {
        guard codes.indices.contains(item), width > 0, height > 0 else { return false }
        let code = Self.encode(Double(width) / Double(height))
        defer { codes[item] = code }
        return codes[item] != code
    }

    /// Adds the ratio of one more item at the end.
    public mutating func append(_ ratio: Double) {
        codes.append(Self.encode(ratio))
    }

    /// Reserves memory for `count` items in total.
    public mutating func reserveCapacity(_ count: Int) {
        codes.reserveCapacity(max(0, count))
    }

    private static let base: UInt32 = Float(1.0 / 256).bitPattern

    private static func encode(_ ratio: Double) -> UInt16 {
        guard ratio > 0 else { return 0 }
        let bits = Float(min(max(ratio, bounds.lowerBound), bounds.upperBound)).bitPattern
        return UInt16(truncatingIfNeeded: (bits - base + (1 << 10)) >> 11)
    }

    private static func decode(_ code: UInt16) -> Double {
        code == 0 ? unknown : Double(Float(bitPattern: (UInt32(code) << 11) + base))
    }
}
