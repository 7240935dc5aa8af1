import TaskPool

/// Tests of the core: two sessions, and a store that has nothing.
protocol DrivesCore {}

extension DrivesCore {
    var a: SessionID { SessionID(1) }
    var b: SessionID { SessionID(2) }

    /// A pool whose tasks go from the store straight to the fetch queue.
    func pool(fetch: Int = 2, reserve: Int = 0) -> TaskPoolCore<Int> {
        var limits = TaskPoolLimits()
        limits.lookUp = 1_000
        limits.fetch = fetch
        limits.fetchPerHost = fetch
        limits.fetchReserve = reserve
        limits.fetchReservePerHost = 0
        return TaskPoolCore(limits: limits)
    }

    func wants(_ keys: some Sequence<Int>, visible: Bool) -> [PoolWant<Int>] {
        keys.map { PoolWant(key: $0, visible: visible) }
    }

    /// Answers every store look-up with a miss; the tickets of fetches that started.
    func missing(_ core: inout TaskPoolCore<Int>, _ actions: [PoolAction<Int>]) -> [Ticket<Int>] {
        var fetches: [Ticket<Int>] = []
        var actions = actions[...]
        while let action = actions.popFirst() {
            guard case .start(let ticket) = action else { continue }
            if ticket.kind == .lookUp {
                actions += core.finish(ticket, .advance(to: .fetch), now: 0)
            } else {
                fetches.append(ticket)
            }
        }
        return fetches
    }
}
