import Testing
import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// How far ahead items are fetched, and which transfers are finished after they are no longer needed.
@Suite struct ReserveTests {
    @Test("the next rows are fetched at rest after any kind of scrolling")
    func reserve() {
        func ahead(_ gestures: [[Double]], _ phase: ScrollPhase) -> Double {
            var model = ViewportModel(grid(100_000), .lookahead)
            var plan = model.update(ScrollSample(time: 0, scrollTop: 900_000))
            var time = 0.0
            for gesture in gestures {
                time += 1000
                for step in gesture {
                    time += 33
                    plan = model.update(ScrollSample(time: time, scrollTop: model.scrollTop + step, phase: phase))
                }
                time += 200
                plan = model.rest(at: time)
            }
            let bottoms = plan.wanted.map { model.layout.frame(of: $0.item).y }
            return (bottoms.max() ?? 0) - plan.scrollTop - 900
        }
        #expect(ahead(Array(repeating: [40, 40, 20], count: 8), .wheel) > 400)
        #expect(ahead(Array(repeating: (0..<40).map { 400 * exp(-0.07 * Double($0)) }, count: 8), .momentum) > 400)
        #expect(ahead(Array(repeating: [80_000], count: 8), .jump) > 400)
    }

    @Test("long gestures prefetch more rows than short ones")
    func momentum() {
        /// Distance that the wants reach ahead of the viewport at rest, with none of them loaded.
        func ahead(_ speeds: [Double], _ phase: ScrollPhase) -> Double {
            var model = ViewportModel(grid(100_000), .lookahead)
            var plan = model.update(ScrollSample(time: 0, scrollTop: 900_000))
            var time = 0.0
            // The pauses are long enough to keep up with each gesture, so only the reserve is fetched ahead.
            for _ in 0..<8 {
                time += 2000
                for speed in speeds {
                    time += 33
                    plan = model.update(ScrollSample(time: time, scrollTop: model.scrollTop + speed, phase: phase))
                }
                time += 200
                plan = model.rest(at: time)
            }
            let bottoms = plan.wanted.map { model.layout.frame(of: $0.item).maxY }
            return (bottoms.max() ?? 0) - plan.scrollTop - 900
        }
        let long = (0..<60).map { 110 * exp(-0.08 * Double($0)) }
        #expect(ahead(long, .wheel) >= 1.25 * 900)
        #expect(ahead([40, 40, 20], .wheel) < 1.25 * 900)
    }

    @Test("turns before a jump do not change which items are fetched after the jump")
    func forgotten() {
        /// The items wanted at rest after a jump, around its landing, in order.
        func wanted(turning: Bool) -> [Int] {
            var model = ViewportModel(grid(100_000), .lookahead)
            _ = model.update(ScrollSample(time: 0, scrollTop: 900_000))
            var time = 0.0
            for gesture in 0..<8 {
                time += 1000
                for _ in 0..<10 {
                    time += 33
                    let step = turning && gesture % 2 == 1 ? -100.0 : 100
                    _ = model.update(ScrollSample(time: time, scrollTop: model.scrollTop + step, phase: .wheel))
                }
                time += 200
                _ = model.rest(at: time)
            }
            let landing = model.update(ScrollSample(time: time + 1000, scrollTop: 300_000, phase: .jump))
            for want in landing.wanted { model.finished(want.item, as: .ready) }
            return model.rest(at: time + 3000).wanted.map(\.item)
        }
        #expect(!wanted(turning: true).isEmpty)
        #expect(wanted(turning: true) == wanted(turning: false))
    }

    @Test("a transfer is finished if that is faster than a new connection")
    func connections() {
        func keeps(_ abortCost: Double, fraction: Double) -> Bool {
            var model = ViewportModel(grid(100_000), .lookahead)
            model.network = NetworkEstimate(abortCost: abortCost)
            _ = model.update(ScrollSample(time: 0, scrollTop: 0))
            model.started(3, at: 5)
            model.received(3, fraction: fraction)
            let plan = model.update(ScrollSample(time: 33, scrollTop: 90_000, phase: .jump))
            return !plan.cancel.contains(3)
        }
        #expect(!keeps(0, fraction: 0.3))
        #expect(keeps(240, fraction: 0.3))
        #expect(!keeps(240, fraction: 0))
    }

