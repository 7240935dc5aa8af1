// Tasks that failed and wait to be tried again, and hosts that rest.
extension Board {
    mutating func setFetchLimit(_ limit: Int?, host: Int) {
        fetch.setLaneLimit(limit.map { max(0, $0) }, lane: host)
        guard looksAgain, limit == 0 else {
            resting[host] = nil
            return
        }
        guard resting[host] == nil else { return }
        restCount += 1
        resting[host] = restCount
        for slot in tasks.indices where tasks[slot].host == host { lookAgain(Int32(slot)) }
    }

    /// The next task to be tried again; drops what does not rest any more.
    @discardableResult
    mutating func nextRest() -> RestQueue.Rest? {
        let tasks = tasks
        return rests.first { rest in
            let task = tasks[Int(rest.slot)]
            guard task.serial == rest.serial, case .resting = task.state else { return false }
            return true
        }
    }

    /// Puts the tasks whose rest is over back into their queues.
    mutating func wake(now: Double) {
        while let rest = nextRest(), rest.until <= now {
            rests.removeFirst()
            guard case .resting(let stage) = tasks[Int(rest.slot)].state else { continue }
            counts.resting -= 1
            tasks[Int(rest.slot)].looked = 0
            enqueue(rest.slot, stage)
        }
    }

    /// Puts a task that waits back into its queue; one that runs goes on at once should it be about to wait.
    mutating func goOn(_ slot: Int32) {
        switch tasks[Int(slot)].state {
        case .resting(let stage):
            counts.resting -= 1
            tasks[Int(slot)].looked = 0
            enqueue(slot, stage)
        case .running: tasks[Int(slot)].goesOn = true
        case .free, .queued, .aborting: break
        }
    }

    /// Whether the store may have got a task's picture since it was asked, while its host rests.
    func isToBeLookedFor(_ slot: Int32) -> Bool {
        resting[tasks[Int(slot)].host].map { tasks[Int(slot)].looked < $0 } ?? false
    }

    /// Has the store asked once more for tasks that wait for a host that rests.
    ///
    /// - Returns: whether there are any.
    mutating func lookAgain(_ slots: [Int32]) -> Bool {
        var isAny = false
        for slot in slots where resting[tasks[Int(slot)].host] != nil {
            isAny = lookAgain(slot) || isAny
        }
        return isAny
    }

    /// Has the store asked once more for a task that waits to be fetched; nothing happens to others.
    ///
    /// - Returns: whether it waits for that.
    @discardableResult
    mutating func lookAgain(_ slot: Int32) -> Bool {
        guard case .queued(let stage) = tasks[Int(slot)].state, stage.isFetch else { return false }
        counts.queued[stage] -= 1
        // Its place in the queue of fetches is passed over: it does not wait there any more.
        enqueue(slot, .store)
        return true
    }

    mutating func countFailure(_ slot: Int32) -> Int {
        tasks[Int(slot)].failures += 1
        return tasks[Int(slot)].failures
    }

    /// Fetches from a host at once.
    func fetching(host: Int) -> Int { fetch.running(lane: host) }

    mutating func rest(_ slot: Int32, _ stage: Stage, until: Double) {
        tasks[Int(slot)].state = .resting(stage)
        counts.resting += 1
        rests.push(RestQueue.Rest(until: until, serial: tasks[Int(slot)].serial, slot: slot))
    }
}
