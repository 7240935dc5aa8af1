import Numbers
import Viewport

extension SeededRandom {
    mutating func real(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &self) }

    mutating func int(_ range: Range<Int>) -> Int { Int.random(in: range, using: &self) }
}

/// Six columns of 200 x 180 in a viewport of 1200 x 900: 30 items a screen when aligned.
func grid(_ count: Int, sections: [Int]? = nil, _ change: (inout LayoutOptions) -> Void = { _ in }) -> any Layout {
    var options = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
    change(&options)
    return makeLayout(options, width: 1200, sections: ranges(sections ?? [count]), aspectRatios: nil)
}

func ranges(_ counts: [Int]) -> [Range<Int>] {
    var start = 0
    return counts.map { count in
        defer { start += count }
        return start..<(start + count)
    }
}

func randomRatios(_ count: Int, seed: UInt64) -> AspectRatios {
    var random = SeededRandom(seed: seed)
    var ratios = AspectRatios(count: count)
    for item in 0..<count { ratios[item] = random.real(0.3...3.5) }
    return ratios
}

let screen = Size(width: 1200, height: 900)

extension ViewportModel {
    init(_ layout: any Layout, _ policy: PolicyName) {
        self.init(layout: layout, viewport: screen, policy: policy)
    }

    /// Scrolls to `scrollTop` in steps of at most 100 px, 20 ms each.
    mutating func scroll(to target: Double, from time: Double) -> [Plan] {
        var plans: [Plan] = []
        var now = time
        while scrollTop != target {
            let step = min(max(target - scrollTop, -100), 100)
            now += 20
            plans.append(update(ScrollSample(time: now, scrollTop: scrollTop + step)))
        }
        return plans
    }

    /// Stops at the current position and marks all visible items as ready.
    mutating func rest(at time: Double) -> Plan {
        for item in update(ScrollSample(time: time, scrollTop: scrollTop, phase: .idle)).visible {
            finished(item, as: .ready)
        }
        return update(ScrollSample(time: time, scrollTop: scrollTop, phase: .idle))
    }
}
