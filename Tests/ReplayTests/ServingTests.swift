import Replay
import Scoring
import Testing
import Viewport

/// Replays that simulate the server and the page.
@Suite(.timeLimit(.minutes(2)))
struct ServingTests {
    private func origin(_ serving: Serving?) -> Origin {
        Origin(latency: 100, jitter: 0, bandwidth: 1_000, concurrency: 100, serving: serving)
    }

    private func trace(_ positions: [(y: Double, hold: Double)], rows: Double = 2) -> Trace {
        var samples: [ScrollSample] = []
        var time = 0.0
        for position in positions {
            for step in 0..<Int(position.hold / 10) {
                samples.append(ScrollSample(time: time + Double(step) * 10, scrollTop: position.y))
            }
            time += position.hold
        }
        samples.append(ScrollSample(time: time, scrollTop: positions.last?.y ?? 0))
        return Trace(
            name: "x", itemCount: 3_000, viewport: Size(width: 300, height: rows * 100),
            layout: LayoutOptions(kind: .grid(itemWidth: 100, itemHeight: 100)), samples: samples)
    }

    @Test("the first screen waits for opening, rendering, decoding and painting")
    func firstScreen() {
        let serving = Serving(
            opening: 100, postTime: 0, renderTime: 10, renderWorkers: 2, pushTime: 5, paintTime: 20, downloads: 100)
        let score = Replay.run(trace: trace([(0, 1_000)]), policy: .operationQueue, origin: origin(serving))
        // Request at 110 ms, first bytes at 210, last bytes at 212, rendered 10 to 30 later, and 10 + 5 + 20 to show.
        #expect(score.requests == 6)
        #expect(abs(score.blankShare - 0.267) < 0.004)
    }

