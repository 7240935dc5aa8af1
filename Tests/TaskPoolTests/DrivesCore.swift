import TaskPool

/// Helpers for tests of the core, with two sessions and an empty store.
protocol DrivesCore {}

extension DrivesCore {
    var a: SessionID { SessionID(1) }
    var b: SessionID { SessionID(2) }

    /// Returns a pool whose tasks go from the look-up directly to the fetch queue.
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

    /// Reports every look-up as a miss. Returns the tickets of the fetches that started.
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
