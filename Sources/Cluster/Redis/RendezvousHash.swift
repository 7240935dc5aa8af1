import Media

/// Assigns each key to one of several servers.
///
/// All nodes with the same servers assign a key to the same server, in whatever order they list the servers. Removing a server moves
/// only the keys of this server.
///
/// Source: highest random weight (Thaler and Ravishankar, 1996).
package struct RendezvousHash: Sendable {
    private let seeds: [UInt64]

    /// - Parameter names: Names of one or more servers.
    package init(_ names: [String]) { seeds = names.map { StableHash($0).mixed } }

    /// Returns the index of a key's server in `names`.
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
