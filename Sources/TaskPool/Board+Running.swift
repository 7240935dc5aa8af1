// Tasks that start, run and end.
extension Board {
    /// The next task to start in a stage, if the limits have room for one. Heads on remote hosts and fetches wait in one queue:
    /// asked for either, the most urgent of both comes.
    mutating func startNext(_ stage: Stage) -> (slot: Int32, stage: Stage)? {
        let tasks = tasks
        if stage.isFetch, !mayFetch(isVisible: true) { return nil }
        let isVisibleOnly = stage.isFetch && !mayFetch(isVisible: false)
        let slot = withQueue(stage) { queue in
            queue.next(isVisibleOnly: isVisibleOnly) { place, session, urgency in
                let task = tasks[Int(place.slot)]
                guard case .queued(let waiting) = task.state, waiting == stage || waiting.isFetch && stage.isFetch,
                    task.isRest(waiting) == urgency.isRest
                else { return false }
                return task.wanters.contains { $0.session == session && $0.rank == place.rank && $0.wants(waiting) }
            }
        }
        guard let slot, let waiting = tasks[Int(slot)].state.stage else { return nil }
        return (slot, waiting)
    }

    mutating func markStarted(_ slot: Int32, _ stage: Stage) {
        tasks[Int(slot)].state = .running(stage)
        tasks[Int(slot)].goesOn = false
        counts.queued[stage] -= 1
        counts.running[stage] += 1
        counts.started[stage] += 1
        if stage.isFetch { expect(slot) }
        if stage == .store { tasks[Int(slot)].looked = restCount }
    }

    /// Takes a report for the stage that `slot` runs. Returns who wanted the task if that ended it.
    mutating func finish(_ slot: Int32, _ report: StageReport, now: Double) -> (wanters: [Wanter], ready: Bool)? {
        switch tasks[Int(slot)].state {
        case .aborting(let stage):
            release(slot, stage)
            counts.aborting -= 1
            free(slot)
            return nil
        case .running(let stage):
            release(slot, stage)
            switch report {
            case .advance(let next, let bytes) where next > stage:
                // Those of fetching last while the store is asked once more.
                if stage >= .fetch { tasks[Int(slot)].failures = 0 }
                // Only what waits for no fetch any more: the others would keep each other from being fetched.
                if next == .render {
                    take(max(0, bytes), slot, fetched: stage.isFetch)
                } else {
                    hold(0, slot)
                }
                if stage == .remoteHead { tasks[Int(slot)].isBegun = true }
                enqueue(slot, next)
                return nil
            case .again(let delay) where delay.isFinite:
                counts.retries += 1
                if stage.isFetch { hold(0, slot) }
                rest(slot, stage, until: now + max(0, delay))
                return nil
            case .wait(let time) where time.isFinite:
                if stage.isFetch { hold(0, slot) }
                if tasks[Int(slot)].goesOn {
                    tasks[Int(slot)].looked = 0
                    enqueue(slot, stage)
                } else {
                    rest(slot, stage, until: now + max(0, time))
                }
                return nil
            default: break
            }
            let isReady = report == .ready
            if isReady { counts.ready += 1 } else { counts.failed += 1 }
            let wanters = tasks[Int(slot)].wanters
            free(slot)
            return (wanters, isReady)
        case .free, .queued, .resting: return nil
        }
    }

    mutating func countLateReport() { counts.lateReports += 1 }

    /// Refuses a session's want of a task, which others may want still.
    mutating func refuse(_ slot: Int32, session: Int32, dropped: inout [Dropped]) {
        counts.refused += 1
        tasks[Int(slot)].wanters.removeAll { $0.session == session }
        if tasks[Int(slot)].wanters.isEmpty { drop(slot, &dropped) }
    }

    mutating func countOverLimit(_ n: Int) { counts.wantsOverLimit += n }

    mutating func enqueue(_ slot: Int32, _ stage: Stage) {
        let stage = stage.isFetch && isToBeLookedFor(slot) ? .store : stage
        tasks[Int(slot)].state = .queued(stage)
        counts.queued[stage] += 1
        for wanter in tasks[Int(slot)].wanters { push(slot, stage, wanter) }
    }

    private mutating func release(_ slot: Int32, _ stage: Stage) {
        counts.running[stage] -= 1
        let lane = lane(of: slot, stage)
        let isRest = tasks[Int(slot)].isRest(stage)
        withQueue(stage) { $0.release(lane: lane, isRest: isRest) }
    }
}
