import Numbers

/// A link whose bandwidth is shared equally by all flows that have begun (processor sharing).
///
/// Pure: time is an argument, in milliseconds.
package struct SharedLink {
    private struct Flow {
        var id: UInt64
        /// Bytes still to go, and the fraction of a byte that was earned but not granted.
        var remaining: Double
        var granted: Double = 0
    }

    private var flows: [Flow] = []
    private var time = 0.0

    package init() {}

    package var isIdle: Bool { flows.isEmpty }

    /// Begins a flow. Call ``advance(to:rate:)`` first, so that it does not share in what is past.
    package mutating func add(_ id: UInt64, bytes: Int, at now: Double) {
        if flows.isEmpty { time = now }
        flows.append(Flow(id: id, remaining: Double(max(bytes, 0))))
    }

    package mutating func remove(_ id: UInt64) { flows.removeAll { $0.id == id } }

    /// Lets time pass.
    ///
    /// - Parameter rate: bytes in a millisecond; infinite for no limit.
    /// - Returns: whole bytes that each flow may send now, and whether it is done then.
    package mutating func advance(to now: Double, rate: Double) -> [(id: UInt64, bytes: Int, isDone: Bool)] {
        var left = max(now - time, 0)
        time = max(now, time)
        var before = flows.map { ($0.id, $0.granted) }
        if rate.isInfinite {
            for index in flows.indices {
                flows[index].granted += flows[index].remaining
                flows[index].remaining = 0
            }
        } else {
            // In stretches, each until the next flow ends and its share goes to the others.
            while left > 0 {
                let active = flows.indices.filter { flows[$0].remaining > 0 }
                guard let least = active.map({ flows[$0].remaining }).min() else { break }
                let share = rate / Double(active.count)
                let stretch = min(left, least / share)
                let bytes = stretch * share
                for index in active {
                    let part = stretch < left && flows[index].remaining <= least ? least : bytes
                    flows[index].granted += min(part, flows[index].remaining)
                    flows[index].remaining = max(flows[index].remaining - part, 0)
                }
                left -= stretch
            }
        }
        var grants: [(id: UInt64, bytes: Int, isDone: Bool)] = []
        for (index, flow) in flows.enumerated() {
            let isDone = flow.remaining < 0.5
            let total = isDone ? (flow.granted + flow.remaining).rounded() : flow.granted
            let bytes = Int(clamping: total) - Int(clamping: before[index].1)
            before[index].1 = total
            if bytes > 0 || isDone { grants.append((flow.id, bytes, isDone)) }
        }
        flows.removeAll { $0.remaining < 0.5 }
        return grants
    }

    /// How long until the next flow ends, if nothing changes; `nil` when there is none.
    package func nextEnd(rate: Double) -> Double? {
        flows.map(\.remaining).min().map { rate.isInfinite ? 0 : $0 * Double(flows.count) / rate }
    }
}
