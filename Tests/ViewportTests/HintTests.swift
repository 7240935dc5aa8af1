import Numbers
import Testing
import Viewport

@Suite struct HintTests {
    /// A model at rest with everything it wants without hints already loaded.
    private func resting(_ policy: PolicyName = .standard) -> ViewportModel {
        var model = ViewportModel(grid(100_000), policy)
        _ = model.update(ScrollSample(time: 0, scrollTop: 50_000, phase: .idle))
        for want in model.rest(at: 0).wanted { model.finished(want.item, as: .ready) }
        return model
    }

    private func hint(_ time: Double, _ hint: Hint) -> ScrollSample {
        ScrollSample(time: time, scrollTop: 50_000, phase: .idle, hint: hint)
    }

    @Test(
        "a hint prefetches its target screen in proportion to its confidence",
        arguments: [0.1, 0.5, 1])
    func screenAhead(confidence: Double) {
        var model = resting()
        let target = 180_000.0
        let plan = model.update(hint(100, Hint(kind: .scrubber, scrollTop: target, confidence: confidence)))
        #expect(plan.scrollTop == 50_000)
        let there = model.layout.items(in: target..<(target + 900))
        let count = Int((confidence * Double(plan.visible.count)).rounded(.up))
        #expect(plan.prefetch.filter(there.contains) == Array(there.prefix(count)))
        #expect(plan.wanted.allSatisfy { !$0.visible })
    }

    @Test("a hint's items rank after visible items and before idle prefetching")
    func order() {
        var model = ViewportModel(grid(100_000), .standard)
        _ = model.update(ScrollSample(time: 0, scrollTop: 50_000, phase: .idle))
        for item in model.visible.dropLast() { model.finished(item, as: .ready) }
        let plan = model.update(
            ScrollSample(
                time: 0, scrollTop: 50_000, phase: .idle, hint: Hint(kind: .scrubber, scrollTop: 0, confidence: 1)))
        let places = plan.wanted.map { $0.visible ? 0 : $0.item < 30 ? 1 : 2 }
        #expect(places == places.sorted())
        #expect(Set(places) == [0, 1, 2])
    }

    @Test("the next hint or two seconds cancel the pending items of a hint")
    func replaced() {
        var model = resting()
        let first = model.update(hint(100, Hint(kind: .thumb, scrollTop: 180_000, confidence: 1)))
        let second = model.update(hint(300, Hint(kind: .thumb, scrollTop: 90_000, confidence: 1)))
        #expect(Set(first.prefetch).subtracting(second.cancel).allSatisfy { model.layout.frame(of: $0).y < 60_000 })
        #expect(!second.cancel.isEmpty)
        let tick = model.nextTick ?? .infinity
        #expect(tick <= 2_300)
        var plan = model.tick(at: tick)
        while let next = model.nextTick, next <= 2_300 { plan = model.tick(at: next) }
        #expect(plan.wanted.allSatisfy { model.layout.frame(of: $0.item).y < 60_000 })
    }

    @Test("a wandering pointer costs two screens, plus one every two seconds")
    func budget() {
        var model = resting()
        var fetched: Set<Int> = []
        for step in 1...100 {
            let time = Double(step) * 120
            let plan = model.update(
                hint(time, Hint(kind: .scrubber, scrollTop: Double(step) * 5_000 + 60_000, confidence: 1)))
            for item in plan.prefetch where model.layout.frame(of: item).y > 60_000 {
                fetched.insert(item)
                model.started(item, at: time)
            }
        }
        let maximum = (2 + 6) * model.visible.count
        #expect((maximum / 2...maximum).contains(fetched.count), "\(fetched.count) items in 12 s")
    }

    @Test("items of a hint that never started do not count against its budget")
    func refund() {
        var model = resting()
        for step in 1...20 {
            let target = Double(step) * 5_000 + 60_000
            let plan = model.update(hint(Double(step) * 20, Hint(kind: .scrubber, scrollTop: target, confidence: 1)))
            let there = model.layout.items(in: target..<(target + 900))
            #expect(plan.prefetch.filter(there.contains).count == there.count)
        }
    }

    @Test("an item hint fetches the item's neighbours, nearest first")
    func neighbours() {
        var model = resting()
        let plan = model.update(hint(100, Hint(kind: .viewer, item: 70_000, confidence: 0.2)))
        #expect(
            plan.prefetch.filter { $0 > 60_000 } == [70_000, 70_001, 70_002, 69_999, 70_003, 70_004, 69_998, 70_005])
    }

    @Test("other policies and disabled prefetching ignore hints", arguments: PolicyName.allCases)
    func ignored(policy: PolicyName) {
        let hinted = Hint(kind: .scrubber, scrollTop: 180_000, confidence: 1)
        var (with, without) = (resting(policy), resting(policy))
        let plan = with.update(hint(100, hinted))
        let plain = without.update(ScrollSample(time: 100, scrollTop: 50_000, phase: .idle))
        #expect((plan == plain) == (policy != .standard))
        var off = resting(policy)
        _ = off.setPrefetching(false)
        #expect(off.update(hint(200, hinted)).wanted.allSatisfy { $0.visible })
    }

    @Test("hostile hints never displace visible items or leave the gallery")
    func hostile() {
        var random = SeededRandom(seed: 77)
        var model = ViewportModel(grid(5_000), .standard)
        let numbers: [Double?] = [nil, .nan, .infinity, -1e300, 1e300, 0, 12_345]
        for step in 0..<300 {
            let kind = Hint.Kind.allCases[random.int(0..<Hint.Kind.allCases.count)]
            let top = numbers[random.int(0..<numbers.count)]
            let item: Int? = [nil, -1, Int.min, Int.max, 5_000, 4_999, 0, 2_500][random.int(0..<8)]
            let hint = Hint(kind: kind, scrollTop: top, item: item, confidence: numbers[random.int(0..<7)] ?? 0.5)
            let plan = model.update(
                ScrollSample(time: Double(step) * 37, scrollTop: random.real(0...150_000), phase: .jump, hint: hint))
            #expect(plan.wanted.allSatisfy { (0..<5_000).contains($0.item) })
            let firstAhead = plan.wanted.firstIndex { !$0.visible } ?? plan.wanted.endIndex
            #expect(plan.wanted[firstAhead...].allSatisfy { !$0.visible })
            #expect(Set(plan.wanted.map(\.item)).count == plan.wanted.count)
        }
    }
}
