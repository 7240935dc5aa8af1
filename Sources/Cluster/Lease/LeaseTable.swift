/// Decides which node does a piece of work that several want, as one node sees it: events go in, actions come out. It sends
/// nothing itself and reads no clock.
///
/// A want claims its key at the engine that the nodes share. The first leads: it does the work, renews its lease, and finishes or
/// releases it. The others wait for a word, or for the lease to run out, and then claim again. Where the engine is away, or does
/// not make sense, everyone does the work alone.
///
/// A want is known by a number from its first claim on. It ends when it is answered with ``LeaseAction/alone(_:)``, finds the
/// result, finishes, or is let go; the caller lets go of every want that ends in no other way.
public struct LeaseTable: Sendable {
    public typealias Want = UInt64

    enum Phase: Sendable, Equatable {
        /// The claim is under way; `isStale` where a word came meanwhile, so that its answer may be older than the word.
        case claiming(isStale: Bool)
        /// Waits for a word; `isWoken` once it is to claim again.
        case waiting(isWoken: Bool)
        case leading(Lead)
    }

    struct Lead: Sendable, Equatable {
        var token: UInt64
        /// Whether other nodes wait.
        var othersWait: Bool
        /// Whether the work goes on though nobody here wants it.
        var isHeld = false
    }

    struct Entry: Sendable {
        var key: String
        var phase: Phase
        /// When it first claimed.
        var since: Double
    }

    public let times: LeaseTimes
    private(set) var wants: [Want: Entry] = [:]
    /// The wants of each key, in the order in which they came.
    private(set) var byKey: [String: [Want]] = [:]
    /// Keys at which this node may be registered as one that waits.
    private(set) var registered: Set<String> = []
    private var lastWant: Want = 0
    private var lastToken: UInt64 = 0

    public init(times: LeaseTimes = LeaseTimes()) { self.times = times }

    public var isEmpty: Bool { wants.isEmpty && byKey.isEmpty && registered.isEmpty }

    /// Whether a want has not ended.
    public func contains(_ want: Want) -> Bool { wants[want] != nil }

    /// The wants of a key that have not ended.
    public func wants(of key: String) -> [Want] { byKey[key] ?? [] }

    /// Whether others wait for the work of a want that leads.
    public func isHeld(_ want: Want) -> Bool {
        if case .leading(let lead)? = wants[want]?.phase { lead.isHeld } else { false }
    }

    /// Leases held now.
    public var leading: Int { wants.values.count { if case .leading = $0.phase { true } else { false } } }

    // MARK: Wants of this node

    /// A new want of a key. Claim it next.
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
        // Registered before the claim is sent: a word may overtake its answer.
        registered.insert(entry.key)
        wants[want]?.phase = .claiming(isStale: false)
        lastToken += 1
        return [.claim(want, key: entry.key, token: lastToken)]
    }

    /// Takes the answer to a claim.
    ///
    /// - Parameter random: evenly in 0 ..< 1.
    public mutating func answered(
        _ want: Want, key: String, token: UInt64, _ answer: ClaimAnswer, random: Double
    ) -> [LeaseAction] {
        guard let entry = wants[want], case .claiming(let isStale) = entry.phase else {
            // Let go meanwhile: no want is left here to do the work.
            return answer.isLead ? [.release(key: key, token: token)] : []
        }
        switch answer {
        case .found:
            // The engine has no list of those that wait any more.
            if byKey[key]?.count == 1 { registered.remove(key) }
            return end(want)
        case .away: return [.alone(want)] + end(want)
        case .lead(let othersWait):
            wants[want]?.phase = .leading(Lead(token: token, othersWait: othersWait))
            // The engine strikes who leads off the list of those that wait.
            registered.remove(key)
            return [.lead(want, token: token)] + settleHold(want)
        case .taken(let rest):
            // No lease lasts so long: the value is not one of ours.
            guard rest >= 0, rest <= 2 * times.lease else { return [.alone(want)] + end(want) }
            registered.insert(key)
            wants[want]?.phase = .waiting(isWoken: isStale)
            let stagger = times.stagger
            let pause = stagger.lowerBound + random * (stagger.upperBound - stagger.lowerBound)
            return [.wait(want, milliseconds: isStale ? 0 : rest + pause)]
        }
    }

    /// The result of another node came with the word that it is done.
    public mutating func found(_ want: Want) -> [LeaseAction] {
        guard let entry = wants[want], case .waiting = entry.phase else { return [] }
        return end(want)
    }

    /// The work is done, for good or ill; its result goes to everyone.
    public mutating func finish(_ want: Want) -> [LeaseAction] {
        guard let entry = wants[want], case .leading(let lead) = entry.phase else { return [] }
        return [.finish(want, key: entry.key, token: lead.token)] + end(want)
    }

    /// Nobody here wants it any more, or the work has failed in a way that says nothing to others.
    public mutating func letGo(_ want: Want) -> [LeaseAction] {
        guard let entry = wants[want] else { return [] }
        if case .leading(let lead) = entry.phase { return [.release(key: entry.key, token: lead.token)] + end(want) }
        return end(want)
    }

    // MARK: Words of other nodes

    /// A word about a key from another node, or from this one.
    public mutating func heard(_ word: LeaseWord, of key: String) -> [LeaseAction] {
        switch word {
        case .done, .released:
            registered.remove(key)
            return wake(key)
        case .othersWait, .nobodyWaits:
            guard let leader = leader(of: key), case .leading(var lead)? = wants[leader]?.phase else { return [] }
            lead.othersWait = word == .othersWait
            wants[leader]?.phase = .leading(lead)
            return settleHold(leader)
        }
    }

    /// The engine cannot be heard any more: nobody waits for a word. Work that is led goes on.
    public mutating func lost() -> [LeaseAction] {
        registered = []
        return byKey.keys.sorted().flatMap { wake($0) }
    }

    /// The leases to renew.
    public func renewals() -> [LeaseAction] {
        wants.sorted { $0.key < $1.key }.compactMap { want, entry in
            guard case .leading(let lead) = entry.phase else { return nil }
            return .keep(key: entry.key, token: lead.token)
        }
    }

    // MARK: Inside

    private func leader(of key: String) -> Want? {
        byKey[key]?.first { if case .leading? = wants[$0]?.phase { true } else { false } }
    }

    /// The work goes on for other nodes, and for other wants here that wait for it.
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

    /// Forgets a want. Where it led, others here claim in its place; the last one of a key that waits takes the node off the
    /// list of those that wait.
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
