/// The place where the person may go next, if the page can foresee it. A hint never moves the viewport. It only causes items to
/// be fetched ahead, within a budget.
public struct Hint: Sendable, Hashable {
    /// The source of the hint.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The pointer moves towards the scrubber or rests on it.
        case scrubber
        /// The pointer is over the scrollbar, or is pressed on it.
        case thumb
        /// The pointer rests on a cell and may open it.
        case cell
        /// A key that scrolls is held down.
        case key
        /// The viewer shows an item. Its neighbours are next, and the cells around it once the viewer closes.
        case viewer
    }

    /// Confidence of a hint that does not give one.
    public static let standardConfidence = 0.5

    public var kind: Kind
    /// Expected scroll position, in CSS pixels, clamped to the content.
    public var scrollTop: Double?
    /// The item that the hint is about. Used only if there is no ``scrollTop``.
    public var item: Int?
    /// Probability of the hint, 0 ... 1. Other values are moved to the nearest bound.
    public var confidence: Double

    public init(
        kind: Kind, scrollTop: Double? = nil, item: Int? = nil, confidence: Double = Hint.standardConfidence
    ) {
        self.kind = kind
        self.scrollTop = scrollTop
        self.item = item
        self.confidence = confidence.clamped(to: 0...1, or: 0)
    }
}
