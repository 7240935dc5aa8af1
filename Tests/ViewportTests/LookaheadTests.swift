import Numbers
import Testing
import Viewport

#if canImport(Glibc)
    import Glibc
#else
    import Foundation
#endif

@Suite struct LookaheadTests {
    private let slow = NetworkEstimate(latency: 30, bandwidth: 1250, concurrency: 6, itemBytes: 56_000)

    /// A fling of 6000 px/s from `top`, as the page reports it. It ends after `samples` samples, before it stops.
    private func fling(_ model: inout ViewportModel, from top: Double, at start: Double, samples: Int) -> [Plan] {
        (1...samples).map {
            let t = Double($0) * 0.033
            return model.update(
                ScrollSample(time: start + t * 1000, scrollTop: top + 3000 * (1 - exp(-2 * t)), phase: .momentum))
        }
    }

    @Test("a fling fetches its landing early and skips the items it passes")
    func flyPast() {
        var model = ViewportModel(grid(100_000), .lookahead)
        model.network = slow
        for want in model.update(ScrollSample(time: 0, scrollTop: 90_000)).wanted {
            model.finished(want.item, as: .ready)
        }
        model.network = slow
        let plan = fling(&model, from: 90_000, at: 1000, samples: 6).last
        let wanted = Set(plan?.wanted.map(\.item) ?? [])
        // The fling will stop at 93,000, 1000 px beyond the visible items.
        let foreseen = plan?.landing.scrollTop ?? 0
        #expect(abs(foreseen - 93_000) < 900)
        #expect(wanted.isSuperset(of: model.layout.items(in: foreseen..<(foreseen + 900))))
        #expect((plan?.velocity ?? 0) > 3500)
        // The row that leaves next is not worth fetching.
        let leaving = model.layout.frame(of: plan?.visible.lowerBound ?? 0).y
        #expect(wanted.isDisjoint(with: model.layout.items(in: leaving..<(leaving + 180))))
    }

    @Test(
        "items that pass too fast for a picture get a preview if it can be seen in time"
    )
    func glimpses() {
        func plan(previewTime: Double?) -> Plan? {
            var model = ViewportModel(grid(100_000), .lookahead)
            model.network = slow
            for want in model.update(ScrollSample(time: 0, scrollTop: 90_000)).wanted {
                model.finished(want.item, as: .ready)
            }
            // One picture every quarter of a second.
            model.network.renderInterval = 250
            model.network.previewTime = previewTime
            return fling(&model, from: 90_000, at: 1000, samples: 6).last
        }
        let without = plan(previewTime: nil)
        let with = plan(previewTime: 20)
        let whole = Set(without?.wanted.map(\.item) ?? [])
        let glimpsed = with?.wanted.filter(\.isPreviewEnough).map(\.item) ?? []
        #expect(without?.wanted.contains(where: \.isPreviewEnough) == false)
        #expect(!glimpsed.isEmpty && whole.isDisjoint(with: glimpsed))
        #expect(Set(with?.wanted.filter { !$0.isPreviewEnough }.map(\.item) ?? []) == whole)
        // An item that leaves before its preview arrives does not get one.
        #expect(plan(previewTime: 5_000)?.wanted.contains(where: \.isPreviewEnough) == false)
        let times = with?.wanted.filter { !$0.visible && $0.neededIn < 1e6 }.map(\.neededIn) ?? []
        #expect(times == times.sorted())
    }

    @Test("downloaded previews do not delay the landing's pictures")
    func glimpsesOverNetwork() {
        func plans(bytes: Double) -> (glimpses: Int, others: Set<Int>) {
            var model = ViewportModel(grid(100_000), .lookahead)
            model.network = slow
            for want in model.update(ScrollSample(time: 0, scrollTop: 90_000)).wanted {
                model.finished(want.item, as: .ready)
            }
            model.network.renderInterval = 250
            model.network.previewTime = 20
            model.network.previewBytes = bytes
            let wanted = fling(&model, from: 90_000, at: 1000, samples: 6).last?.wanted ?? []
            return (wanted.count(where: \.isPreviewEnough), Set(wanted.filter { !$0.isPreviewEnough }.map(\.item)))
        }
        let files = plans(bytes: 0), light = plans(bytes: 70), heavy = plans(bytes: 7_000_000)
        #expect(light.glimpses > 0 && light.glimpses <= files.glimpses)
        #expect(heavy.glimpses == 0)
        #expect(files.others == light.others && files.others == heavy.others)
    }

