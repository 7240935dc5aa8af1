import Gallery
import Testing
import Thumbnails
import Viewport

@Suite struct SessionCoreTests {
    /// 6 columns of 200 x 180 cells; 5 rows are visible in 1200 x 900.
    static func core(items: Int = 10_000, policy: String = "collection-view") throws -> SessionCore {
        let options = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
        let layout = makeLayout(options, width: 1200, sections: [0..<items], aspectRatios: nil)
        let name = try #require(PolicyName(rawValue: policy))
        return SessionCore(model: ViewportModel(layout: layout, viewport: Size(width: 1200, height: 900), policy: name))
    }

    static func update(_ seq: Int, scrollTop: Double, missing: [Int] = []) -> ViewportUpdate {
        ViewportUpdate(
            seq: seq, time: Double(seq) * 100, scrollTop: scrollTop, viewport: nil, phase: .wheel, missing: missing)
    }

    @Test("an update with an old sequence number changes nothing")
    func staleUpdate() throws {
        var core = try Self.core()
        #expect(core.update(Self.update(5, scrollTop: 1800)) != nil)
        let plan = core.plan
        #expect(core.update(Self.update(5, scrollTop: 0)) == nil)
        #expect(core.update(Self.update(4, scrollTop: 0)) == nil)
        #expect(core.plan == plan)
        #expect(core.seq == 5)
    }

    @Test("an item that the page holds is not wanted again unless reported missing")
    func missing() throws {
        var core = try Self.core()
        for item in core.plan.visible { _ = core.finished(item, bytes: 10, time: 1) }
        _ = core.update(Self.update(1, scrollTop: 0))
        #expect(core.plan.wanted.allSatisfy { !$0.visible })
        _ = core.update(Self.update(2, scrollTop: 0, missing: [3, 4]))
        #expect(core.plan.wanted.filter(\.visible).map(\.item) == [3, 4])
    }

    @Test("a preview is sent once, never after the picture, and changes no wants")
    func previews() throws {
        var core = try Self.core()
        let wanted = core.plan.wanted
        let event = core.previewed(3)
        let first = try #require(event)
        #expect(core.previewed(3) == nil)
        _ = core.update(Self.update(1, scrollTop: 0))
        #expect(core.plan.wanted == wanted)
        #expect(core.unreceivedPreviews(since: 0) == [3])
        #expect(core.unreceivedPreviews(since: first) == [])
        _ = core.finished(3, bytes: 10, time: 1)
        #expect(core.previewed(3) == nil)
        #expect(core.unreceivedPreviews(since: 0) == [])
        // A page that lost everything gets both again.
        _ = core.update(Self.update(2, scrollTop: 0, missing: [3]))
        #expect(core.previewed(3) != nil)
    }

    @Test("a failed item is wanted again once the page reports it missing")
    func retry() throws {
        var core = try Self.core()
        _ = core.failed(7, ItemFailure(reason: "broken", retryable: true))
        _ = core.update(Self.update(1, scrollTop: 0))
        #expect(!core.plan.wanted.contains { $0.item == 7 })
        _ = core.update(Self.update(2, scrollTop: 0, missing: [7]))
        #expect(core.plan.wanted.contains { $0.item == 7 })
        #expect(core.model.ledger.failedItems.count == 0)
    }

    @Test("event ids only grow, and a client lacks only later events")
    func unreceived() throws {
        var core = try Self.core()
        let ids = [2, 0, 1].map { core.finished($0, bytes: 10, time: 1) }
        #expect(ids == ids.sorted() && Set(ids).count == 3)
        #expect(core.unreceived(since: 0) == [0, 1, 2])
        #expect(core.unreceived(since: ids[0]) == [0, 1])
        #expect(core.unreceived(since: ids[2]).isEmpty)
    }

    @Test("the record of items on the page is bounded, and forgotten items are wanted again")
    func bounded() throws {
        var core = try Self.core()
        for row in 0..<1000 {
            _ = core.update(Self.update(row, scrollTop: Double(row) * 180))
            for want in core.plan.wanted { _ = core.finished(want.item, bytes: 10, time: Double(row)) }
        }
        #expect(core.model.ledger.sentCount <= SessionCore.pageCapacity)
        _ = core.update(Self.update(2000, scrollTop: 0))
        #expect(core.plan.wanted.filter(\.visible).map(\.item) == Array(core.plan.visible))
    }

    @Test("blank time counts visible cells without a picture")
    func exposure() throws {
        var core = try Self.core(policy: "operation-queue")
        #expect(core.plan.visible == 0..<30)
        for item in 0..<30 { _ = core.finished(item, bytes: 10, time: 100) }
        #expect(core.exposure.blankTime == 3000)
        _ = core.update(ViewportUpdate(seq: 1, time: 300, scrollTop: 180, viewport: nil, phase: .wheel))
        #expect(core.exposure.visibleTime == 9000)
        #expect(core.exposure.blankTime == 3000)
        #expect(core.exposure.shown == 36)
        #expect(core.exposure.shownReady == 0)
        _ = core.finished(30, bytes: 10, time: 400)
        #expect(core.exposure.blankTime == 3600)
    }

    @Test("bytes of a picture count as unseen until it is shown")
    func unseen() throws {
        var core = try Self.core()
        _ = core.finished(31, bytes: 500, time: 1)
        #expect(core.exposure.unseenBytes == 500)
        _ = core.update(Self.update(1, scrollTop: 180))
        #expect(core.exposure.unseenBytes == 0)
    }

    @Test("wants are handed to the pool only if they changed")
    func handsOver() throws {
        var core = try Self.core()
        #expect(core.takeWants() == core.plan.wanted)
        #expect(core.takeWants() == nil)
        _ = core.update(Self.update(1, scrollTop: 0))
        #expect(core.takeWants() == nil)
        _ = core.update(Self.update(2, scrollTop: 1800))
        #expect(core.takeWants() == core.plan.wanted)
        // The same list, but one item has a new generation.
        let item = core.plan.visible.lowerBound
        _ = core.finished(item, bytes: 10, time: 300)
        _ = core.update(Self.update(3, scrollTop: 1800, missing: [item]))
        #expect(core.takeWants()?.first { $0.item == item }?.generation == 1)
    }

    @Test("pictures not sent before a listener left count as unreceived")
    func removedListener() throws {
        var core = try Self.core()
        let ids = [0, 1, 2].map { core.finished($0, bytes: 10, time: 1) }
        let listener = core.model.ledger.addListener()
        let lacksAny = core.catchUp(listener, lastEventID: 0, pictures: true, failures: true)
        #expect(lacksAny)
        #expect(core.model.ledger.beginResending(to: listener, maximum: 1, pending: []).items == [0])
        core.model.ledger.endResending(to: listener)
        let pending = core.removeListener(listener)
        #expect(pending.isEmpty)
        #expect(core.unreceived(since: ids[2]) == [1, 2])
    }
}
