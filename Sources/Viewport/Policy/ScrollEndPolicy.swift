extension PolicyName {
    /// See `ScrollEndPolicy`.
    public static let scrollEnd = ScrollEndPolicy.name
}

/// Prefetching at scroll end, like a table view with an image prefetcher.
///
/// When the scroll has stopped, the policy requests the 10 items after the visible ones and the 10 before, nearest first, in
/// any section. A new list adds to the queue. Nothing is ever cancelled.
package struct ScrollEndPolicy: Policy {
    package static let name = PolicyName("scroll-end")
    package static let summary =
        "Ten items before and after the visible ones, once the scroll has stopped; never cancels."

    /// Number of items to fetch on each side.
    static let reach = 10

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        wants.add(view.asked.lazy.map(\.item))
        guard view.motion.isResting else {
            wants.nextTick = (view.motion.lastMove ?? view.motion.time) + Motion.restDelay
            return
        }
        let visible = view.visible
        guard !visible.isEmpty else { return }
        for distance in 0..<Self.reach {
            let after = visible.upperBound + distance
            let before = visible.lowerBound - 1 - distance
            wants.add([after, before].filter { (0..<view.layout.itemCount).contains($0) })
        }
    }
}
