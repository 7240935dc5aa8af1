import Viewport

/// What one viewport update costs, decision included: measured on this machine, unlike everything else here.
public struct ViewportCost: Sendable {
    /// How many items the gallery has.
    public var items: Int
    /// Microseconds: half of the updates took no longer.
    public var median: Double
    /// Microseconds: 95 of 100 updates took no longer.
    public var p95: Double

    /// Plays flings and rests over a gallery of `items` cells laid out by `kind`, 2800 updates in all.
    public static func measure(_ kind: LayoutOptions.Kind, items: Int, policy: PolicyName) -> ViewportCost {
        let items = min(max(items, 1), 100_000_000)
        var random = SeededRandom(seed: 1)
        var ratios = AspectRatios(count: 0)
        if case .grid = kind {
        } else {
            ratios.reserveCapacity(items)
            for _ in 0..<items { ratios.append(random.uniform(0.5...2)) }
        }
        let options = LayoutOptions(kind: kind, lineSpacing: 4, interitemSpacing: 4)
        let layout = makeLayout(options, width: 1200, sections: [0..<items], aspectRatios: ratios)
        var model = ViewportModel(layout: layout, viewport: Size(width: 1200, height: 900), policy: policy)
        var times: [Double] = []
        var time = 0.0
        var top = layout.contentHeight / 3
        for gesture in 0..<40 {
            var speed = [4000, 9000, 1200, 2500.0][gesture % 4] * (gesture % 5 == 4 ? -1 : 1)
            for step in 0..<70 {
                time += 33
                if step < 50 { top += speed * 0.033 }
                // e^(-2 * 0.033): iOS's deceleration from sample to sample.
                speed *= 0.936
                let sample = ScrollSample(time: time, scrollTop: top, phase: step < 50 ? .momentum : .idle)
                let clock = ContinuousClock()
                let start = clock.now
                let plan = model.update(sample)
                let taken = clock.now - start
                times.append(Double(taken.components.attoseconds) / 1e12 + Double(taken.components.seconds) * 1e6)
                for want in plan.wanted.prefix(2) { model.finished(want.item, as: .ready) }
            }
        }
        times.sort()
        return ViewportCost(items: items, median: times[times.count / 2], p95: times[times.count * 95 / 100])
    }
}
