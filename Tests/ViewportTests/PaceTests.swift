import Testing
import Viewport

/// Predictions for wheels and keys, which can hold a pace or end at once whatever their label.
@Suite struct PaceTests {
    /// Predicted distance still to scroll after each sample of a movement. `speeds` are in CSS pixels a second, one a sample,
    /// 33 ms apart.
    private func foreseen(_ model: inout ViewportModel, _ phase: ScrollPhase, from start: Double, speeds: [Double])
        -> [Double]
    {
        var time = start
        return speeds.map { speed in
            time += 33
            let plan = model.update(
                ScrollSample(time: time, scrollTop: model.scrollTop + speed * 0.033, phase: phase))
            return plan.landing.scrollTop - plan.scrollTop
        }
    }

    private func model() -> ViewportModel {
        var model = ViewportModel(grid(100_000), .lookahead)
        _ = model.update(ScrollSample(time: 0, scrollTop: 90_000, phase: .idle))
        return model
    }

    @Test(
        "an even wheel or a held key is predicted to continue within a quarter of a second",
        arguments: [ScrollPhase.wheel, .keyboard])
    func evenPace(phase: ScrollPhase) {
        var model = model()
        let ways = foreseen(&model, phase, from: 1000, speeds: Array(repeating: 1200, count: 20))
        for way in ways.dropFirst(7) { #expect(way > 350) }
    }

    @Test("a page key's smooth step is not extrapolated, but a held page key is")
    func pageKeys() {
        var model = model()
        // The speeds of Chromium's step of seven eighths of a screen.
        for press in 0..<3 {
            let speeds = [4200.0, 7900, 7700, 2700, 60, 0]
            let ways = foreseen(&model, .keyboard, from: 1000 + Double(press) * 330, speeds: speeds)
            for way in ways.dropFirst() { #expect(way == 0) }
            _ = model.update(
                ScrollSample(time: 1300 + Double(press) * 330, scrollTop: model.scrollTop, phase: .idle))
        }
        let held = foreseen(&model, .keyboard, from: 3000, speeds: Array(repeating: 12_000, count: 10))
        for way in held.dropFirst(5) { #expect(way > 900) }
    }

    @Test("quick wheel notches form one pace that dies away after the last notch")
    func burst() {
        var model = model()
        // Eased notches: the speed rises and falls by a third between them.
        let burst = foreseen(
            &model, .wheel, from: 1000, speeds: (0..<16).map { $0.isMultiple(of: 2) ? 2300 : 1700 })
        for way in burst.dropFirst(8) { #expect(way > 500) }
        let end = foreseen(&model, .wheel, from: 1000 + 16 * 33, speeds: [1200, 740, 450, 270, 160])
        for way in end.dropFirst(2) { #expect(way < 100) }
    }

    @Test("the end of a touchpad's momentum is predicted, even if labelled as a wheel")
    func momentum() {
        var model = model()
        var speed = 6000.0
        var left: [Double] = []
        let speeds = (0..<25).map { _ -> Double in
            defer { speed *= 0.9 }
            return speed
        }
        for index in speeds.indices { left.append(speeds[(index + 1)...].reduce(0, +) * 0.033 + speeds[24] * 0.3) }
        let ways = foreseen(&model, .wheel, from: 1000, speeds: speeds)
        for index in 8..<22 { #expect(abs(ways[index] - left[index]) < 0.3 * left[index] + 30) }
    }

    @Test("the duration of a pace is learnt separately for wheel and touch")
    func holds() {
        var model = model()
        var time = 0.0
        for _ in 0..<6 {
            // A finger that moves for at most a fifth of a second, and a wheel that turns for seconds.
            _ = foreseen(&model, .touch, from: time, speeds: Array(repeating: 1000, count: 6))
            time += 1000
            _ = model.update(ScrollSample(time: time, scrollTop: model.scrollTop, phase: .idle))
            _ = foreseen(&model, .wheel, from: time, speeds: Array(repeating: 1000, count: 75))
            time += 4000
            _ = model.update(ScrollSample(time: time, scrollTop: model.scrollTop, phase: .idle))
        }
        let finger = foreseen(&model, .touch, from: time, speeds: Array(repeating: 1000, count: 4)).last ?? 0
        _ = model.update(ScrollSample(time: time + 1000, scrollTop: model.scrollTop, phase: .idle))
        let wheel = foreseen(&model, .wheel, from: time + 1000, speeds: Array(repeating: 1000, count: 12)).last ?? 0
        #expect(finger < 250 && wheel > 1000)
    }
}