    @Test("items are wanted in order of need")
    func deadlines() {
        var model = ViewportModel(grid(100_000), .lookahead)
        _ = model.update(ScrollSample(time: 0, scrollTop: 90_000))
        for plan in fling(&model, from: 90_000, at: 1000, samples: 40) {
            let times = plan.wanted.filter { !$0.visible && $0.neededIn < 1e6 }.map(\.neededIn)
            #expect(times == times.sorted())
        }
    }

    @Test("all visible items are wanted at rest on any network")
    func atRest() {
        for bandwidth in [1, 100, 1250, 100_000.0] {
            var model = ViewportModel(grid(100_000), .lookahead)
            model.network = NetworkEstimate(latency: 500, bandwidth: bandwidth, concurrency: 2, itemBytes: 200_000)
            let plan = model.update(ScrollSample(time: 0, scrollTop: 50_000))
            #expect(Set(plan.wanted.map(\.item)).isSuperset(of: plan.visible))
            #expect(plan.wanted.prefix(plan.visible.count).allSatisfy { $0.visible })
        }
    }

    @Test("a nearly finished transfer is kept when its cell leaves, and a new one is cancelled")
    func hysteresis() {
        var model = ViewportModel(grid(100_000), .lookahead)
        _ = model.update(ScrollSample(time: 0, scrollTop: 0))
        for item in 0..<4 { model.started(item, at: 5) }
        model.received(0, fraction: 0.9)
        model.received(1, fraction: 0.8)
        model.received(2, fraction: 0.05)
        let plan = model.update(ScrollSample(time: 33, scrollTop: 1500, phase: .jump))
        #expect(Set(plan.cancel).isDisjoint(with: [0, 1]))
        #expect(plan.cancel.contains(2) && plan.cancel.contains(3) && plan.cancel.contains(29))
    }

    @Test("a viewer who often turns back gets more items behind")
    func reversal() {
        func behind(turning: Bool) -> Int {
            var model = ViewportModel(grid(100_000), .lookahead)
            var time = 0.0
            var top = 90_000.0
            var plan = model.update(ScrollSample(time: 0, scrollTop: top))
            for gesture in 0..<8 {
                let way = turning && gesture % 2 == 1 ? -40.0 : 40
                for _ in 0..<15 {
                    time += 33
                    top += way
                    plan = model.update(ScrollSample(time: time, scrollTop: top, phase: .touch))
                }
                time += 400
                plan = model.rest(at: time)
            }
            return plan.wanted.filter { $0.item < plan.visible.lowerBound }.count
        }
        // Only visible items are loaded, so passed items are missing.
        #expect(behind(turning: true) > behind(turning: false))
    }

