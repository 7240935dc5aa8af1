/// The input that moves the content, as far as the page can tell.
public enum ScrollPhase: String, Sendable, Hashable, CaseIterable {
    /// Nothing: the content rests.
    case idle
    /// A finger on the glass.
    case touch
    /// Gliding on after the finger has left.
    case momentum
    /// A mouse wheel or a touchpad.
    case wheel
    /// The thumb of the scrollbar, or a scrubber.
    case drag
    /// Arrow, page and space keys.
    case keyboard
    /// A link, a search hit, Home or End: somewhere else at once.
    case jump
}

/// Where the content was at one moment.
public struct ScrollSample: Sendable, Hashable {
    /// When, in milliseconds since any fixed moment.
    public var time: Double
    /// How far the content was scrolled, in CSS pixels.
    public var scrollTop: Double
    /// The input that moved it; nil when the page does not know.
    public var phase: ScrollPhase?
    /// Where the person may go next; nil when the page sees nothing coming.
    public var hint: Hint?

    public init(time: Double, scrollTop: Double, phase: ScrollPhase? = nil, hint: Hint? = nil) {
        self.time = time
        self.scrollTop = scrollTop
        self.phase = phase
        self.hint = hint
    }
}
