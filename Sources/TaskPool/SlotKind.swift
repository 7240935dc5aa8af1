/// What a task does with its slot. Each kind of slot has its own queue and its own limit, and a task goes on to later ones only.
public enum SlotKind: UInt8, Sendable, CaseIterable, Comparable {
    /// Looks for a product that exists already. The pool does that for many tasks together.
    case lookUp
    /// Reads the beginning of a file, and shows the preview in it, where a whole picture is large.
    case head
    /// The same of a picture on a remote host, within the host's limits.
    case remoteHead
    /// Downloads the picture from its host.
    case fetch
    /// Decodes, scales and encodes it.
    case render

    /// Whether it takes a slot of the task's host.
    public var isFetch: Bool { self == .remoteHead || self == .fetch }

    public static func < (a: SlotKind, b: SlotKind) -> Bool { a.rawValue < b.rawValue }
}