    @Test("a page that asks early gets its pictures early, in the replay and the bound")
    func askedBefore() {
        func blank(_ opening: Double) -> (played: Double, bound: Double) {
            let serving = Serving(opening: opening, postTime: 0, renderTime: 0, pushTime: 5, paintTime: 20)
            let origin = origin(serving), trace = self.trace([(0, 1_000)])
            return (
                Replay.run(trace: trace, policy: .operationQueue, origin: origin).slowBlankShare,
                LowerBound(PlayableTrace(trace), origin).slowBlankShare
            )
        }
        // 10 ms to the server and 10 back, 100 to the first byte, 2 to the last of six, 25 from there to the screen.
        #expect(abs(blank(0).played - 0.147) < 0.002)
        #expect(abs(blank(-80).played - 0.067) < 0.002)
        #expect(blank(-500).played == 0)
        for opening in [40, 0, -80, -110, -500.0] { #expect(blank(opening).bound <= blank(opening).played) }
        #expect(blank(-80).bound > 0.03)
    }

    @Test("concurrent downloads start at eight and adapt up to the limit")
    func adaptive() {
        func blank(_ downloads: Int) -> Double {
            let serving = Serving(
                opening: 0, postTime: 0, renderTime: 0, pushTime: 0, paintTime: 0, downloads: downloads)
            let trace = trace([(0, 4_000)], rows: 40)
            return Replay.run(trace: trace, policy: .operationQueue, origin: origin(serving)).blankShare
        }
        let fixed = Replay.run(
            trace: trace([(0, 4_000)], rows: 40), policy: .operationQueue,
            origin: Origin(latency: 100, jitter: 0, bandwidth: 1_000, concurrency: 16))
        #expect(blank(6) > blank(8) + 0.01)
        #expect(blank(8) > blank(16))
        #expect(blank(16) > fixed.blankShare)
        #expect(blank(3) > blank(6) + 0.01)
    }

    @Test("the policy receives the server's connection and rendering times")
    func inputs() {
        let origin = origin(Serving(downloads: 16))
        let layout = makeLayout(
            LayoutOptions(kind: .grid(itemWidth: 100, itemHeight: 100)), width: 300, sections: [0..<300],
            aspectRatios: nil)
        let size = Size(width: 300, height: 200)
        var chooser = PolicyChooser(
            model: ViewportModel(layout: layout, viewport: size, policy: .lookahead), origin: origin)
        func receive(_ time: Double) {
            _ = chooser.receive(ScrollSample(time: time, scrollTop: 0), now: time) { _ in 0 }
        }
        receive(0)
        #expect(chooser.model.network.concurrency == 8 && chooser.model.network.abortCost == 0)
        #expect(chooser.model.network.overhead == 10 + NetworkEstimate.showTime)
        chooser.began(0, afterWaiting: 300, isNew: true, now: 300)
        chooser.began(1, afterWaiting: 100, isNew: false, now: 300)
        _ = chooser.finished(0, bytes: 50_000, now: 400)
        _ = chooser.rendered(0, now: 450)
        receive(500)
        #expect(chooser.model.network.abortCost == 200)
        #expect(chooser.model.network.overhead > 10 + NetworkEstimate.showTime)
    }

    @Test("an aborted fetch costs its connection, and a new one costs round trips")
    func connections() {
        var connections = Connections()
        var opened = [connections.take(for: 1), connections.take(for: 2)]
        connections.end(1, isWhole: true)
        opened.append(connections.take(for: 3))
        connections.end(2, isWhole: false)
        connections.end(2, isWhole: true)
        opened.append(connections.take(for: 4))
        #expect(opened == [true, true, false, true])
        func blank(_ connecting: Double) -> Double {
            let serving = Serving(
                opening: 0, postTime: 0, renderTime: 0, pushTime: 0, paintTime: 0, connecting: connecting)
            return Replay.run(trace: trace([(0, 1_000)]), policy: .operationQueue, origin: origin(serving)).blankShare
        }
        #expect(abs(blank(2) - blank(0) - 0.2) < 0.001)
    }

    @Test("a cell that jumps into view is painted again, and one that scrolls in is not")
    func mounting() {
        let serving = Serving(opening: 0, paintTime: 100)
        var there = trace([(0, 1_000), (50_000, 1_000), (0, 500)])
        there.kinds = [Trace.Span(from: 2_000, to: 2_500, kind: "back")]
        let back = Replay.run(trace: there, policy: .operationQueue, origin: origin(serving))
        #expect(abs((back.byKind.first?.blankShare ?? 0) - 0.2) < 0.001)
        var near = trace([(0, 1_000), (100, 1_000), (0, 500)])
        near.kinds = there.kinds
        #expect(Replay.run(trace: near, policy: .operationQueue, origin: origin(serving)).byKind.first?.blankShare == 0)
    }

    @Test("posts are 33 ms apart, and more on a long round trip")
    func posts() {
        #expect(Origin(roundTrip: 200).postInterval == 33)
        #expect(Origin(roundTrip: 20, serving: Serving()).postInterval == 33)
        #expect(Origin(roundTrip: 40, serving: Serving()).postInterval == 40)
        #expect(Origin(roundTrip: 60, serving: Serving()).postInterval == 33)
        #expect(Origin(roundTrip: 150, serving: Serving()).postInterval == 50)
        #expect(Origin(roundTrip: 20).postDelay == 10)
        #expect(Origin(roundTrip: 20, serving: Serving(postTime: 30)).postDelay == 40)
    }

    @Test("measurements are parsed by contender and compared with their replay")
    func measured() throws {
        let row = """
            {"trace":"a.ndjson","contender":"lookahead","link":"tls","origin":{"latency":80,"bandwidth":25,"concurrency":8,\
            "roundTrip":40,"tls":true},"slowBlankShare":0.5,"byKind":{"first":{"blank":1,"slowBlank":0.25,"cellTime":1}}}
            """
        let other = row.replacing("\"lookahead\"", with: "\"lazy\"")
        let found = try Measurement.read(Array("[\(other),\(row)]".utf8))
        let measurement = try #require(found.first)
        #expect(found.count == 1 && measurement.policy == .lookahead && measurement.link == "tls")
        #expect(measurement.origin.roundTrip == 40 && measurement.origin.serving?.connecting == 2)
        #expect(measurement.byKind == ["first": 0.25] && measurement.origin.serving?.opening == 40)
        let asked = row.replacing("{\"trace\"", with: "{\"firstAsked\":-300,\"trace\"")
        let early = try Measurement.read(Array("[\(asked)]".utf8))
        #expect(early.first?.origin.serving?.opening == -340)
        var trace = TraceKind.wobble.trace(seed: 1, seconds: 3)
        trace.kinds = [Trace.Span(from: 0, to: 1_000, kind: "first")]
        var comparison = MeasuredComparison()
        comparison.add(measurement, trace)
        comparison.add(measurement, trace)
        let line = try #require(comparison.rows.first)
        let score = Replay.run(trace: trace, policy: .lookahead, origin: measurement.origin)
        #expect(line.runs == 2 && line.measured == 1 && line.replayed == 2 * score.slowBlankShare)
        #expect(comparison.text.contains("0.250"))
        for broken in [
            "{}", "[1]", "[\(row.replacing("0.5", with: "null"))]", "[\(row.replacing("\"latency\":80,", with: ""))]",
        ] {
            #expect(throws: TraceError.self) { try Measurement.read(Array(broken.utf8)) }
        }
    }
}
