/// The name of a session in the pool: one viewport, one fair share.
public struct SessionID: Hashable, Sendable, Comparable {
    public var rawValue: UInt64

    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    public static func < (a: SessionID, b: SessionID) -> Bool { a.rawValue < b.rawValue }
}

/// One thing a session wants. A session hands over all it wants at once, most urgent first; the place in the list is
/// the urgency, so no time is needed beside it.
public struct PoolWant<Key: Hashable & Sendable>: Sendable {
    /// The wanted product; sessions that want the same key share one task.
    public var key: Key
    /// The host that serves it, as a small number that the caller assigns; hosts have fetch limits of their own.
    public var host: Int
    /// Whether it is on screen now. No task waits behind one that no session sees.
    public var visible: Bool
    /// Whether to wait while the host rests. Where not, the want is refused as soon as it has to be fetched and cannot.
    public var waitsForHost: Bool
    /// Whether the preview is enough: nothing is fetched for this want.
    public var isPreviewEnough: Bool
    /// Tells this want from earlier ones of the session for the same key. Another number starts a key again that has
    /// finished: to try again what failed, or to fetch again what was lost.
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
