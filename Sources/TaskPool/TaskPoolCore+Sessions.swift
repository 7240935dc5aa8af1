// Ends sessions, refuses wants while a host rests, and wakes tasks that wait.
extension TaskPoolCore {
    /// What the key's task waits for has come: its stage runs again as soon as there is a slot. One that is running does so
    /// should it report that it waits.
    public mutating func goOn(with key: Key, now: Double) -> [Action] {
        guard let slot = slots[key] else { return [] }
        board.goOn(slot)
        return settle([])
    }

    /// Ends a session: all that only it wanted is cancelled.
    public mutating func end(session: SessionID, now: Double) -> [Action] {
        var dropped: [Board.Dropped] = []
        close(session, &dropped)
        return settle(dropped)
    }

    /// Ends all sessions: each task is `finished`, not ready, for those that wanted it, and cancelled.
    public mutating func endAll(now: Double) -> [Action] {
        var actions: [Action] = []
        for (key, slot) in slots.sorted(by: { $0.value < $1.value }) {
            let task = board.tasks[Int(slot)]
            guard let stage = task.state.stage else { continue }
            let sessions = task.wanters.map { names[Int($0.session)] }
            actions.append(.finished(ticket(slot, key, stage), sessions: sessions, ready: false))
        }
        var dropped: [Board.Dropped] = []
        for session in sessions.keys.sorted() { close(session, &dropped) }
        return actions + settle(dropped)
    }

    private mutating func close(_ session: SessionID, _ dropped: inout [Board.Dropped]) {
        guard let place = sessions.removeValue(forKey: session) else { return }
        met[Int(place)] = [:]
        board.closeSession(place, dropped: &dropped)
    }

    /// Takes the wants that do not wait from those of these tasks that are to be fetched from a host that rests.
    mutating func refuse(_ slots: [Int32], now: Double) -> [Action] {
        var actions: [Action] = []
        var dropped: [Board.Dropped] = []
        for slot in slots {
            let task = board.tasks[Int(slot)]
            guard task.waitsToBeFetched, let key = keys[Int(slot)], let until = restEnd(of: task.host, now)
            else { continue }
            for wanter in task.wanters where !wanter.waitsForHost {
                board.refuse(slot, session: wanter.session, dropped: &dropped)
                met[Int(wanter.session)][key] = wanter.generation
                actions.append(.refused(key, session: names[Int(wanter.session)], until: until))
            }
        }
        return actions.isEmpty ? [] : actions + settle(dropped)
    }
}
