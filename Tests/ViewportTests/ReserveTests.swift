import Testing
import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

/// Items fetched ahead of need, how far, and those finished though nobody needs them any more.
@Suite struct ReserveTests {
    @Test("at rest the next rows are fetched, however far or little the person has scrolled before")
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
                plan = model.update(ScrollSample(time: time, scrollTop: model.scrollTop, phase: .idle))
            }
            let bottoms = plan.wanted.map { model.layout.frame(of: $0.item).y }
            return (bottoms.max() ?? 0) - plan.scrollTop - 900
        }
        #expect(ahead(Array(repeating: [40, 40, 20], count: 8), .wheel) > 400)
        #expect(ahead(Array(repeating: (0..<40).map { 400 * exp(-0.07 * Double($0)) }, count: 8), .momentum) > 400)
        #expect(ahead(Array(repeating: [80_000], count: 8), .jump) > 400)
    }

    @Test("more of the next rows are fetched after a touchpad's long gestures than after a wheel's short ones")
    func momentum() {
        /// How far ahead of the viewport the wants reach at rest, with all of it still to come.
        func ahead(_ speeds: [Double], _ phase: ScrollPhase) -> Double {
            var model = ViewportModel(grid(100_000), .lookahead)
            var plan = model.update(ScrollSample(time: 0, scrollTop: 900_000))
            var time = 0.0
            // So long apart that each gesture could be followed in time: what is fetched ahead is the reserve.
            for _ in 0..<8 {
                time += 2000
                for speed in speeds {
                    time += 33
                    plan = model.update(ScrollSample(time: time, scrollTop: model.scrollTop + speed, phase: phase))
                }
                time += 200
                plan = model.update(ScrollSample(time: time, scrollTop: model.scrollTop, phase: .idle))
            }
            let bottoms = plan.wanted.map { model.layout.frame(of: $0.item).maxY }
            return (bottoms.max() ?? 0) - plan.scrollTop - 900
        }
        let long = (0..<60).map { 110 * exp(-0.08 * Double($0)) }
        #expect(ahead(long, .wheel) >= 1.25 * 900)
        #expect(ahead([40, 40, 20], .wheel) < 1.25 * 900)
    }

    @Test("where an abort costs a connection, a transfer whose rest is shorter than that is finished")
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
}
