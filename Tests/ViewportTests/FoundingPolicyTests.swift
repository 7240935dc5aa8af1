import Testing
import Viewport

@Suite struct FoundingPolicyTests {
    @Test("collection-view first asks for three quarters of a screen below, nearest first")
    func firstOpen() {
        var model = ViewportModel(grid(1000), .collectionView)
        let plan = model.update(ScrollSample(time: 0, scrollTop: 0))
        #expect(plan.visible == 0..<30)
        // 675 px are three rows and three quarters: four rows of six.
        #expect(plan.prefetch == Array(30..<54))
        #expect(plan.wanted.count == 54 && plan.wanted.prefix(30).allSatisfy { $0.visible })
        #expect(plan.cancel.isEmpty)
    }

    @Test("collection-view asks only for new items and cancels items behind after a turn")
    func turning() {
        var model = ViewportModel(grid(1000), .collectionView)
        _ = model.update(ScrollSample(time: 0, scrollTop: 5400))
        let down = model.update(ScrollSample(time: 20, scrollTop: 5500))
        #expect(Set(down.prefetch).isDisjoint(with: 180..<234))
        let up = model.update(ScrollSample(time: 40, scrollTop: 5490))
        #expect(up.prefetch.prefix(6) == [174, 175, 176, 177, 178, 179])
        #expect(up.cancel.allSatisfy { $0 >= up.visible.upperBound })
        #expect(!up.cancel.isEmpty)
    }

    @Test("collection-view asks nearest first when scrolling up")
    func upwards() {
        var model = ViewportModel(grid(1000), .collectionView)
        _ = model.update(ScrollSample(time: 0, scrollTop: 5400))
        let plan = model.update(ScrollSample(time: 20, scrollTop: 5399))
        #expect(plan.visible == 174..<210)
        // The row above is partly visible; 675 px above the viewport reach into the third row over it.
        #expect(plan.prefetch == Array(168..<174) + Array(162..<168) + Array(156..<162))
    }

    @Test("operation-queue asks only for visible items and cancels them when they leave")
    func operationQueue() {
        var model = ViewportModel(grid(1000), .operationQueue)
        _ = model.update(ScrollSample(time: 0, scrollTop: 0))
        model.finished(0, as: .ready)
        model.finished(1, as: .failed)
        let plan = model.update(ScrollSample(time: 20, scrollTop: 180))
        #expect(plan.prefetch.isEmpty)
        #expect(plan.cancel == [2, 3, 4, 5])
        #expect(plan.wanted.map(\.item) == Array(6..<36))
    }

    @Test("scroll-end fetches ten items before and after the visible ones when scrolling stops")
    func scrollEnd() {
        var model = ViewportModel(grid(1000), .scrollEnd)
        _ = model.update(ScrollSample(time: 0, scrollTop: 0))
        let moving = model.update(ScrollSample(time: 20, scrollTop: 900, phase: .wheel))
        #expect(moving.prefetch.isEmpty)
        let stopped = model.update(ScrollSample(time: 40, scrollTop: 900, phase: .idle))
        // The ten before were visible a moment ago and are still being fetched.
        #expect(stopped.prefetch == Array(60..<70))
        #expect(stopped.wanted.count == 70 && stopped.cancel.isEmpty)
    }

    @Test("scroll-end detects the stop by its own tick")
    func scrollEndTick() throws {
        var model = ViewportModel(grid(1000), .scrollEnd)
        _ = model.update(ScrollSample(time: 0, scrollTop: 9000))
        #expect(model.nextTick == nil)
        let moving = model.update(ScrollSample(time: 1000, scrollTop: 9900, phase: .momentum))
        #expect(moving.prefetch.isEmpty)
        let time = try #require(model.nextTick)
        #expect(time == 1150)
        let plan = model.tick(at: time)
        #expect(plan.prefetch.contains(360) && plan.prefetch.contains(369) && !plan.prefetch.contains(370))
        #expect(model.nextTick == nil)
    }

    @Test("scroll-end crosses section borders and empty sections")
    func scrollEndSections() {
        let layout = grid(0, sections: [12, 0, 18, 0, 0, 4, 40]) { $0.headerHeight = 30 }
        var model = ViewportModel(layout, .scrollEnd)
        let plan = model.update(ScrollSample(time: 0, scrollTop: 0, phase: .idle))
        let after = plan.visible.upperBound
        #expect(plan.prefetch == Array(after..<(after + 10)))
    }

    @Test("scroll-end adds to the queue and never cancels")
    func scrollEndAdds() {
        var model = ViewportModel(grid(10_000), .scrollEnd)
        var asked: Set<Int> = []
        for stop in 0..<8 {
            let plan = model.update(
                ScrollSample(time: Double(stop) * 1000, scrollTop: Double(stop) * 5400, phase: .idle))
            #expect(plan.cancel.isEmpty)
            #expect(asked.isDisjoint(with: plan.prefetch))
            asked.formUnion(plan.prefetch)
            asked.formUnion(plan.visible)
            #expect(Set(plan.wanted.map(\.item)) == asked)
        }
    }

    @Test(
        "without prefetching only visible items are wanted, and disabling it cancels the rest",
        arguments: PolicyName.allCases)
    func withoutPrefetching(policy: PolicyName) {
        var model = ViewportModel(grid(1000), policy)
        let before = model.update(ScrollSample(time: 0, scrollTop: 900, phase: .idle))
        let off = model.setPrefetching(false)
        #expect(Set(off.cancel) == Set(before.wanted.filter { !$0.visible }.map(\.item)))
        #expect(off.wanted.map(\.item) == Array(30..<60))
        let moved = model.update(ScrollSample(time: 20, scrollTop: 1000))
        #expect(moved.prefetch.isEmpty && moved.wanted.allSatisfy { $0.visible })
    }
}