    @Test("after a jump a half-finished transfer is kept only near the landing")
    func elsewhere() {
        func keeps(_ distance: Double, _ phase: ScrollPhase) -> Bool {
            var model = ViewportModel(grid(100_000), .lookahead)
            _ = model.update(ScrollSample(time: 0, scrollTop: 90_000))
            let item = model.visible.lowerBound
            model.started(item, at: 5)
            model.received(item, fraction: 0.5)
            let plan = model.update(ScrollSample(time: 33, scrollTop: 90_000 + distance, phase: phase))
            return !plan.cancel.contains(item)
        }
        #expect(!keeps(80_000, .jump))
        #expect(keeps(1800, .jump))
        #expect(keeps(1800, .wheel))
        #expect(!keeps(1800, .drag))
    }

    @Test("nothing is prefetched while the missing visible items fill the link")
    func fullLink() throws {
        func ahead(_ plan: Plan) -> Int { plan.wanted.count { !$0.visible } }
        var model = ViewportModel(grid(100_000), .lookahead)
        model.network = NetworkEstimate(latency: 30, bandwidth: 1250, itemBytes: 50_000, overhead: 50)
        // 120 ms from request to screen and a picture every 40 ms: three are in flight at once.
        #expect(model.network.capacity == 3)
        var plan = model.update(ScrollSample(time: 1000, scrollTop: 90_000, phase: .jump))
        #expect(plan.visible.count == 30 && ahead(plan) == 0)
        // The model asks for a tick at the time when there may be room.
        #expect(model.nextTick == 2080.0)
        for item in plan.visible.dropLast(4) { model.finished(item, as: .ready) }
        plan = model.tick(at: try #require(model.nextTick))
        #expect(ahead(plan) == 0)
        #expect(model.nextTick == 2130.0)
        model.finished(plan.visible.upperBound - 4, as: .failed)
        plan = model.tick(at: try #require(model.nextTick))
        #expect(ahead(plan) > 0)
        #expect(model.nextTick == nil)
    }

    @Test("missing pictures delay prefetching for at most two screenful times")
    func missing() throws {
        var model = ViewportModel(grid(100_000), .lookahead)
        var plan = model.update(ScrollSample(time: 5000, scrollTop: 90_000))
        let screenful = model.network.fetchTime + 30 * model.network.itemInterval
        var latest = 5000.0
        while let time = model.nextTick {
            #expect(!plan.wanted.contains { !$0.visible })
            #expect(time > latest && time < 5000 + 3 * screenful)
            latest = time
            plan = model.tick(at: time)
        }
        #expect(latest >= 5000 + 2 * screenful)
        #expect(plan.wanted.contains { !$0.visible })
    }

    @Test("while scrolling, stalled pictures delay prefetching only for that time")
    func hanging() {
        var model = ViewportModel(grid(100_000), .lookahead)
        let first = model.update(ScrollSample(time: 5000, scrollTop: 90_000))
        for item in first.visible { model.started(item, at: 5000) }
        let patience = 2 * (model.network.fetchTime + 36 * model.network.itemInterval)
        var isAhead: [Bool] = []
        for step in 1...100 {
            let time = 5000 + 33 * Double(step)
            let plan = model.update(
                ScrollSample(time: time, scrollTop: 90_000 + Double(step) / 2, phase: .wheel))
            guard abs(time - 5000 - patience) > 33 else { continue }
            isAhead.append(plan.wanted.contains { !$0.visible })
            #expect(isAhead.last == (time > 5000 + patience))
        }
        #expect(isAhead.first == false && isAhead.last == true)
    }

    @Test("a tick at rest does not change the prediction of the next movement")
    func tickAtRest() {
        func landing(ticking: Bool) -> Double {
            var model = ViewportModel(grid(100_000), .lookahead)
            _ = model.update(ScrollSample(time: 0, scrollTop: 90_000, phase: .idle))
            if ticking { _ = model.tick(at: 1020) }
            var plan = model.update(ScrollSample(time: 1030, scrollTop: 90_100, phase: .momentum))
            plan = model.update(ScrollSample(time: 1063, scrollTop: 90_190, phase: .momentum))
            return plan.landing.scrollTop
        }
        #expect(landing(ticking: true) == landing(ticking: false))
    }
}
