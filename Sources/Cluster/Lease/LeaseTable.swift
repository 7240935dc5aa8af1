/// Decides for one node whether it does a piece of work that several nodes want, or waits for another node.
///
/// The table turns events into actions. It sends nothing itself and reads no clock.
///
/// A key names a piece of work, and a want is one demand of this node for its result. A want claims its key at the engine: the server
/// that all nodes share. The first want to claim a key leads: its node does the work, renews the lease, and finishes or releases it.
/// The other wants wait for a message, or until the lease expires, and then claim again. If the engine is unavailable or its reply is
/// malformed, every node does the work without a lease.
///
/// A number identifies each want. A want ends when it gets ``LeaseAction/alone(_:)`` or finds the result, or when the caller calls
/// ``finish(_:)`` or ``release(_:)``. The caller must call ``release(_:)`` for every want that does not end otherwise.
public struct LeaseTable: Sendable {
    public typealias Want = UInt64

    enum Phase: Sendable, Equatable {
        /// The claim is in flight. `isStale` if a message about the key arrived since: the engine may have replied before it sent
        /// the message.
        case claiming(isStale: Bool)
        /// The want waits for a message. `isWoken` if the want should claim now.
        case waiting(isWoken: Bool)
        case leading(Lead)
    }

    struct Lead: Sendable, Equatable {
        var token: UInt64
        var othersWait: Bool
        /// Whether the work continues even if nobody on this node wants the result.
        var isHeld = false
    }

    struct Entry: Sendable {
        var key: String
        var phase: Phase
        /// Time at which the want was created, in milliseconds.
        var since: Double
    }

    public let times: LeaseTimes
    private(set) var wants: [Want: Entry] = [:]
    /// The wants of each key, in the order of creation.
    private(set) var byKey: [String: [Want]] = [:]
    /// Keys for which the engine may list this node as waiting.
    private(set) var registered: Set<String> = []
    private var lastWant: Want = 0
    private var lastToken: UInt64 = 0

    public init(times: LeaseTimes = LeaseTimes()) { self.times = times }

    public var isEmpty: Bool { wants.isEmpty && byKey.isEmpty && registered.isEmpty }

    /// Whether a want has not ended.
    public func contains(_ want: Want) -> Bool { wants[want] != nil }

    /// The wants of a key that have not ended.
    public func wants(of key: String) -> [Want] { byKey[key] ?? [] }

    /// Whether a want leads and others wait for its work.
    public func isHeld(_ want: Want) -> Bool {
        if case .leading(let lead)? = wants[want]?.phase { lead.isHeld } else { false }
    }

    /// Number of leases this node holds now.
    public var leading: Int { wants.values.count { if case .leading = $0.phase { true } else { false } } }

    // MARK: Wants of this node

    /// Adds a want of a key. Call ``claim(_:now:)`` with it next.
    public mutating func want(_ key: String, now: Double) -> Want {
        lastWant += 1
        wants[lastWant] = Entry(key: key, phase: .waiting(isWoken: true), since: now)
        byKey[key, default: []].append(lastWant)
        return lastWant
    }

    /// Claims the key of a want, for the first time or again.
    public mutating func claim(_ want: Want, now: Double) -> [LeaseAction] {
        guard let entry = wants[want], case .waiting = entry.phase else { return [] }
        if now - entry.since >= times.patience { return [.alone(want)] + end(want) }
        if let leader = leader(of: entry.key) {
            wants[want]?.phase = .waiting(isWoken: false)
            return settleHold(leader) + [.wait(want, milliseconds: times.lease)]
        }
        // Registers before the claim is sent, because a message may overtake the reply.
        registered.insert(entry.key)
        wants[want]?.phase = .claiming(isStale: false)
        lastToken += 1
        return [.claim(want, key: entry.key, token: lastToken)]
    }

    /// - Parameter random: A uniform random number in 0 ..< 1.
    public mutating func replied(
        _ want: Want, key: String, token: UInt64, _ result: ClaimResult, random: Double
    ) -> [LeaseAction] {
        guard let entry = wants[want], case .claiming(let isStale) = entry.phase else {
            // The want was released while its claim was in flight: no want is left to do the work.
            return result.isLead ? [.release(key: key, token: token)] : []
        }
        switch result {
        case .found:
            // With the result, the engine has deleted its list of waiting nodes.
            if byKey[key]?.count == 1 { registered.remove(key) }
            return end(want)
        case .away: return [.alone(want)] + end(want)
        case .lead(let othersWait):
            wants[want]?.phase = .leading(Lead(token: token, othersWait: othersWait))
            // The engine removes the leader from the list of waiting nodes.
            registered.remove(key)
            return [.lead(want, token: token)] + settleHold(want)
        case .taken(let rest):
            // No lease lasts longer than this: another program wrote the value.
            guard rest >= 0, rest <= 2 * times.lease else { return [.alone(want)] + end(want) }
            registered.insert(key)
            wants[want]?.phase = .waiting(isWoken: isStale)
            let stagger = times.stagger
            let pause = stagger.lowerBound + random * (stagger.upperBound - stagger.lowerBound)
            return [.wait(want, milliseconds: isStale ? 0 : rest + pause)]
        }
    }

