/// Identifies a session in the pool: one viewport, one fair share.
public struct SessionID: Hashable, Sendable, Comparable {
    public var rawValue: UInt64

    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (a: SessionID, b: SessionID) -> Bool { a.rawValue < b.rawValue }
}

/// One want of a session. A session hands over all its wants together, most urgent first. The place in the list is
/// the urgency.
public struct PoolWant<Key: Hashable & Sendable>: Sendable {
    /// The wanted product. Sessions that want the same key share one task.
    public var key: Key
    /// The host that serves the product, as a small number that the caller assigns. Each host has its own fetch limit.
    public var host: Int
    /// Whether the product is on screen now. Visible tasks go before tasks that no session sees.
    public var visible: Bool
    /// Whether to wait while the host is paused. If not, the pool refuses the want as soon as it needs a fetch from the paused host.
    public var waitsForHost: Bool
    /// Whether the preview is enough. The pool then fetches nothing more for this want.
    public var isPreviewEnough: Bool
    /// Distinguishes this want from the session's earlier ones for the same key. A new number starts a finished key
    /// again: to retry a failure, or to fetch a lost product again.
    public var generation: UInt8

    public init(
        key: Key, host: Int = 0, visible: Bool, waitsForHost: Bool = true, isPreviewEnough: Bool = false,
        generation: UInt8 = 0
    ) {
        self.key = key
        self.host = host
        self.visible = visible
        self.waitsForHost = waitsForHost
        self.isPreviewEnough = isPreviewEnough
        self.generation = generation
    }
}
