import Numbers
import Viewport

#if canImport(Glibc)
    import Glibc
#endif

/// The cost of one viewport update, decision included: measured on this machine, unlike everything else here.
struct ViewportCost: Sendable {
    /// How many items the gallery has.
    var items: Int
    /// Microseconds: half of the updates took no longer.
    var median: Double
    /// Microseconds: 95 of 100 updates took no longer.
    var p95: Double
    /// Milliseconds to lay out all items.
    var building: Double
    /// Megabytes that the layout holds, its aspect ratios included.
    var layoutMegabytes: Double

    /// Plays flings and rests over a gallery of `items` cells laid out by `kind`, 2800 updates in all.
    static func measure(_ kind: LayoutOptions.Kind, items: Int, policy: PolicyName) -> ViewportCost {
        let items = min(max(items, 1), 100_000_000)
        var random = SeededRandom(seed: 1)
        let before = megabytesInUse
        var ratios = AspectRatios(count: 0)
        if case .grid = kind {
        } else {
            ratios.reserveCapacity(items)
            for _ in 0..<items { ratios.append(random.uniform(0.5...2)) }
        }
        let options = LayoutOptions(kind: kind, lineSpacing: 4, interitemSpacing: 4)
        let clock = ContinuousClock()
        let begun = clock.now
        let layout = makeLayout(options, width: 1200, sections: [0..<items], aspectRatios: ratios)
        let building = microseconds(clock.now - begun) / 1e3
        let held = megabytesInUse - before
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
                let start = clock.now
                let plan = model.update(sample)
                times.append(microseconds(clock.now - start))
                for want in plan.wanted.prefix(2) { model.finished(want.item, as: .ready) }
            }
        }
        times.sort()
        return ViewportCost(
            items: items, median: times[times.count / 2], p95: times[times.count * 95 / 100], building: building,
            layoutMegabytes: held)
    }

    private static func microseconds(_ duration: Duration) -> Double {
        Double(duration.components.attoseconds) / 1e12 + Double(duration.components.seconds) * 1e6
    }

    /// The resident memory of this process; 0 where the system does not tell.
    private static var megabytesInUse: Double {
        #if canImport(Glibc)
            guard let file = fopen("/proc/self/statm", "r") else { return 0 }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 128)
            guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let numbers = text.split(separator: " ").compactMap { Double($0) }
            return numbers.count > 1 ? numbers[1] * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6 : 0
        #else
            return 0
        #endif
    }
}
