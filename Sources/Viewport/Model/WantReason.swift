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
