import JSON
import Replay
import Testing
import Viewport

@Suite(.timeLimit(.minutes(2)))
struct ScrollRecordTests {
    /// A model of rows of 100 px in a viewport of 300 px, and its record.
    private struct Recorded {
        var model: ViewportModel
        var record = ScrollRecord()

        init(_ policy: PolicyName = .collectionView) {
            let layout = makeLayout(
                LayoutOptions(kind: .grid(itemWidth: 300, itemHeight: 100)), width: 300, sections: [0..<1_000])
            model = ViewportModel(layout: layout, viewport: Size(width: 300, height: 300), policy: policy)
        }

        mutating func scroll(to top: Double, at time: Double, _ phase: ScrollPhase = .touch) {
            let sample = ScrollSample(time: time, scrollTop: top, phase: phase)
            record.add(sample)
            add(model.update(sample))
        }

        mutating func add(_ plan: Plan, hasNewPolicy: Bool = false) {
            record.add(
                plan, at: model.time, direction: model.direction, hasJumped: model.hasJumped,
                hasNewPolicy: hasNewPolicy)
            record.show(plan.visible, at: model.time)
        }

        mutating func arrive(_ item: Int, at time: Double) {
            model.finished(item, as: .ready)
            record.arrived(item, bytes: 10, at: time)
        }

        func picture(_ item: Int) -> ScrollRecord.Picture? { record.pictures.last { $0.item == item } }
    }

    @Test("a picture has the times at which it was wanted, requested, arrived and was first seen")
    func times() throws {
        var recorded = Recorded()
        recorded.scroll(to: 0, at: 100)
        recorded.scroll(to: 10, at: 120)
        let ahead = try #require(recorded.record.pictures.last { $0.reason == .policy }).item
        recorded.record.requested(ahead, at: 130, after: .host(8))
        recorded.record.requested(ahead, at: 150)
        recorded.arrive(ahead, at: 200)
        #expect(recorded.picture(ahead)?.seen == nil)
        recorded.scroll(to: Double(ahead) * 100 - 250, at: 220)
        let picture = try #require(recorded.picture(ahead))
        #expect(picture.requested == 130 && picture.limit == .host(8))
        #expect(picture.ended == 200 && picture.seen == 220, "\(picture)")
        #expect([100, 120].contains(picture.wanted))
        #expect(picture.outcome == .arrived && picture.bytes == 10)
    }

    @Test("a visible picture is seen as it arrives, and a failed one has only its end")
    func visible() {
        var recorded = Recorded()
        recorded.scroll(to: 0, at: 0)
        recorded.arrive(1, at: 50)
        recorded.record.failed(2, at: 60)
        #expect(recorded.picture(1)?.reason == .visible && recorded.picture(1)?.seen == 50)
        #expect(recorded.picture(2)?.outcome == .failed && recorded.picture(2)?.ended == 60)
        #expect(recorded.picture(0)?.outcome == .pending && recorded.picture(0)?.ended == nil)
    }

    @Test("a cancelled picture says whether the scroll turned, passed it, jumped, or has another policy")
    func causes() {
        func causes(_ change: (inout Recorded) -> Void) -> Set<CancelCause> {
            var recorded = Recorded()
            recorded.scroll(to: 5_000, at: 0, .jump)
            for step in 1...5 { recorded.scroll(to: 5_000 + Double(step) * 20, at: Double(step) * 20) }
            change(&recorded)
            return Set(
                recorded.record.pictures.compactMap {
                    if case .cancelled(let cause) = $0.outcome { cause } else { nil }
                })
        }
        #expect(causes { $0.scroll(to: 90_000, at: 120, .jump) }.isSuperset(of: [.jumped]))
        #expect(causes { $0.add($0.model.setPrefetching(false), hasNewPolicy: true) }.contains(.policy))
        let turned = causes { recorded in
            for step in 6...20 { recorded.scroll(to: 5_200 - Double(step) * 20, at: Double(step) * 20) }
        }
        #expect(turned.contains(.turned))
        let passed = causes { recorded in
            for step in 6...40 { recorded.scroll(to: 5_000 + Double(step) * 60, at: Double(step) * 20) }
        }
        #expect(passed.contains(.passed) && !passed.contains(.turned))
    }

