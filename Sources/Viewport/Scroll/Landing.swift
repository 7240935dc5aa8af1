/// Where a scroll is expected to come to rest.
public struct Landing: Sendable, Hashable {
    /// How far the content will be scrolled then, in CSS pixels.
    public var scrollTop: Double
    /// How sure that is: 0 (a guess) ... 1 (it rests there already).
    public var confidence: Double

    public init(scrollTop: Double, confidence: Double) {
        self.scrollTop = scrollTop
        self.confidence = confidence
    }
}
