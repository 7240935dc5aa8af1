// Tasks that failed and wait to be tried again.
extension Board {
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
            enqueue(rest.slot, stage)
        }
    }

    /// Puts a task that waits back into its queue; one that runs goes on at once should it be about to wait.
    mutating func goOn(_ slot: Int32) {
        switch tasks[Int(slot)].state {
        case .resting(let stage):
            counts.resting -= 1
            enqueue(slot, stage)
        case .running: tasks[Int(slot)].goesOn = true
        case .free, .queued, .aborting: break
        }
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
