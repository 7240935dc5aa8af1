/// The steps of a task, in order. Each has its own queue and its own limit.
public enum Stage: UInt8, Sendable, CaseIterable, Comparable {
    /// Look for a finished thumbnail in the store.
    case store
    /// Read its beginning, and show the preview in it, where a whole picture is large.
    case head
    /// The same of a picture on a remote host, within the host's limits.
    case remoteHead
    /// Download the picture from its host.
    case fetch
    /// Decode, scale and encode it.
    case render

    /// Whether it takes a slot of the task's host.
    public var isFetch: Bool { self == .remoteHead || self == .fetch }

    public static func < (a: Stage, b: Stage) -> Bool { a.rawValue < b.rawValue }
}
