import Numbers
import TaskPool
import Testing

@Suite(.timeLimit(.minutes(2)))
struct PropertyTests {
    @Test("the pool starts, aborts, drops and finishes exactly the tasks that its model allows", arguments: 1...40)
    func randomWalk(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var model = PoolModel(limits: limits(&random))
        for _ in 0..<150 { step(&model, &random) }
        drain(&model, &random)
        #expect(model.live.isEmpty)
        #expect(model.aborting.isEmpty)
        #expect(model.core.isIdle)
        #expect(model.core.counts.carriedBytes == 0)
    }

    @Test("ending all sessions reports each wanted key once and aborts the running tasks", arguments: 1...20)
    func endAll(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var model = PoolModel(limits: limits(&random))
        for _ in 0..<100 { step(&model, &random) }
        let live = Set(model.live.keys)
        var told: [Int: Set<SessionID>] = [:]
        for action in model.core.endAll(now: model.now) {
            switch action {
            case .finished(let ticket, let sessions, let ready):
                #expect(!ready && told[ticket.key] == nil)
                told[ticket.key] = Set(sessions)
            case .abort(let ticket): #expect(model.running.contains(ticket))
            case .dropped: break
            case .start, .refused, .paused: Issue.record("\(action)")
            }
        }
        #expect(Set(told.keys) == live)
        for key in live { #expect(told[key] == Set(model.wanters(key))) }
        for ticket in model.running + model.aborting {
            _ = model.core.finish(ticket, .cancelled, now: model.now)
        }
        #expect(model.core.isIdle)
        #expect(model.core.counts.carriedBytes == 0)
    }

    private func step(_ model: inout PoolModel, _ random: inout SeededRandom) {
        let session = SessionID(UInt64.random(in: 1...4, using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0: model.end(session)
        case 1: model.setLimits(limits(&random))
        case 2: _ = model.wake()
        case 3: _ = model.reacquireSlot()
        case 4..<10: model.want(list(&random), session)
        default: report(&model, &random)
        }
    }

    /// A list of keys around a random place. The first ones are visible.
    private func list(_ random: inout SeededRandom) -> [PoolWant<Int>] {
        let from = Int.random(in: 0..<20, using: &random)
        let count = Int.random(in: 0...12, using: &random)
        let seen = Int.random(in: 0...4, using: &random)
        var keys = Array(from..<from + count)
        if Bool.random(using: &random) { keys.reverse() }
        // A new generation wants a finished key again.
        let renewed = UInt8.random(in: 0..<2, using: &random)
        return keys.enumerated().map { place, key in
            PoolWant(
                key: key, host: PoolModel.host(key), visible: place < seen,
                isPreviewEnough: Int.random(in: 0..<4, using: &random) == 0,
                generation: key.isMultiple(of: 3) ? renewed : 0)
        }
    }

    private func report(_ model: inout PoolModel, _ random: inout SeededRandom) {
        let tickets = model.running + model.aborting
        guard let ticket = tickets.randomElement(using: &random) else { return }
        let reports: [SlotReport] = [
            .ready, .failed, .cancelled, .advance(to: .head), .advance(to: .remoteHead), .advance(to: .fetch),
            .advance(to: .fetch),
            .advance(to: .render, bytes: Int.random(in: 0...PoolModel.maximumBytes, using: &random)),
            .advance(to: .render, bytes: PoolModel.maximumBytes),
            .advance(to: .largeRender, bytes: Int.random(in: 0...PoolModel.maximumBytes, using: &random)),
            .again(after: Double.random(in: 0..<100, using: &random)),
            .away,
        ]
        // Many files are fetched in two parts, so that the rests of some files wait for each other.
        let next: [SlotKind: SlotReport] = [.lookUp: .advance(to: .remoteHead), .remoteHead: .advance(to: .fetch)]
        let isInParts = Bool.random(using: &random)
        let report = (isInParts ? next[ticket.kind] : nil) ?? reports.randomElement(using: &random) ?? .ready
        model.finish(ticket, report)
        if report == .away { return }
        // A second report of the same ticket only counts as late.
        let before = model.core.counts
        let again = model.core.finish(ticket, .ready, now: 0)
        #expect(again.isEmpty)
        #expect(model.core.counts.lateReports == before.lateReports + 1)
    }

    private func drain(_ model: inout PoolModel, _ random: inout SeededRandom) {
        for _ in 0..<2_000 {
            if let ticket = (model.running + model.aborting).randomElement(using: &random) {
                model.finish(ticket, .ready)
            } else if !model.reacquireSlot(), !model.wake() {
                break
            }
        }
        // Tasks whose preview is enough are left. They end with their sessions.
        for (key, item) in model.live { #expect(item.isQueued && model.wants(key, item.kind).isEmpty) }
        for session in model.lists.keys.sorted() { model.end(session) }
    }

    private func limits(_ random: inout SeededRandom) -> TaskPoolLimits {
        var limits = TaskPoolLimits()
        limits.lookUp = Int.random(in: 1...3, using: &random)
        limits.head = Int.random(in: 1...3, using: &random)
        limits.fetch = Int.random(in: 1...6, using: &random)
        limits.fetchPerHost = Int.random(in: 1...5, using: &random)
        limits.render = Int.random(in: 1...2, using: &random)
        limits.fetchReserve = Int.random(in: 0...2, using: &random)
        limits.fetchReservePerHost = Int.random(in: 0...1, using: &random)
        limits.carriedBytes = Int.random(in: 0...60, using: &random)
        limits.carriedReserve = Int.random(in: 0...30, using: &random)
        return limits
    }
}
