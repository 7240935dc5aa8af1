/// Assigns each key to one of several servers: every node that knows the same servers finds the same, in whatever order it knows
/// them, and a server that is taken away moves no key but its own.
///
/// Highest random weight (Thaler and Ravishankar, 1996).
package struct RendezvousHash: Sendable {
    private let seeds: [UInt64]

    /// - Parameter names: of the servers, 1 or more.
    package init(_ names: [String]) { seeds = names.map { Self.hash($0, seed: 0xCBF2_9CE4_8422_2325) } }

    /// The place of a key's server among the names.
    package func place(of key: String) -> Int {
        guard seeds.count > 1 else { return 0 }
        var best = (place: 0, weight: UInt64.min)
        for (place, seed) in seeds.enumerated() {
            let weight = Self.hash(key, seed: seed)
            if place == 0 || weight > best.weight { best = (place, weight) }
        }
        return best.place
    }

    /// FNV-1a, its bits then spread as in SplitMix64.
    private static func hash(_ text: String, seed: UInt64) -> UInt64 {
        var hash = seed
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 30) &* 0xBF58_476D_1CE4_E5B9
        hash = (hash ^ hash >> 27) &* 0x94D0_49BB_1331_11EB
        return hash ^ hash >> 31
    }
}
