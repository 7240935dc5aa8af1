import Pictures

/// Assigns each key to one of several servers: every node that knows the same servers finds the same, in whatever order it knows
/// them, and a server that is taken away moves no key but its own.
///
/// Highest random weight (Thaler and Ravishankar, 1996).
package struct RendezvousHash: Sendable {
    private let seeds: [UInt64]

    /// - Parameter names: of the servers, 1 or more.
    package init(_ names: [String]) { seeds = names.map { StableHash($0).mixed } }

    /// The place of a key's server among the names.
    package func place(of key: String) -> Int {
        guard seeds.count > 1 else { return 0 }
        var best = (place: 0, weight: UInt64.min)
        for (place, seed) in seeds.enumerated() {
            var hash = StableHash(seed: seed)
            hash.combine(key)
            let weight = hash.mixed
            if place == 0 || weight > best.weight { best = (place, weight) }
        }
        return best.place
    }
}