    @Test("lookahead says which pictures pass, which are at the expected stop, and which a next gesture may show")
    func reasons() {
        var recorded = Recorded(.lookahead)
        recorded.scroll(to: 0, at: 0)
        var top = 0.0
        for step in 1...12 {
            top += 120 * (1 - Double(step) / 20)
            recorded.scroll(to: top, at: Double(step) * 16, .momentum)
        }
        let reasons = Set(recorded.record.pictures.map(\.reason))
        #expect(reasons.isSuperset(of: [.visible, .landing]))
        #expect(!reasons.contains(.policy))
        #expect(recorded.record.stops.last?.landing.scrollTop ?? 0 > top)
        // Fetching takes so long that a next gesture would have to wait.
        recorded.model.network.latency = 800
        for gesture in 1...6 {
            let time = Double(gesture) * 1_000
            for step in 1...10 { recorded.scroll(to: top + Double(step) * 40, at: time + Double(step) * 16) }
            top += 400
            recorded.scroll(to: top, at: time + 200, .idle)
            for picture in recorded.record.pictures { recorded.arrive(picture.item, at: time + 400) }
            recorded.scroll(to: top, at: time + 500, .idle)
        }
        #expect(recorded.record.pictures.contains { $0.reason == .next })
    }

    @Test("moments are added only if the number of visible or blank items changes")
    func moments() {
        var record = ScrollRecord()
        for (time, blank) in [(0, 3), (10, 3), (20, 1), (30, 1), (40, 0)] {
            record.expose(visible: 3, blank: blank, at: Double(time))
        }
        #expect(record.moments.map(\.time) == [0, 20, 40])
        #expect(record.moments(since: 30).map(\.blank) == [1, 0])
    }

    @Test("a record holds at most its maximum of pictures and samples, and follows only held pictures")
    func bounds() {
        var recorded = Recorded()
        for step in 0..<9_000 {
            recorded.scroll(to: Double(step % 500) * 199, at: Double(step))
        }
        #expect(recorded.record.pictures.count == ScrollRecord.maximumPictures)
        #expect(recorded.record.samples.count == ScrollRecord.maximumSamples)
        #expect(recorded.record.start == 0)
        for item in 0..<1_000 { recorded.record.arrived(item, bytes: 1, at: 9_000) }
        #expect(recorded.record.pictures.contains { $0.outcome == .arrived })
    }

    @Test("changes are listed once, from the first request on, and only for held pictures")
    func changes() {
        var recorded = Recorded()
        recorded.scroll(to: 0, at: 0)
        func taken() -> [Int] { recorded.record.takeChanges().pictures.map { recorded.record.pictures[$0].item } }
        #expect(taken() == [])
        recorded.arrive(0, at: 10)
        recorded.record.failed(1, at: 11)
        #expect(taken() == [0, 1])
        #expect(taken() == [])
        recorded.scroll(to: 40, at: 20)
        #expect(recorded.record.takeChanges().stops.count == 1)
        #expect(recorded.record.takeChanges().stops.isEmpty)
        recorded.record.ignoreChanges()
        recorded.arrive(2, at: 30)
        #expect(taken() == [])
    }

    @Test("a record begins with the position at its start, and changes of older pictures are left out")
    func beginning() throws {
        var recorded = Recorded()
        recorded.scroll(to: 500, at: 0)
        _ = recorded.record.takeChanges()
        recorded.record.elapse(to: 90_000)
        recorded.arrive(5, at: 90_000)
        let options = LayoutOptions(kind: .grid(itemWidth: 300, itemHeight: 100))
        let record = try JSON.parse(RecordDocument(recorded.record, recorded.model, options, held: []).bytes)
        #expect(record["start"] == 30_000 && record["end"] == 60_000)
        #expect(record["samples"] == [["t": 0, "y": 500, "phase": "idle"]])
        let taken = recorded.record.takeChanges()
        #expect(taken.pictures.count == 1)
        let changes = RecordDocument.changes(taken, of: recorded.record, in: recorded.model.layout)
        #expect(try JSON.parse(changes)["pictures"] == [])
    }

    @Test("a new layout restarts the record, and the page's clock moves its times")
    func restart() {
        var recorded = Recorded()
        recorded.scroll(to: 0, at: 40)
        recorded.record.shift(by: 1_000)
        #expect(recorded.record.start == 1_040 && recorded.picture(0)?.wanted == 1_040)
        recorded.record.restart(at: 1_100)
        #expect(
            recorded.record.start == 1_100 && recorded.picture(0) == nil && recorded.record.samples.last?.time == 40)
    }
}
