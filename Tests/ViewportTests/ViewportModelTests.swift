import Numbers
import Testing
import Viewport

@Suite struct ViewportModelTests {
    @Test("a ready or failed item is not requested again until it is forgotten")
    func forgetting() {
        var model = ViewportModel(grid(60), .collectionView)
        let first = model.update(ScrollSample(time: 0, scrollTop: 0))
        for want in first.wanted { model.finished(want.item, as: want.item % 2 == 0 ? .ready : .failed) }
        let settled = model.update(ScrollSample(time: 20, scrollTop: 0))
        #expect(settled.wanted.isEmpty && settled.ready == 27)
        model.forget([4, 5, 31])
        let again = model.update(ScrollSample(time: 40, scrollTop: 0))
        #expect(again.wanted.map(\.item) == [4, 5, 31])
        #expect(again.prefetch == [31])
    }

    @Test(
        "the number of visible items is capped for any layout",
        arguments: [0, 1, 2])
    func maximumVisible(kind: Int) {
        let kinds: [LayoutOptions.Kind] = [
            .grid(itemWidth: 1, itemHeight: 1), .justified(rowHeight: 1), .masonry(columnWidth: 4),
        ]
        let layout = makeLayout(LayoutOptions(kind: kinds[kind]), width: 1000, sections: [0..<100_000])
        var model = ViewportModel(
            layout: layout, viewport: Size(width: 1000, height: 100_000), policy: .collectionView)
        let plan = model.update(ScrollSample(time: 0, scrollTop: 0))
        #expect(plan.visible == 0..<ViewportModel.maximumVisible)
        #expect(plan.wanted.count { $0.visible } == ViewportModel.maximumVisible)
    }

    @Test("a resize keeps the first visible item in place", arguments: [0, 1, 2])
    func resize(kind: Int) {
        let kinds: [LayoutOptions.Kind] = [
            .grid(itemWidth: 200, itemHeight: 180), .justified(rowHeight: 200), .masonry(columnWidth: 200),
        ]
        let options = LayoutOptions(kind: kinds[kind], lineSpacing: 4, interitemSpacing: 4)
        let ratios = randomRatios(3000, seed: 21)
        func layout(_ width: Double) -> any Layout {
            makeLayout(options, width: width, sections: [0..<3000], aspectRatios: ratios)
        }
        var model = ViewportModel(layout: layout(1200), viewport: screen, policy: .collectionView)
        let before = model.update(ScrollSample(time: 0, scrollTop: 20_000))
        let item = before.visible.lowerBound
        let old = model.layout.frame(of: item)
        let plan = model.relayout(layout(700), viewport: Size(width: 700, height: 900))
        let new = model.layout.frame(of: item)
        #expect(plan.visible.contains(item))
        let hidden = before.scrollTop - old.y
        let expected = hidden > 0 ? hidden / old.height * new.height : hidden
        #expect(abs(plan.scrollTop - new.y - expected) < 1e-6)
    }

    @Test("a layout with fewer items cancels the removed ones")
    func shrink() {
        var model = ViewportModel(grid(1000), .collectionView)
        _ = model.update(ScrollSample(time: 0, scrollTop: 9000))
        let plan = model.relayout(grid(40), viewport: screen)
        #expect(plan.cancel.count == 54)
        #expect(plan.wanted.allSatisfy { $0.item < 40 } && plan.visible.upperBound <= 40)
    }

    @Test("the velocity of a steady scroll does not depend on sample spacing")
    func velocity() {
        var random = SeededRandom(seed: 22)
        var model = ViewportModel(grid(100_000), .collectionView)
        var time = 0.0
        var plan = model.update(ScrollSample(time: 0, scrollTop: 50_000))
        for _ in 0..<40 {
            time += random.real(1...40)
            plan = model.update(ScrollSample(time: time, scrollTop: 50_000 - time * 1.25, phase: .touch))
        }
        #expect(abs(plan.velocity + 1250) < 1)
    }

    @Test("hostile samples keep plans finite and within the gallery", arguments: PolicyName.allCases)
    func badSamples(policy: PolicyName) {
        let numbers: [Double] = [
            .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -1e300, -1, 0, 1e-300, 17, 1e5, 1e12, 1e18,
        ]
        var random = SeededRandom(seed: 23)
        func any() -> Double { numbers[random.int(0..<numbers.count)] }
        for count in [0, 1, 2, 500] {
            for _ in 0..<6 {
                var model = ViewportModel(
                    layout: grid(count), viewport: Size(width: any(), height: any()), policy: policy)
                for _ in 0..<40 {
                    model.network = NetworkEstimate(
                        latency: any(), bandwidth: any(), concurrency: random.int(-5..<5), itemBytes: any())
                    let phase = ([nil] + ScrollPhase.allCases)[random.int(0..<8)]
                    let plan = model.update(ScrollSample(time: any(), scrollTop: any(), phase: phase))
                    #expect(plan.scrollTop.isFinite && plan.scrollTop >= 0 && plan.velocity.isFinite)
                    #expect(plan.landing.scrollTop.isFinite && (0...1).contains(plan.landing.confidence))
                    #expect(plan.wanted.allSatisfy { $0.item < count && $0.neededIn.isFinite })
                    for item in [-1, 0, Int.max, Int.min] {
                        model.started(item, at: any())
                        model.received(item, fraction: any(), of: any())
                        model.finished(item, as: .ready)
                        model.forget([item])
                    }
                    if random.int(0..<10) == 0 {
                        _ = model.relayout(grid(random.int(0..<9)), viewport: Size(width: any(), height: any()))
                        _ = model.relayout(grid(count), viewport: Size(width: any(), height: any()))
                    }
                    if let tick = model.nextTick { #expect(tick.isFinite) }
                }
            }
        }
    }

    @Test("a clock that runs backwards does not break the velocity")
    func backwards() {
        var model = ViewportModel(grid(10_000), .collectionView)
        _ = model.update(ScrollSample(time: 1000, scrollTop: 1000))
        _ = model.update(ScrollSample(time: 1050, scrollTop: 1050, phase: .touch))
        let plan = model.update(ScrollSample(time: 5, scrollTop: 1100, phase: .touch))
        #expect(plan.velocity >= 0 && plan.velocity.isFinite)
        #expect(plan.scrollTop == 1100)
    }

    @Test("ten thousand updates a second give the true velocity")
    func flood() {
        var model = ViewportModel(grid(1_000_000), .collectionView)
        var plan = model.update(ScrollSample(time: 0, scrollTop: 0))
        for step in 1...10_000 {
            plan = model.update(ScrollSample(time: Double(step) / 10, scrollTop: Double(step) / 5, phase: .touch))
        }
        #expect(abs(plan.velocity - 2000) < 20)
    }

    @Test("a movement after a silence starts with its first sample")
    func silence() {
        var model = ViewportModel(grid(100_000), .lookahead)
        _ = model.update(ScrollSample(time: 0, scrollTop: 9000, phase: .idle))
        let plan = model.update(ScrollSample(time: 60_000, scrollTop: 9100, phase: .momentum))
        #expect(plan.velocity > 2000)
        #expect(plan.landing.scrollTop > 10_000)
    }
}
