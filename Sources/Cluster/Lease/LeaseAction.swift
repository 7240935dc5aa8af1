/// An action that the lease table requires from its node.
public enum LeaseAction: Sendable, Equatable {
    /// Request the lease from the engine, and pass the reply to ``LeaseTable/replied(_:key:token:_:random:)``.
    case claim(LeaseTable.Want, key: String, token: UInt64)
    /// This node has the lease: do the work.
    case lead(LeaseTable.Want, token: UInt64)
    /// Another want or node has the lease: claim again after this time, or when woken.
    case wait(LeaseTable.Want, milliseconds: Double)
    /// Claim again now.
    case wake(LeaseTable.Want)
    /// Do the work without a lease. Ends the want.
    case alone(LeaseTable.Want)
    /// Continue the work of this want even if nobody on this node wants the result: others wait for it.
    case hold(LeaseTable.Want)
    /// Nobody else waits for the work of this want any more: this node may cancel it.
    case unhold(LeaseTable.Want)
    /// Save the result, release the lease and notify the waiting nodes. Ends the want.
    case finish(LeaseTable.Want, key: String, token: UInt64)
    /// Release the lease of a want that has ended, and notify the waiting nodes.
    case release(key: String, token: UInt64)
    /// Renew a lease.
    case keep(key: String, token: UInt64)
    /// Remove this node from the nodes that wait for the key.
    case drop(key: String)
}

/// The engine's reply to a claim.
public enum ClaimResult: Sendable, Equatable {
    /// The engine has the result.
    case found
    /// This node has the lease. `othersWait` is whether other nodes wait already.
    case lead(othersWait: Bool)
    /// Another node has the lease. `rest` is its remaining time, in milliseconds.
    case taken(rest: Double)
    /// The engine sent no reply in time, or a malformed one.
    case away

    public var isLead: Bool { if case .lead = self { true } else { false } }
}

/// Messages between nodes about a key.
public enum LeaseMessage: Sendable, Equatable {
    /// The engine has the result.
    case done
    /// The leader released the lease without a result.
    case released
    /// To the leader: another node waits.
    case othersWait
    /// To the leader: no other node waits any more.
    case nobodyWaits
}

/// Durations that govern leases, in milliseconds.
public struct LeaseTimes: Sendable, Equatable {
    /// Time until a lease expires if its node does not renew it. Nodes renew each second. Default 3,000: a busy node would lose a
    /// shorter lease during its pauses.
    public var lease = 3_000.0
    /// Maximum total time a want waits for other nodes. After that, this node does the work without a lease. Default 5,000.
    public var patience = 5_000.0
    /// Random delay added to the remaining time of another node's lease, so that waiting nodes do not all claim at the same time.
    /// Default 20 to 100.
    public var stagger = 20.0...100.0

    public init() {}
}
