import Cluster

/// The engine as its scripts behave, in virtual time.
struct ModelEngine {
    struct Lease { var node: Int, token: UInt64, until: Double }

    var results: Set<String> = []
    var leases: [String: Lease] = [:]
    var waiting: [String: Set<Int>] = [:]
    /// Messages published but not yet delivered, by node.
    var words: [Int: [(word: LeaseMessage, key: String)]] = [:]

    mutating func claim(_ key: String, _ node: Int, _ token: UInt64, now: Double, lease: Double) -> ClaimResult {
        if results.contains(key) { return .found }
        if let held = leases[key], held.until > now {
            if waiting[key, default: []].insert(node).inserted, waiting[key]?.count == 1 {
                words[held.node, default: []].append((.othersWait, key))
            }
            return .taken(rest: held.until - now)
        }
        leases[key] = Lease(node: node, token: token, until: now + lease)
        waiting[key]?.remove(node)
        return .lead(othersWait: waiting[key]?.isEmpty == false)
    }

    mutating func finish(_ key: String, _ node: Int, _ token: UInt64) {
        results.insert(key)
        if isHeld(key, node, token) { leases[key] = nil }
        tellAll(.done, key)
    }

    mutating func release(_ key: String, _ node: Int, _ token: UInt64) {
        guard isHeld(key, node, token) else { return }
        leases[key] = nil
        tellAll(.released, key)
    }

    mutating func keep(_ key: String, _ node: Int, _ token: UInt64, now: Double, lease: Double) {
        if isHeld(key, node, token), (leases[key]?.until ?? 0) > now { leases[key]?.until = now + lease }
    }

    mutating func drop(_ key: String, _ node: Int, now: Double) {
        waiting[key]?.remove(node)
        if let held = leases[key], held.until > now, waiting[key]?.isEmpty != false {
            words[held.node, default: []].append((.nobodyWaits, key))
        }
    }

    private func isHeld(_ key: String, _ node: Int, _ token: UInt64) -> Bool {
        leases[key]?.node == node && leases[key]?.token == token
    }

    private mutating func tellAll(_ word: LeaseMessage, _ key: String) {
        for node in waiting.removeValue(forKey: key) ?? [] { words[node, default: []].append((word, key)) }
    }
}
