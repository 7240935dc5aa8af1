extension PolicyName {
    /// See `DwellPolicy`.
    public static let dwell = DwellPolicy.name
}

/// Loads nothing until the same items have been visible for 150 ms, like Immich's mobile timeline while scrubbing and an option
/// of lazy-loading plugins. Cancels items that leave the view. Fetches nothing ahead.
package struct DwellPolicy: Policy {
    package static let name = PolicyName("dwell")
    package static let summary = "Visible items only, after they have been visible for 150 ms."

    /// Time for which the visible items must stay the same, in milliseconds.
    static let delay = 150.0

    private var dwelling: Range<Int>?
    private var since = 0.0

    package init() {}

    package mutating func decide(_ view: PolicyView, _ wants: inout WantList) {
        if view.visible != dwelling {
            dwelling = view.visible
            since = view.motion.time
        }
        wants.includesVisible = view.motion.time - since >= Self.delay
        if !wants.includesVisible {
            wants.nextTick = since + Self.delay
            wants.add(view.asked.lazy.map(\.item).filter { view.visible.contains($0) })
        }
    }
}
