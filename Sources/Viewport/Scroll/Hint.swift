/// Where the person may go next, as far as the page sees it coming. A hint never moves the viewport: what is fetched
/// for it is fetched ahead, within a budget.
public struct Hint: Sendable, Hashable {
    /// The source of the hint.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The pointer heads for the scrubber, or rests on it.
        case scrubber
        /// The pointer is over the scrollbar, or goes down on it.
        case thumb
        /// The pointer rests on a cell, which it may open.
        case cell
        /// A key that scrolls is held.
        case key
        /// The viewer shows an item: its neighbours are next, and the cells around it once the viewer closes.
        case viewer
    }

    /// How likely a hint is that does not say so.
    public static let standardConfidence = 0.5

    public var kind: Kind
    /// How far the content would be scrolled, in CSS pixels; clamped to the content.
    public var scrollTop: Double?
    /// The item it is about; counts where there is no ``scrollTop``.
    public var item: Int?
    /// How likely it is, 0 ... 1; anything else is moved to the nearest bound.
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
