/// An item that should be on the page, and when it is needed.
public struct Want: Sendable, Hashable {
    /// Flat index of the item.
    public var item: Int
    /// Whether the item overlaps the viewport.
    public var visible: Bool
    /// Milliseconds until the item is expected to be needed. 0 if it is needed now.
    public var neededIn: Double
    /// Whether the preview is enough, because the picture cannot arrive in time.
    public var isPreviewEnough = false
    public internal(set) var reason: WantReason
    /// Distinguishes this want from earlier wants of the same item: how often the item was forgotten, modulo 32.
    public internal(set) var generation: UInt8 = 0

    public init(item: Int, visible: Bool, neededIn: Double) {
        self.init(item: item, visible: visible, neededIn: neededIn, reason: .policy)
    }

    init(item: Int, visible: Bool = false, neededIn: Double, reason: WantReason) {
        self.item = item
        self.visible = visible
        self.neededIn = neededIn
        self.reason = reason
    }
}

/// Why a policy wants an item.
public enum WantReason: String, Sendable, Hashable, CaseIterable {
    /// The item is in view.
    case visible
    /// The item passes through the view before the scroll is expected to stop.
    case path
    /// The item is in view at the expected stop.
    case landing
    /// The item passes too fast for its picture, but not for its preview.
    case preview
    /// A next gesture may show the item.
    case next
    /// The person points at the item's place, by the pointer or a held key.
    case hint
    /// Cancelling the item's download would save less than it costs.
    case unfinished
    /// The policy wants the item without a more specific reason.
    case policy
}

/// Result of a viewport update.
public struct Plan: Sendable, Hashable {
    /// Smallest range that holds every item overlapping the viewport.
    public var visible: Range<Int>
    /// Items that this update newly requests, most urgent first. Does not list visible items, which are requested as well.
    public var prefetch: [Int]
    /// Items requested earlier, visible or not, that are neither ready nor failed and are no longer wanted.
    public var cancel: [Int]
    /// Every item that is wanted and neither ready nor failed: visible items first, then the most urgent.
    public var wanted: [Want]
    /// Places in ``wanted`` of the items that this update newly requests, visible or not.
    package var requested: [Int]
    /// Number of ready items among the wanted and visible ones.
    public var ready: Int
    /// Scroll position of the content, in CSS pixels.
    public var scrollTop: Double
    /// Speed in CSS pixels a second, positive downwards.
    public var velocity: Double
    /// Expected end of the scroll.
    public var landing: Landing
    /// Height of the content, in CSS pixels.
    public var contentHeight: Double
}
