extension PolicyName {
    /// See `TexturePolicy`.
    public static let texture = TexturePolicy.name
}

/// The ranges of Texture (AsyncDisplayKit): a display range and a preload range around the viewport. Both are wider in scroll
/// direction and are swapped immediately if the scroll turns (ASAbstractLayoutController.mm, ASRangeController.mm).
///
/// The display range is served first. Within a range the order is that of a hash set. Items that leave the preload range are
/// cancelled. Before the first scroll the ranges are the minimum ones.
package struct TexturePolicy: Policy {
    package static let name = PolicyName("texture")
    package static let summary = "2.5 screens ahead and 1.5 behind, the nearer screens first, cancelled on leaving."

    /// Size of a range, in screens.
    struct Reach {
        var ahead: Double
        var behind: Double
    }

    static let minimum = [Reach(ahead: 0.25, behind: 0.25), Reach(ahead: 0.5, behind: 0.25)]
    static let full = [Reach(ahead: 1, behind: 0.5), Reach(ahead: 2.5, behind: 1.5)]

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        let hasScrolled = view.motion.lastMove != view.motion.lastJump
        for reach in hasScrolled ? Self.full : Self.minimum {
            let below = (view.motion.direction > 0 ? reach.ahead : reach.behind) * view.viewport.height
            let above = (view.motion.direction > 0 ? reach.behind : reach.ahead) * view.viewport.height
            let items = view.layout.items(in: (view.band.lowerBound - above)..<(view.band.upperBound + below))
            wants.add(items.sorted { Self.hash($0) < Self.hash($1) })
        }
    }

    /// Returns a sort key that is unrelated to distance and the same each time, like the order of a hash set.
    private static func hash(_ item: Int) -> UInt64 {
        (UInt64(truncatingIfNeeded: item) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    }
}
