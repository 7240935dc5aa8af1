import Numbers
import Testing
import Viewport

/// Rules that hold for every policy and every scroll.
@Suite struct PlanPropertyTests {
    @Test(
        "a plan never asks for an item twice and cancels only items it asked for",
        arguments: PolicyName.allCases)
    func differences(policy: PolicyName) {
        var random = SeededRandom(seed: 11)
        for _ in 0..<6 {
            let layout = randomLayout(&random)
            var model = ViewportModel(layout, policy)
            var asked: Set<Int> = []
            var settled: Set<Int> = []
            var time = 0.0
            for _ in 0..<120 {
                time += random.real(0...60)
                let plan = model.update(randomSample(&random, from: model.scrollTop, at: time, layout))
                let wanted = Set(plan.wanted.map(\.item))
                let prefetch = Set(plan.prefetch)
                #expect(prefetch.count == plan.prefetch.count && wanted.count == plan.wanted.count)
                #expect(prefetch.isDisjoint(with: asked) && prefetch.isDisjoint(with: settled))
                #expect(prefetch.isDisjoint(with: plan.visible))
                #expect(asked.isSuperset(of: plan.cancel))
                #expect(wanted.isDisjoint(with: plan.cancel) && wanted.isDisjoint(with: settled))
                #expect(wanted.isSuperset(of: prefetch))
                #expect(wanted.allSatisfy { $0 >= 0 && $0 < layout.itemCount })
                // A kept item was requested before, or is requested now as a prefetch or a visible item.
                asked.subtract(plan.cancel)
                #expect(wanted.subtracting(prefetch).subtracting(plan.visible).isSubset(of: asked))
                asked.formUnion(wanted)
                #expect(asked == wanted)
                #expect(plan.wanted.allSatisfy { $0.visible == plan.visible.contains($0.item) && $0.neededIn >= 0 })
                #expect(plan.wanted.drop { $0.visible }.allSatisfy { !$0.visible })
                report(&random, plan, &model, &asked, &settled)
            }
        }
    }

    @Test(
        "after a jump a session wants the same items as a fresh session",
        arguments: [PolicyName.collectionView, .operationQueue, .scrollEnd])
    func jump(policy: PolicyName) {
        var random = SeededRandom(seed: 12)
        for _ in 0..<20 {
            let layout = randomLayout(&random)
            var model = ViewportModel(layout, policy)
            _ = model.scroll(to: min(3000, model.update(ScrollSample(time: 0, scrollTop: 1e9)).scrollTop), from: 0)
            let target = random.real(0...layout.contentHeight)
            // Clear the old state: mark pending items as ready, then forget them.
            let before = model.update(ScrollSample(time: 9000, scrollTop: model.scrollTop, phase: .idle))
            for want in before.wanted { model.finished(want.item, as: .ready) }
            model.forget(0..<layout.itemCount)
            _ = model.update(ScrollSample(time: 10_000, scrollTop: target, phase: .jump))
            let jumped = model.update(ScrollSample(time: 10_300, scrollTop: target, phase: .idle))
            var fresh = ViewportModel(layout, policy)
            let first = fresh.update(ScrollSample(time: 0, scrollTop: target))
            // Do not compare times: a policy without any derives them from the length of its list.
            #expect(Set(jumped.wanted.map(\.item)) == Set(first.wanted.map(\.item)))
            #expect(jumped.visible == first.visible)
        }
    }

    private func report(
        _ random: inout SeededRandom, _ plan: Plan, _ model: inout ViewportModel, _ asked: inout Set<Int>,
        _ settled: inout Set<Int>
    ) {
        for want in plan.wanted {
            switch random.int(0..<12) {
            case 0, 1:
                model.finished(want.item, as: .ready)
                settled.insert(want.item)
                asked.remove(want.item)
            case 2:
                model.finished(want.item, as: .failed)
                settled.insert(want.item)
                asked.remove(want.item)
            case 3: model.started(want.item, at: random.real(0...9000))
            case 4: model.received(want.item, fraction: random.real(-1...2))
            default: break
            }
        }
        if random.int(0..<20) == 0 {
            model.forget(settled)
            settled = []
        }
    }
}

func randomLayout(_ random: inout SeededRandom) -> any Layout {
    let counts = (0..<random.int(1..<6)).map { _ in random.int(0..<300) }
    let kinds: [LayoutOptions.Kind] = [
        .grid(itemWidth: random.real(90...400), itemHeight: random.real(60...500)),
        .justified(rowHeight: random.real(90...300)), .masonry(columnWidth: random.real(90...400)),
    ]
    var options = LayoutOptions(kind: kinds[random.int(0..<3)], lineSpacing: 5, interitemSpacing: 5)
    options.headerHeight = random.int(0..<2) == 0 ? 0 : 40
    return makeLayout(
        options, width: 1200, sections: ranges(counts), aspectRatios: randomRatios(counts.reduce(0, +), seed: 9))
}

func randomSample(
    _ random: inout SeededRandom, from scrollTop: Double, at time: Double, _ layout: any Layout
) -> ScrollSample {
    let phases: [ScrollPhase?] = [nil, nil] + ScrollPhase.allCases
    let target =
        switch random.int(0..<10) {
        case 0: random.real(-100...(layout.contentHeight + 100))
        case 1: scrollTop
        case 2: scrollTop - random.real(0...900)
        default: scrollTop + random.real(0...400)
        }
    return ScrollSample(time: time, scrollTop: target, phase: phases[random.int(0..<phases.count)])
}
