/// A width and a height in CSS pixels.
public struct Size: Sendable, Hashable {
    public var width: Double
    public var height: Double

    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}

/// A rectangle in content coordinates: CSS pixels, origin at the top left of the content, y growing downwards.
public struct Frame: Sendable, Hashable {
    public var x: Double
    public var y: Double
    public var width: Double
    public var height: Double

    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// An empty frame at the origin.
    public static let zero = Frame(x: 0, y: 0, width: 0, height: 0)

    public var maxX: Double { x + width }

    public var maxY: Double { y + height }

    /// Returns the distance from this frame to `band` (a range of y), in CSS pixels. 0 if they touch or overlap.
    public func distance(to band: Range<Double>) -> Double {
        max(0, max(y - band.upperBound, band.lowerBound - maxY))
    }
}

/// Distances inwards from the edges, in CSS pixels.
public struct EdgeInsets: Sendable, Hashable {
    public var top: Double
    public var left: Double
    public var bottom: Double
    public var right: Double

    public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
        self.top = top
        self.left = left
        self.bottom = bottom
        self.right = right
    }
}

extension Double {
    /// Returns this number limited to `bounds`, or `fallback` for NaN.
    package func clamped(to bounds: ClosedRange<Double>, or fallback: Double) -> Double {
        isNaN ? fallback : Swift.min(Swift.max(self, bounds.lowerBound), bounds.upperBound)
    }
}
