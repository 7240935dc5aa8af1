/// An action for the node.
public enum LeaseAction: Sendable, Equatable {
    /// Ask the engine for the lease, and report with `answered`.
    case claim(LeaseTable.Want, key: String, token: UInt64)
    /// This node has the lease: do the work.
    case lead(LeaseTable.Want, token: UInt64)
    /// Another has it: claim again after so long, or when woken.
    case wait(LeaseTable.Want, milliseconds: Double)
    /// Claim again now.
    case wake(LeaseTable.Want)
    /// Do the work without a lease. The want has ended.
    case alone(LeaseTable.Want)
    /// Others wait for the work of this want: it goes on though nobody here wants it.
    case hold(LeaseTable.Want)
    /// They do not any more.
    case unhold(LeaseTable.Want)
    /// Save the result, give the lease back and tell those that wait. The want has ended.
    case finish(LeaseTable.Want, key: String, token: UInt64)
    /// Give the lease of a want that has ended back and tell those that wait.
    case release(key: String, token: UInt64)
    /// Renew a lease.
    case keep(key: String, token: UInt64)
    /// This node waits for the key no longer.
    case drop(key: String)
}

/// The engine's reply to a claim.
public enum ClaimAnswer: Sendable, Equatable {
    /// The result is there.
    case found
    /// The lease is ours; whether other nodes wait already.
    case lead(othersWait: Bool)
    /// Another has the lease, for so many milliseconds still.
    case taken(rest: Double)
    /// Nothing was heard in time, or nothing that makes sense.
    case away

    public var isLead: Bool { if case .lead = self { true } else { false } }
}

/// Messages between nodes about a key.
public enum LeaseWord: Sendable, Equatable {
    /// The result is there.
    case done
    /// The lease was given back without a result.
    case released
    /// To the leader: another node waits.
    case othersWait
    /// To the leader: no other node waits any more.
    case nobodyWaits
}

/// How long things last, in milliseconds.
public struct LeaseTimes: Sendable, Equatable {
    /// A lease that is not renewed; its node renews it each second. Default 3,000: a shorter one is lost in the pauses of a
    /// busy node.
    public var lease = 3_000.0
    /// How long a want waits for other nodes in all; then this one does the work by itself. Default 5,000.
    public var patience = 5_000.0
    /// Added to what is left of another node's lease, so that those that wait do not ask all at once. Default 20 to 100.
    public var stagger = 20.0...100.0

    public init() {}
}
