import Testing
import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// Scrolls with a closed formula, sampled every 33 ms as the page does.
@Suite struct LandingTests {
    /// The model's prediction at each sample of `way`, a function from seconds to CSS pixels.
    private func foresee(
        _ phase: ScrollPhase?, from start: Double = 100_000, rounds: Int = 1, seconds: Double, way: (Double) -> Double
    ) -> [(left: Double, foreseen: Double, plan: Plan)] {
        var model = ViewportModel(grid(1_000_000), .lookahead)
        var time = 0.0
        var top = start
        var result: [(left: Double, foreseen: Double, plan: Plan)] = []
        for _ in 0..<rounds {
            for _ in 0..<20 {
                time += 33
                _ = model.update(ScrollSample(time: time, scrollTop: top, phase: phase == nil ? nil : .idle))
            }
            result = []
            for step in 1...Int(seconds / 0.033) {
                time += 33
                let plan = model.update(
                    ScrollSample(time: time, scrollTop: top + way(Double(step) * 0.033), phase: phase))
                result.append((top + way(1e3) - plan.scrollTop, plan.landing.scrollTop - plan.scrollTop, plan))
            }
            top += way(1e3)
        }
        return result
    }

    @Test(
        "the landing of an iOS fling is predicted within 10% from the third sample",
        arguments: [nil, ScrollPhase.momentum])
    func iOS(phase: ScrollPhase?) {
        let samples = foresee(phase, seconds: 1.2) { 5000 / 2.002 * (1 - exp(-2.002 * $0)) }
        for sample in samples.dropFirst(2) { #expect(abs(sample.foreseen - sample.left) < 0.1 * sample.left + 10) }
    }

    @Test("an Android fling is recognised and its landing predicted from the third sample")
    func android() {
        let speed = 6000.0
        let lasting = pow(0.35 * speed / 778.35, 1 / 1.3582)
        let samples = foresee(.momentum, rounds: 3, seconds: 1.2) {
            speed * lasting / 2.3582 * (1 - pow(max(0, 1 - $0 / lasting), 2.3582))
        }
        for sample in samples.dropFirst(2) { #expect(abs(sample.foreseen - sample.left) < 0.15 * sample.left + 10) }
    }

    @Test(
        "the end of a scrollbar drag is predicted within 10% in its last third",
        arguments: [true, false])
    func drag(smoothest: Bool) {
        let samples = foresee(.drag, seconds: 1.2) {
            let u = min(1, $0 / 1.2)
            return 100_000 * (smoothest ? u * u * u * (10 - 15 * u + 6 * u * u) : u * u * (3 - 2 * u))
        }
        for sample in samples.dropFirst(24) { #expect(abs(sample.foreseen - sample.left) < 0.1 * sample.left + 150) }
    }

    @Test("an unpredictable scrollbar drag fetches visible items at once and cancels passed ones")
    func unpredictableThumb() {
        var model = ViewportModel(grid(1_000_000), .lookahead)
        var plan = model.update(ScrollSample(time: 0, scrollTop: 0, phase: .idle))
        for step in 1...20 {
            let shown = plan.visible
            let top = plan.scrollTop + (step.isMultiple(of: 2) ? 2000 : 9000)
            plan = model.update(ScrollSample(time: Double(step) * 33, scrollTop: top, phase: .drag))
            guard step > 5 else { continue }
            #expect(Set(plan.wanted.map(\.item)).isSuperset(of: plan.visible))
            #expect(Set(plan.cancel).isSuperset(of: shown))
        }
    }

    @Test("a scrollbar held still fetches the visible items after 50 ms")
    func heldThumb() {
        var model = ViewportModel(grid(1_000_000), .lookahead)
        var plan = model.update(ScrollSample(time: 0, scrollTop: 0, phase: .idle))
        // The drag heads for 30,000 in 1.2 s, but stops earlier.
        for step in 1...22 {
            let u = Double(step) * 0.033 / 1.2
            plan = model.update(
                ScrollSample(time: Double(step) * 33, scrollTop: 30_000 * u * u * (3 - 2 * u), phase: .drag))
        }
        #expect(!plan.wanted.contains { plan.visible.contains($0.item) })
        #expect(model.nextTick == 776.0)
        plan = model.tick(at: 776)
        #expect(Set(plan.wanted.map(\.item)).isSuperset(of: plan.visible))
    }

    @Test("a touch ends a fling, and the next gesture starts from zero velocity")
    func caughtFling() {
        var model = ViewportModel(grid(100_000), .lookahead)
        var plan = model.update(ScrollSample(time: 0, scrollTop: 9000, phase: .idle))
        for step in 1...6 {
            plan = model.update(
                ScrollSample(time: Double(step) * 33, scrollTop: 9000 + Double(step) * 150, phase: .momentum))
        }
        #expect(plan.landing.scrollTop > plan.scrollTop + 1000)
        plan = model.update(ScrollSample(time: 220, scrollTop: 9950, phase: .touch))
        #expect(plan.velocity == 0 && plan.landing.scrollTop == 9950)
        plan = model.update(ScrollSample(time: 253, scrollTop: 9940, phase: .touch))
        #expect(plan.velocity < 0 && plan.landing.scrollTop < 9940)
    }

    @Test("a landing is never predicted beyond the content")
    func bounds() {
        var model = ViewportModel(grid(600), .lookahead)
        _ = model.update(ScrollSample(time: 0, scrollTop: 16_000))
        for step in 1...20 {
            let plan = model.update(
                ScrollSample(time: Double(step) * 33, scrollTop: 16_000 + Double(step) * 200, phase: .momentum))
            #expect(plan.landing.scrollTop <= 100 * 180 - 900)
        }
    }

    @Test(
        "a page key predicts no movement beyond its step",
        arguments: [nil, ScrollPhase.keyboard, .idle])
    func pageKey(phase: ScrollPhase?) {
        var model = ViewportModel(grid(100_000), .lookahead)
        _ = model.update(ScrollSample(time: 0, scrollTop: 9000))
        _ = model.update(ScrollSample(time: 1000, scrollTop: 9000))
        let plan = model.update(ScrollSample(time: 1033, scrollTop: 9900, phase: phase))
        #expect(plan.velocity == 0 && plan.landing.scrollTop == 9900)
    }
}
