/// The input that moves the content, as far as the page knows.
public enum ScrollPhase: String, Sendable, Hashable, CaseIterable {
    /// No input: the content rests.
    case idle
    /// A finger on the glass.
    case touch
    /// Momentum after the finger has left.
    case momentum
    /// A mouse wheel or a touchpad.
    case wheel
    /// The thumb of the scrollbar, or a scrubber.
    case drag
    /// Arrow, page and space keys.
    case keyboard
    /// A link, a search hit, Home or End: the content changes place immediately.
    case jump
}

/// Position of the content at one moment.
public struct ScrollSample: Sendable, Hashable {
    /// Time of the sample, in milliseconds since any fixed moment.
    public var time: Double
    /// Scroll position, in CSS pixels.
    public var scrollTop: Double
    /// The input that moved the content, or `nil` if unknown.
    public var phase: ScrollPhase?
    /// The place where the person may go next, or `nil` if the page foresees none.
    public var hint: Hint?

    public init(time: Double, scrollTop: Double, phase: ScrollPhase? = nil, hint: Hint? = nil) {
        self.time = time
        self.scrollTop = scrollTop
        self.phase = phase
        self.hint = hint
    }
}
