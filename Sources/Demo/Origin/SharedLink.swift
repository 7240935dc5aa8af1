import Numbers

/// A link whose bandwidth all open flows share equally (processor sharing).
///
/// Reads no clock. Callers pass the time, in milliseconds.
package struct SharedLink {
    private struct Flow {
        var id: UInt64
        /// Bytes to send. May have a fraction.
        var remaining: Double
        /// Bytes granted so far. May have a fraction, which is granted later.
        var granted: Double = 0
    }

    private var flows: [Flow] = []
    private var time = 0.0

    package init() {}

    package var isIdle: Bool { flows.isEmpty }

    /// Adds a flow. Call ``advance(to:rate:)`` first, or the new flow gets bandwidth of the time before.
    package mutating func add(_ id: UInt64, bytes: Int, at now: Double) {
        if flows.isEmpty { time = now }
        flows.append(Flow(id: id, remaining: Double(max(bytes, 0))))
    }

    package mutating func remove(_ id: UInt64) { flows.removeAll { $0.id == id } }

    /// Moves the time forward and grants bytes to the flows.
    ///
    /// - Parameter rate: Bytes per millisecond. Infinite for no limit.
    /// - Returns: Whole bytes that each flow may send now, and whether the flow ends with them.
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
            // Advances in steps. A step lasts until the next flow ends, because the other flows then share its bandwidth.
            while left > 0 {
                let active = flows.indices.filter { flows[$0].remaining > 0 }
                guard let minimum = active.map({ flows[$0].remaining }).min() else { break }
                let share = rate / Double(active.count)
                let stretch = min(left, minimum / share)
                let bytes = stretch * share
                for index in active {
                    let part = stretch < left && flows[index].remaining <= minimum ? minimum : bytes
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

    /// Returns the time until the next flow ends if nothing changes, in milliseconds. `nil` if there are no flows.
    package func nextEnd(rate: Double) -> Double? {
        flows.map(\.remaining).min().map { rate.isInfinite ? 0 : $0 * Double(flows.count) / rate }
    }
}