    /// Ends a waiting want whose result arrived with the `done` message of another node.
    public mutating func found(_ want: Want) -> [LeaseAction] {
        guard let entry = wants[want], case .waiting = entry.phase else { return [] }
        return end(want)
    }

    /// Ends a want whose work is done. The result, a success or a failure, is shared with all nodes.
    public mutating func finish(_ want: Want) -> [LeaseAction] {
        guard let entry = wants[want], case .leading(let lead) = entry.phase else { return [] }
        return [.finish(want, key: entry.key, token: lead.token)] + end(want)
    }

    /// Ends a want that nobody on this node has any more, or whose work failed for a reason that does not concern other nodes.
    public mutating func release(_ want: Want) -> [LeaseAction] {
        guard let entry = wants[want] else { return [] }
        if case .leading(let lead) = entry.phase { return [.release(key: entry.key, token: lead.token)] + end(want) }
        return end(want)
    }

    // MARK: Messages from nodes

    /// Handles a message about a key from another node, or from this one.
    public mutating func received(_ message: LeaseMessage, of key: String) -> [LeaseAction] {
        switch message {
        case .done, .released:
            registered.remove(key)
            return wake(key)
        case .othersWait, .nobodyWaits:
            guard let leader = leader(of: key), case .leading(var lead)? = wants[leader]?.phase else { return [] }
            lead.othersWait = message == .othersWait
            wants[leader]?.phase = .leading(lead)
            return settleHold(leader)
        }
    }

    /// Wakes all waiting wants, because the connection to the engine is lost and no message can arrive. Leading wants continue.
    public mutating func lost() -> [LeaseAction] {
        registered = []
        return byKey.keys.sorted().flatMap { wake($0) }
    }

    /// Returns a ``LeaseAction/keep(key:token:)`` for each lease of this node.
    public func renewals() -> [LeaseAction] {
        wants.sorted { $0.key < $1.key }.compactMap { want, entry in
            guard case .leading(let lead) = entry.phase else { return nil }
            return .keep(key: entry.key, token: lead.token)
        }
    }

    // MARK: Helpers

    private func leader(of key: String) -> Want? {
        byKey[key]?.first { if case .leading? = wants[$0]?.phase { true } else { false } }
    }

    /// Holds the leader's work while other nodes, or other wants of this node, wait for the result. Lifts the hold otherwise.
    private mutating func settleHold(_ leader: Want) -> [LeaseAction] {
        guard let entry = wants[leader], case .leading(var lead) = entry.phase else { return [] }
        let isHeld = lead.othersWait || (byKey[entry.key]?.count ?? 0) > 1
        guard isHeld != lead.isHeld else { return [] }
        lead.isHeld = isHeld
        wants[leader]?.phase = .leading(lead)
        return [isHeld ? .hold(leader) : .unhold(leader)]
    }

    private mutating func wake(_ key: String) -> [LeaseAction] {
        var actions: [LeaseAction] = []
        for want in byKey[key] ?? [] {
            switch wants[want]?.phase {
            case .claiming(false): wants[want]?.phase = .claiming(isStale: true)
            case .waiting(false):
                wants[want]?.phase = .waiting(isWoken: true)
                actions.append(.wake(want))
            default: break
            }
        }
        return actions
    }

    /// Forgets a want. If the want led, the other wants of its key wake and claim. If no want of the key waits any more, the engine
    /// removes this node from its list of waiting nodes.
    private mutating func end(_ want: Want) -> [LeaseAction] {
        guard let entry = wants.removeValue(forKey: want) else { return [] }
        var actions: [LeaseAction] = []
        byKey[entry.key]?.removeAll { $0 == want }
        if case .leading(let lead) = entry.phase {
            if lead.isHeld { actions.append(.unhold(want)) }
            actions += wake(entry.key)
        } else if let leader = leader(of: entry.key) {
            actions += settleHold(leader)
        }
        let others = byKey[entry.key] ?? []
        if others.isEmpty { byKey[entry.key] = nil }
        let isWaitedFor = others.contains { if case .leading? = wants[$0]?.phase { false } else { true } }
        if !isWaitedFor, registered.remove(entry.key) != nil { actions.append(.drop(key: entry.key)) }
        return actions
    }
}