    @Test("paging forwards prefetches the next screen, and no more")
    func paging() {
        var model = ViewportModel(grid(100_000), .lookahead)
        for page in 0..<6 {
            let time = Double(page) * 1000
            let plan = model.update(ScrollSample(time: time, scrollTop: 900 * Double(page), phase: .keyboard))
            let rest = model.rest(at: time + 33)
            for want in plan.wanted + rest.wanted { model.finished(want.item, as: .ready) }
            let beyond = (plan.wanted + rest.wanted).map(\.item).max() ?? 0
            if page > 2 { #expect(beyond < plan.visible.upperBound + 36) }
        }
        let plan = model.update(ScrollSample(time: 6000, scrollTop: 5400, phase: .keyboard))
        #expect(plan.ready == 30 && plan.wanted.allSatisfy { !$0.visible })
    }

    @Test("idle time prefetches outward, cheapest first, after all visible items")
    func idleTime() throws {
        let options = LayoutOptions(kind: .justified(rowHeight: 180))
        var random = SeededRandom(seed: 33)
        var ratios = AspectRatios(count: 5000)
        for item in 0..<5000 { ratios[item] = random.real(0.7...2.2) }
        let layout = makeLayout(options, width: 1200, sections: [0..<5000], aspectRatios: ratios)
        var model = ViewportModel(layout, .lookahead)
        let start = layout.frame(of: 2000).y
        let first = model.update(ScrollSample(time: 0, scrollTop: start))
        #expect(first.wanted.prefix(first.visible.count).allSatisfy { $0.visible })
        for want in first.wanted where want.visible { model.finished(want.item, as: .ready) }
        let plan = model.update(ScrollSample(time: 1000, scrollTop: start, phase: .idle))
        let frames = plan.wanted.map { layout.frame(of: $0.item) }
        try #require(frames.count > 10)
        let rows = Dictionary(grouping: frames) { $0.y }
        for row in rows.values {
            let areas = row.map { $0.width * $0.height }
            #expect(areas == areas.sorted(), "a row is needed at one moment, so its cheapest item goes first")
        }
        // An expensive item waits for cheap items of a farther row. At equal cost, the nearer item goes first.
        let below = frames.filter { $0.y > start }
        #expect(zip(below, below.dropFirst()).contains { $0.y > $1.y })
        let alike = below.filter { (170...260).contains($0.width) }
        #expect(alike.count > 1 && (alike.first?.y ?? 0) < (alike.last?.y ?? 0))
    }

    @Test("a heavy picture yields to light ones unless it is nearly finished")
    func heavy() {
        func position(fraction: Double, bytes: Double?) -> Int? {
            var model = ViewportModel(grid(100_000), .lookahead)
            _ = model.update(ScrollSample(time: 0, scrollTop: 90_000))
            let first = model.rest(at: 0)
            let item = first.visible.upperBound
            model.started(item, at: 5)
            model.received(item, fraction: fraction, of: bytes)
            return model.update(ScrollSample(time: 40, scrollTop: 90_000)).wanted.firstIndex { $0.item == item }
        }
        #expect(position(fraction: 0.1, bytes: 50_000) == 0)
        #expect((position(fraction: 0.1, bytes: 150_000) ?? .max) > 6)
        #expect(position(fraction: 0.9, bytes: 4_000_000) != nil)
    }

    @Test("disabling any rule changes some plan", arguments: LookaheadOptions.ablations.map(\.name))
    func ablations(name: String) {
        func plans(_ options: LookaheadOptions) -> [[Want]] {
            var random = SeededRandom(seed: 31)
            var model = ViewportModel(layout: grid(100_000), viewport: screen, deciding: LookaheadPolicy(options))
            var time = 0.0
            var top = 900_000.0
            var wanted: [[Want]] = []
            for gesture in 0..<12 {
                let speed = random.real(500...4000) * (random.int(0..<3) == 0 ? -1 : 1)
                let steps = gesture % 2 == 0 ? 30 : 90
                for step in 0..<steps {
                    time += 33
                    top += speed * 0.033 * (gesture % 2 == 0 ? exp(-2 * Double(step) * 0.033) : 1)
                    let phase: ScrollPhase = step > steps - 6 ? .idle : gesture % 2 == 0 ? .momentum : .touch
                    let plan = model.update(ScrollSample(time: time, scrollTop: top, phase: phase))
                    wanted.append(plan.wanted)
                    for want in plan.wanted.prefix(6) { model.started(want.item, at: time) }
                    for want in plan.wanted.prefix(4) { model.received(want.item, fraction: 0.5) }
                    if let first = plan.wanted.first { model.finished(first.item, as: .ready) }
                }
            }
            return wanted
        }
        let options = LookaheadOptions.ablations.first { $0.name == name }?.options ?? LookaheadOptions()
        let differs = plans(options) != plans(LookaheadOptions())
        #expect(differs)
    }

    @Test("a plan never wants more than a few screens")
    func bounded() {
        var random = SeededRandom(seed: 32)
        var model = ViewportModel(grid(10_000_000), .lookahead)
        var time = 0.0
        for _ in 0..<2000 {
            time += random.real(1...60)
            let speed = exp(random.real(0...14))
            let phase = ([nil] + ScrollPhase.allCases)[random.int(0..<8)]
            let plan = model.update(
                ScrollSample(time: time, scrollTop: model.scrollTop + speed * random.real(-0.02...0.04), phase: phase))
            #expect(plan.wanted.count <= 36 * 9)
        }
    }
}
