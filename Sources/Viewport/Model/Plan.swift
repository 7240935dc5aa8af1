/// An item that should be on the page, and when.
public struct Want: Sendable, Hashable {
    /// Its flat index.
    public var item: Int
    /// Whether it overlaps the viewport.
    public var visible: Bool
    /// Milliseconds until it is expected to be needed; 0 when it is needed now.
    public var neededIn: Double
    /// Whether its preview is enough: the picture itself cannot be there in time.
    public var isPreviewEnough = false
    /// Tells this wish from earlier ones for the same item: how often the item was forgotten, modulo 32.
    public internal(set) var generation: UInt8 = 0

    public init(item: Int, visible: Bool, neededIn: Double) {
        self.item = item
        self.visible = visible
        self.neededIn = neededIn
    }
}

/// The changes of a viewport update.
public struct Plan: Sendable, Hashable {
    /// The smallest range that holds every item overlapping the viewport.
    public var visible: Range<Int>
    /// Items asked for by this update, most urgent first. Visible items are asked for without being named here.
    public var prefetch: [Int]
    /// Items asked for earlier, visible or not, that are neither ready nor failed and are no longer wanted.
    public var cancel: [Int]
    /// Every item that is wanted and neither ready nor failed: visible ones first, then the most urgent.
    public var wanted: [Want]
    /// How many wanted items, visible ones among them, are ready.
    public var ready: Int
    /// How far the content is scrolled, in CSS pixels.
    public var scrollTop: Double
    /// CSS pixels a second, positive downwards.
    public var velocity: Double
    /// Where the scroll is expected to end.
    public var landing: Landing
    /// How tall the content is, in CSS pixels.
    public var contentHeight: Double
}
