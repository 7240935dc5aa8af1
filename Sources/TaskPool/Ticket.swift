/// The work of a task in its slot. Each kind of slot has its own queue and its own limit, and a task goes on to later ones only.
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

/// A task's hold on one slot. A key that is cancelled and wanted again gets a ticket with another
/// serial, so that whatever the old one still reports falls on nothing.
public struct Ticket<Key: Hashable & Sendable>: Sendable, Hashable {
    public let key: Key
    public let host: Int
    public let kind: SlotKind
    /// Names the task: the same in all its slots, never used twice in one pool.
    public let serial: UInt64
    /// The task's place in the pool's table.
    let slot: Int32

    package init(key: Key, host: Int, kind: SlotKind, serial: UInt64, slot: Int32) {
        self.key = key
        self.host = host
        self.kind = kind
        self.serial = serial
        self.slot = slot
    }
}

/// The result of a task in its slot.
public enum SlotReport: Sendable, Equatable {
    /// Done here, goes on in a slot of a later kind (an earlier one or the same counts as failed). What goes on
    /// to be rendered holds so many bytes of memory until its task ends.
    case advance(to: SlotKind, bytes: Int = 0)
    /// Done altogether.
    case ready
    /// Try this again, no sooner than so many milliseconds from now; the slot is free meanwhile.
    case again(after: Double)
    /// It gives its slot back and waits for somebody else, until ``TaskPoolCore/comeBack(_:now:)``. No failure.
    case away
    /// Broken; it is not tried again until it is wanted again.
    case failed
    /// Stopped, as the pool had asked. Unasked for, it counts as failed.
    case cancelled
}

/// An action for the caller of the core.
public enum PoolAction<Key: Hashable & Sendable>: Sendable, Equatable {
    /// Do what the ticket's slot is for and report with `finish`.
    case start(Ticket<Key>)
    /// Stop what was started. Its slot stays taken until `finish` is called for it.
    case abort(Ticket<Key>)
    /// Nobody wants the task any more, and it was waiting: whatever is kept for its serial can go. Nothing to report.
    case dropped(Ticket<Key>)
    /// The task is over; these sessions wanted it, in the order in which they came. It comes first
    /// among the actions of a report.
    case finished(Ticket<Key>, sessions: [SessionID], ready: Bool)
    /// This session, which does not wait for a host that rests, has lost its want: the host rests until then, in
    /// milliseconds. The task goes on for others that want it.
    case refused(Key, session: SessionID, until: Double)
    /// The ticket's host rests until then, in milliseconds, or for longer than it was told of before. Only where the limits
    /// say that nodes share.
    case rests(Ticket<Key>, until: Double)
}
