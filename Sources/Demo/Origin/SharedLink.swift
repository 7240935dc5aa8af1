/// A link whose bandwidth is shared equally by all transfers that have begun (processor sharing).
///
/// Pure: time is an argument, in milliseconds.
package struct SharedLink {
    private struct Transfer {
        var id: UInt64
        /// Bytes still to go, and the fraction of a byte that was earned but not granted.
        var remaining: Double
        var granted: Double = 0
    }

    private var transfers: [Transfer] = []
    private var time = 0.0

    package init() {}

    package var isIdle: Bool { transfers.isEmpty }

    /// Begins a transfer. Call ``advance(to:rate:)`` first, so that it does not share in what is past.
    package mutating func add(_ id: UInt64, bytes: Int, at now: Double) {
        if transfers.isEmpty { time = now }
        transfers.append(Transfer(id: id, remaining: Double(max(bytes, 0))))
    }

    package mutating func remove(_ id: UInt64) { transfers.removeAll { $0.id == id } }

    /// Lets time pass.
    ///
    /// - Parameter rate: bytes in a millisecond; infinite for no limit.
    /// - Returns: whole bytes that each transfer may send now, and whether it is done then.
    package mutating func advance(to now: Double, rate: Double) -> [(id: UInt64, bytes: Int, isDone: Bool)] {
        var left = max(now - time, 0)
        time = max(now, time)
        var before = transfers.map { ($0.id, $0.granted) }
        if rate.isInfinite {
            for index in transfers.indices {
                transfers[index].granted += transfers[index].remaining
                transfers[index].remaining = 0
            }
        } else {
            // In stretches, each until the next transfer ends and its share goes to the others.
            while left > 0 {
                let active = transfers.indices.filter { transfers[$0].remaining > 0 }
                guard let least = active.map({ transfers[$0].remaining }).min() else { break }
                let share = rate / Double(active.count)
                let stretch = min(left, least / share)
                let bytes = stretch * share
                for index in active {
                    let part = stretch < left && transfers[index].remaining <= least ? least : bytes
                    transfers[index].granted += min(part, transfers[index].remaining)
                    transfers[index].remaining = max(transfers[index].remaining - part, 0)
                }
                left -= stretch
            }
        }
        var grants: [(id: UInt64, bytes: Int, isDone: Bool)] = []
        for (index, transfer) in transfers.enumerated() {
            let isDone = transfer.remaining < 0.5
            let total = isDone ? (transfer.granted + transfer.remaining).rounded() : transfer.granted
            let bytes = Int(total) - Int(before[index].1)
            before[index].1 = total
            if bytes > 0 || isDone { grants.append((transfer.id, bytes, isDone)) }
        }
        transfers.removeAll { $0.remaining < 0.5 }
        return grants
    }

    /// How long until the next transfer ends, if nothing changes; `nil` when there is none.
    package func nextEnd(rate: Double) -> Double? {
        transfers.map(\.remaining).min().map { rate.isInfinite ? 0 : $0 * Double(transfers.count) / rate }
    }
}
