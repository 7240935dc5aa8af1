import JSON
import Replay
import Scoring
import Testing
import Viewport

@Suite
struct TraceTests {
    private let header = """
        {"version":1,"itemCount":200000,"viewport":{"width":1200,"height":900},"layout":{"kind":"grid",\
        "itemWidth":200,"itemHeight":180,"lineSpacing":0,"interitemSpacing":0},"more":1}

        """

    @Test("all members of the header, the kinds and the samples are read")
    func members() throws {
        let text = """
            {"version":1,"itemCount":10,"viewport":{"width":800,"height":600},"layout":{"kind":"justified","rowHeight":220,\
            "lineSpacing":4,"interitemSpacing":3,"sectionInset":{"top":1,"left":2,"bottom":3,"right":4},"headerHeight":40,\
            "smallSectionLimit":6},"kinds":[{"from":0,"to":5,"kind":"scan"}]}
            {"t":0,"y":12.5,"phase":"wheel"}
            {"t":5,"y":13,"hint":{"kind":"cell","item":7,"confidence":0.25}}
            {"t":6,"y":13,"hint":{"kind":"of a later version"}}
            """
        var layout = LayoutOptions(kind: .justified(rowHeight: 220), lineSpacing: 4, interitemSpacing: 3)
        layout.sectionInset = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        layout.headerHeight = 40
        layout.smallSectionLimit = 6
        let samples = [
            ScrollSample(time: 0, scrollTop: 12.5, phase: .wheel),
            ScrollSample(time: 5, scrollTop: 13, hint: Hint(kind: .cell, item: 7, confidence: 0.25)),
            ScrollSample(time: 6, scrollTop: 13),
        ]
        let expected = Trace(
            name: "x", itemCount: 10, viewport: Size(width: 800, height: 600), layout: layout, samples: samples,
            kinds: [Trace.Span(from: 0, to: 5, kind: "scan")])
        #expect(try Trace(text.utf8, name: "x") == expected)
        for (kind, options) in [
            (#"{"kind":"masonry","columnWidth":150}"#, LayoutOptions(kind: .masonry(columnWidth: 150))),
            (#"{"kind":"grid","itemWidth":2,"itemHeight":3}"#, LayoutOptions(kind: .grid(itemWidth: 2, itemHeight: 3))),
        ] {
            let header = #"{"version":1,"itemCount":1,"viewport":{"width":1,"height":1},"layout":"# + kind + "}\n"
            #expect(try Trace((header + #"{"t":0,"y":0}"#).utf8, name: "x").layout == options)
        }
    }

    @Test("a written trace reads back with the same layout, phases and hints")
    func roundTrip() throws {
        var samples = ScrollPhase.allCases.enumerated().map {
            ScrollSample(time: Double($0.offset), scrollTop: 12.5, phase: $0.element)
        }
        for (index, kind) in Hint.Kind.allCases.enumerated() {
            let hint =
                index.isMultiple(of: 2)
                ? Hint(kind: kind, item: 7, confidence: 0.25) : Hint(kind: kind, scrollTop: 99.5, confidence: 1)
            samples.append(ScrollSample(time: 100 + Double(index), scrollTop: 3, hint: hint))
        }
        var justified = LayoutOptions(kind: .justified(rowHeight: 220), lineSpacing: 4, interitemSpacing: 3)
        justified.sectionInset = EdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        justified.headerHeight = 40
        justified.smallSectionLimit = 6
        let grid = LayoutOptions(kind: .grid(itemWidth: 2, itemHeight: 3))
        for layout in [justified, grid, LayoutOptions(kind: .masonry(columnWidth: 150))] {
            let trace = Trace(
                name: "x", itemCount: 9, viewport: Size(width: 800, height: 600), layout: layout, samples: samples)
            #expect(try Trace(trace.bytes, name: "x") == trace)
        }
    }

    @Test("a record reads like a trace of its samples")
    func record() throws {
        let layout = makeLayout(
            LayoutOptions(kind: .grid(itemWidth: 300, itemHeight: 100)), width: 300, sections: [0..<1_000])
        var model = ViewportModel(layout: layout, viewport: Size(width: 300, height: 300), policy: .lookahead)
        var record = ScrollRecord()
        for step in 0..<3_000 {
            let sample = ScrollSample(time: 1_000 + Double(step) * 16, scrollTop: Double(step) * 9, phase: .wheel)
            record.add(sample)
            record.add(
                model.update(sample), at: sample.time, direction: model.direction, hasJumped: model.hasJumped,
                hasNewPolicy: false)
        }
        let options = LayoutOptions(kind: .grid(itemWidth: 300, itemHeight: 100))
        let document = RecordDocument(record, model, options, held: [5, 0, 1, 2])
        #expect(try JSON.parse(document.bytes)["held"] == [[0, 2], [5, 5]])
        let trace = try Trace(document.bytes, name: "x")
        #expect(trace.itemCount == 1_000 && trace.layout == options && trace.samples.count == 3_000)
        #expect(trace.samples.last == ScrollSample(time: 2_999 * 16, scrollTop: 2_999 * 9, phase: .wheel))
    }

    @Test("unknown members and empty lines are ignored, and phases are optional")
    func lenient() throws {
        let text = header + "\r\n\n{\"t\":0,\"y\":10,\"z\":[1]}\n{\"t\":5,\"y\":-3,\"phase\":null}"
        let trace = try Trace(text.utf8, name: "x")
        #expect(trace.samples == [ScrollSample(time: 0, scrollTop: 10), ScrollSample(time: 5, scrollTop: -3)])
    }

    @Test(
        "a broken trace is refused with its line",
        arguments: [
            ("", 1), ("\n\n", 3), ("[1]", 1), ("{\"version\":2}", 1), ("{\"version\":1,\"itemCount\":-1}", 1),
            ("{\"version\":1,\"itemCount\":5}", 1), ("H", 2), ("H{\"t\":1}", 2), ("H{\"t\":1,\"y\":1e400}", 2),
            ("H{\"t\":1,\"y\":2}\n{\"t\":0,\"y\":2}", 3), ("H{\"t\":1,\"y\":2,\"phase\":\"fly\"}", 2),
            ("H{\"t\":1,\"y\":2}\n{\"t\":2,", 3), ("H{\"t\":true,\"y\":2}", 2),
            ("another version", 1),
        ])
    func broken(text: String, line: Int) {
        let text =
            text == "another version"
            ? header.replacing("\"version\":1", with: "\"version\":2") + "{\"t\":0,\"y\":0}"
            : text.hasPrefix("H") ? header + text.dropFirst() : text
        let error = #expect(throws: TraceError.self) { try Trace(text.utf8, name: "x") }
        #expect(error?.line == line)
    }

    @Test("a trace over the line or sample limit is refused")
    func limits() {
        var limits = TraceLimits()
        limits.samples = 1
        let two = header + "{\"t\":0,\"y\":0}\n{\"t\":1,\"y\":0}"
        #expect(throws: TraceError.self) { try Trace(two.utf8, name: "x", limits: limits) }
        limits.lineBytes = 100
        #expect(throws: TraceError.self) { try Trace(header.utf8, name: "x", limits: limits) }
    }

    @Test(
        "generated traces depend only on their seed and stay within the content",
        arguments: TraceKind.allCases)
    func generated(kind: TraceKind) {
        let trace = kind.trace(seed: 3, seconds: 12)
        #expect(trace == kind.trace(seed: 3, seconds: 12))
        #expect(trace.samples != kind.trace(seed: 4, seconds: 12).samples)
        #expect((12_000...21_000).contains(trace.duration))
        let furthest = Double((200_000 + 5) / 6 * 180 - 900)
        #expect(trace.samples.allSatisfy { (0...furthest).contains($0.scrollTop) })
        let phases: [TraceKind: ScrollPhase] = [
            .fling: .momentum, .fling2: .momentum, .hunt: .momentum, .skim: .touch, .wobble: .touch, .read: .wheel,
            .drag: .drag, .thumb: .drag, .page: .keyboard, .scan: .wheel, .burst: .wheel, .pad: .wheel, .key: .keyboard,
            .auto: .wheel,
        ]
        let seen = Set(trace.samples.compactMap(\.phase))
        switch kind {
        case .jump: #expect(seen == [.idle, .jump, .wheel])
        case .hunt: #expect(seen == [.idle, .momentum, .touch])
        case .mixed: #expect(seen.count > 1)
        default: #expect(seen == [.idle, phases[kind] ?? .jump])
        }
    }

    @Test("a mixed trace contains every kind and marks its spans")
    func mixed() throws {
        let trace = TraceKind.mixed.trace(seed: 5)
        #expect((50_000...110_000).contains(trace.duration))
        #expect(Set(trace.kinds.map(\.kind)) == Set(TraceKind.single.map(\.rawValue)))
        #expect(trace.kinds.map(\.kind) != TraceKind.mixed.trace(seed: 6).kinds.map(\.kind))
        for (span, next) in zip(trace.kinds, trace.kinds.dropFirst()) { #expect(span.to == next.from) }
        let fling = try #require(trace.kinds.first { $0.kind == "fling" })
        let within = trace.samples.filter { fling.from <= $0.time && $0.time < fling.to }
        #expect(Set(within.compactMap(\.phase)) == [.idle, .momentum])
    }

    @Test("generated paces are steady for wheels, repeat for keys and fade for touchpads")
    func paces() {
        func speeds(_ kind: TraceKind) -> [Double] {
            let samples = kind.trace(seed: 2).samples
            return zip(samples, samples.dropFirst()).map {
                abs($1.scrollTop - $0.scrollTop) / ($1.time - $0.time) * 1e3
            }
        }
        // In the middle of a movement of at least 3 s, half a second is as fast as the half second before.
        for kind in [TraceKind.scan, .auto] {
            let speeds = speeds(kind)
            let start = speeds.firstIndex { $0 > 0 } ?? 0
            let halves = [60, 90].map { speeds[(start + $0)..<(start + $0 + 30)].reduce(0, +) / 30 }
            #expect((500...1_700).contains(halves[0]) || kind == .auto)
            #expect(abs(halves[1] / halves[0] - 1) < 0.3, "\(kind): \(halves)")
        }
        let key = speeds(.key)
        let pressed = key.firstIndex { $0 > 0 } ?? 0
        #expect(key[pressed] > 10 * key[pressed + 14])
        #expect(key[pressed + 50] > key[pressed + 14])
        #expect((speeds(.pad).max() ?? 0) > 900)
    }

    @Test("invalid kinds are refused")
    func brokenKinds() {
        for kinds in ["1", "[1]", "[{\"from\":2,\"to\":1,\"kind\":\"a\"}]", "[{\"from\":0,\"to\":1,\"kind\":\"\"}]"] {
            let text = header.replacing("\"more\":1", with: "\"kinds\":\(kinds)") + "{\"t\":0,\"y\":0}"
            #expect(throws: TraceError.self) { try Trace(text.utf8, name: "x") }
        }
    }

    @Test("an iOS fling travels half a pixel for each px/s of its initial speed")
    func flingDistance() throws {
        let trace = TraceKind.fling.trace(seed: 5, seconds: 4)
        let moving = trace.samples.firstIndex { $0.phase == .momentum } ?? 0
        let rest = trace.samples[moving...].firstIndex { $0.phase == .idle } ?? 0
        let first = trace.samples[moving].scrollTop - trace.samples[moving - 1].scrollTop
        let all = trace.samples[rest].scrollTop - trace.samples[moving - 1].scrollTop
        #expect(abs(all / (first * 60) - 0.507) < 0.01)
    }

    @Test("players parse from their printed names")
    func players() {
        for player in Replay.Player.all { #expect(Replay.Player(player.description) == player) }
        #expect(Replay.Player("nobody") == nil)
    }
}
