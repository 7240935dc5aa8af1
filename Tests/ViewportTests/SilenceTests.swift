import Numbers
import Scoring
import Testing
import Viewport

/// Every visible item is wanted soon after the last sample, although no event marks the end of the scroll.
@Suite struct SilenceTests {
    /// Time after the last sample by which every visible item must be wanted, in milliseconds.
    static let deadline = 150.0

    @Test(
        "all visible items are wanted after three fast samples and silence", arguments: PolicyName.allCases, phases)
    func threePosts(policy: PolicyName, phase: ScrollPhase?) {
        for pace in [0.0, 33, 50, 100] {
            var model = ViewportModel(
                layout: grid(1000), viewport: Size(width: 800, height: 600), policy: policy)
            var plan = model.update(ScrollSample(time: 0, scrollTop: 0, phase: .idle))
            for post in 1...3 {
                plan = model.update(
                    ScrollSample(time: Double(post) * pace, scrollTop: Double(post) * 600, phase: phase))
            }
            expectVisibleWanted(&model, plan, within: Self.deadline, "\(policy), \(pace) ms apart")
        }
    }

    @Test("all visible items are wanted after a scroll cut at any sample", arguments: PolicyName.allCases)
    func cut(policy: PolicyName) {
        var random = SeededRandom(seed: 21)
        for kind in TraceKind.single {
            let trace = kind.trace(seed: UInt64(random.int(1..<1000)), seconds: 6)
            let layout = makeLayout(
                trace.layout, width: trace.viewport.width, sections: [0..<trace.itemCount],
                aspectRatios: nil)
            var model = ViewportModel(layout: layout, viewport: trace.viewport, policy: policy)
            model.network = network(&random)
            for sample in trace.samples {
                let plan = model.update(sample)
                // The server would tick in the silence after this sample.
                if random.int(0..<12) == 0 {
                    var silent = model
                    expectVisibleWanted(&silent, plan, within: Self.deadline, "\(policy), \(kind), \(sample)")
                }
                for want in plan.wanted where random.int(0..<20) == 0 { model.finished(want.item, as: .ready) }
                for want in plan.wanted where random.int(0..<20) == 0 { model.started(want.item, at: sample.time) }
            }
        }
    }

    @Test("all visible items are wanted after random samples cut anywhere", arguments: PolicyName.allCases)
    func random(policy: PolicyName) {
        var random = SeededRandom(seed: 22)
        for _ in 0..<12 {
            let layout = randomLayout(&random)
            var model = ViewportModel(layout, policy)
            model.network = network(&random)
            var time = 0.0
            for _ in 0..<60 {
                // Clocks of clients stand still, jump and run backwards.
                time += random.int(0..<12) == 0 ? random.real(-1e6...1e6) : random.real(0...60)
                let plan = model.update(randomSample(&random, from: model.scrollTop, at: time, layout))
                var silent = model
                expectVisibleWanted(&silent, plan, within: Self.deadline, "\(policy)")
                for want in plan.wanted where random.int(0..<20) == 0 { model.finished(want.item, as: .ready) }
            }
        }
    }

    @Test("a plan's next tick is always later than the plan", arguments: PolicyName.allCases)
    func ticksAdvance(policy: PolicyName) {
        for time in [0.0, 1e12, 2e12, 1e300, -1e300, -0.0, .nan, .infinity] {
            for phase in Self.phases {
                var model = ViewportModel(grid(1000), policy)
                _ = model.update(ScrollSample(time: time, scrollTop: 100, phase: phase))
                _ = model.update(ScrollSample(time: time, scrollTop: 4000, phase: phase))
                var ticks = 0
                while let tick = model.nextTick, ticks < 20 {
                    #expect(tick > model.time, "\(policy), \(time), \(phase?.rawValue ?? "none")")
                    _ = model.tick(at: tick)
                    ticks += 1
                }
            }
        }
    }

    @Test("a late sample continues its scroll as if there had been no tick")
    func lateSample() {
        func scroll(ticking: Bool) -> [Plan] {
            var model = ViewportModel(grid(10_000), .lookahead)
            return (0..<40).map { number in
                if ticking, number == 20 { _ = model.tick(at: 20 * 33 + 200) }
                return model.update(
                    ScrollSample(time: Double(number) * 33, scrollTop: Double(number) * 60, phase: .touch))
            }
        }
        let (with, without) = (scroll(ticking: true), scroll(ticking: false))
        #expect(with.last?.velocity == without.last?.velocity)
        #expect(with.last?.landing == without.last?.landing)
    }

    static let phases: [ScrollPhase?] = [nil] + ScrollPhase.allCases

    /// Ticks as the server does and expects every visible item to be wanted in time.
    private func expectVisibleWanted(
        _ model: inout ViewportModel, _ last: Plan, within deadline: Double, _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        var plan = last
        let start = model.time
        var ticks = 0
        while !missing(plan, model).isEmpty {
            guard let tick = model.nextTick else {
                Issue.record("the model asks for no further tick: \(what)", sourceLocation: sourceLocation)
                return
            }
            ticks += 1
            #expect(tick <= start + deadline + 0.001 && ticks < 20, "\(what)", sourceLocation: sourceLocation)
            guard tick <= start + deadline + 0.001, ticks < 20 else { return }
            plan = model.tick(at: tick)
        }
    }

    /// Items in view that are neither wanted nor settled. A masonry's range of visible items includes some outside the viewport.
    private func missing(_ plan: Plan, _ model: ViewportModel) -> [Int] {
        let wanted = Set(plan.wanted.map(\.item))
        let band = plan.scrollTop..<(plan.scrollTop + model.viewport.height)
        return plan.visible.filter { item in
            let frame = model.layout.frame(of: item)
            let isInView = frame.y < band.upperBound && frame.maxY > band.lowerBound
            return isInView && !wanted.contains(item) && !model.ledger.isSettled(item)
        }
    }

    private func network(_ random: inout SeededRandom) -> NetworkEstimate {
        NetworkEstimate(
            latency: random.real(0...400), bandwidth: random.real(50...20_000), concurrency: random.int(1..<32),
            itemBytes: random.real(5_000...2_000_000))
    }
}
