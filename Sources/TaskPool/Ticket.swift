/// A kind of slot. Each kind has its own queue and its own limit. A task moves only to later kinds.
public enum SlotKind: UInt8, Sendable, CaseIterable, Comparable {
    /// Looks for a product that already exists. The pool looks up many tasks together.
    case lookUp
    /// Reads the beginning of a large file and shows the preview in it.
    case head
    /// Reads the beginning of a picture on a remote host, within the host's limits.
    case remoteHead
    /// Downloads the picture from its host.
    case fetch
    /// Decodes, scales and encodes the picture.
    case render
    /// Decodes, scales and encodes a picture so large that only one is decoded at a time. The picture has waited for `render` before.
    case largeRender

    /// Whether this kind takes a slot of the task's host.
    public var isFetch: Bool { self == .remoteHead || self == .fetch }

    public static func < (a: SlotKind, b: SlotKind) -> Bool { a.rawValue < b.rawValue }
}

/// A task's hold on one slot. A key that is cancelled and wanted again gets a ticket with another
/// serial, so the pool ignores late reports for the old ticket.
public struct Ticket<Key: Hashable & Sendable>: Sendable, Hashable {
    public let key: Key
    public let host: Int
    public let kind: SlotKind
    /// Number of the task: the same in all its slots, never used twice in one pool.
    public let serial: UInt64
    /// The limit that the slot's start used up, so that the task has probably waited for it. `nil` for other kinds than fetches.
    public let limit: SlotLimit?
    /// The task's place in the pool's table.
    let slot: Int32

    package init(key: Key, host: Int, kind: SlotKind, serial: UInt64, slot: Int32, limit: SlotLimit? = nil) {
        self.key = key
        self.host = host
        self.kind = kind
        self.serial = serial
        self.slot = slot
        self.limit = limit
    }
}

/// A limit for which a fetch waits.
public enum SlotLimit: Sendable, Hashable {
    /// Number of concurrent fetches from the task's host that its urgency may use.
    case host(Int)
    /// Number of concurrent fetches from all hosts that its urgency may use.
    case allHosts(Int)
    /// The fetch is a retry, or its host was paused.
    case retry
}

/// The result of a task in its slot.
public enum SlotReport: Sendable, Equatable {
    /// This step is done. The task continues in a slot of a later kind. The same or an earlier kind counts as a failure.
    /// If `kind` is `.render` or `.largeRender`, the task holds `bytes` bytes of memory until it ends.
    case advance(to: SlotKind, bytes: Int = 0)
    /// The task is complete.
    case ready
    /// Retry this step after at least this delay, in milliseconds. The slot is free until then.
    case again(after: Double)
    /// The task gives its slot back and waits for an outside event, until ``TaskPoolCore/reacquireSlot(_:now:)``. Not a failure.
    case away
    /// Failed. The pool does not retry the task until a session wants it again.
    case failed
    /// Stopped at the pool's request. If the pool did not request it, this counts as a failure.
    case cancelled
}

/// An action for the caller of the core.
public enum PoolAction<Key: Hashable & Sendable>: Sendable, Equatable {
    /// Do the work of the ticket's slot, then report with `finish`.
    case start(Ticket<Key>)
    /// Stop the work of this ticket. Its slot stays taken until the caller reports with `finish`.
    case abort(Ticket<Key>)
    /// A waiting task that nobody wants any more. Discard the data stored for its serial. No report is needed.
    case dropped(Ticket<Key>)
    /// The task is over. `sessions` wanted it, in the order in which they joined. This is the first
    /// of a report's actions.
    case finished(Ticket<Key>, sessions: [SessionID], ready: Bool)
    /// The task's host is paused until `until`, in milliseconds, and this session does not wait for paused hosts, so the
    /// pool removed its want. The task continues for other sessions that want it.
    case refused(Key, session: SessionID, until: Double)
    /// The ticket's host is paused until `until`, in milliseconds, or the pause became longer. Sent only if the limits
    /// say that nodes share.
    case paused(Ticket<Key>, until: Double)
}
