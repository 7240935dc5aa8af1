import Replay
import Scoring
import Testing
import Viewport

@Suite(.timeLimit(.minutes(2)))
struct ReplayTests {
    private let quick = Origin(latency: 100, jitter: 0, bandwidth: 1_000, concurrency: 100)

    /// A viewport of `rows` rows of three cells that stays at each position for `hold` milliseconds.
    private func trace(_ positions: [(y: Double, hold: Double)], rows: Double = 2) -> Trace {
        var samples: [ScrollSample] = []
        var time = 0.0
        for position in positions {
            var held = 0.0
            while held < position.hold {
                samples.append(ScrollSample(time: time + held, scrollTop: position.y))
                held += 10
            }
            time += position.hold
        }
        samples.append(ScrollSample(time: time, scrollTop: positions.last?.y ?? 0))
        return Trace(
            name: "x", itemCount: 3_000, viewport: Size(width: 300, height: rows * 100),
            layout: LayoutOptions(kind: .grid(itemWidth: 100, itemHeight: 100)), samples: samples)
    }

    @Test("a cell at rest is blank for a round trip, the wait and its bytes")
    func firstScreen() {
        let score = Replay.run(trace: trace([(0, 1_000)]), policy: .operationQueue, origin: quick)
        #expect(score.requests == 6)
        #expect(score.waste == 0)
        // 20 ms of round trip and 100 of waiting of 1,000, and about 50 kB x 6 at 125 kB a millisecond.
        #expect(abs(score.blankShare - 0.1225) < 0.002)
        #expect(score.slowBlankShare == score.blankShare)
    }

    @Test("previews of camera files load first and count as half blank")
    func previews() {
        var origin = Origin(latency: 100, jitter: 0, bandwidth: 100_000, concurrency: 100)
        origin.pictures = .photographs
        let still = trace([(0, 2_000)], rows: 1)
        let score = Replay.run(trace: still, policy: .operationQueue, origin: origin)
        // Three previews, then the rest of each file.
        #expect(score.requests == 6 && score.waste == 0 && score.bytes > 3 * 640_000)
        // 120 ms until the previews, and 100 more, by half, until the pictures; a millisecond for the bytes.
        #expect(abs(score.blankShare * 2_000 - 170) < 3)
        #expect(score.blankShare >= Replay.bound(still, origin))
        // A preview that was seen is not waste, even if its picture never arrived.
        let slow = Origin(latency: 0, jitter: 0, bandwidth: 8, concurrency: 100, pictures: .photographs)
        let brief = Replay.run(trace: trace([(0, 500)], rows: 1), policy: .operationQueue, origin: slow)
        #expect(brief.bytes > 400_000)
        #expect(abs((1 - brief.waste) * brief.bytes - 3 * 69_632) < 1)
        let text = [Replay.Result(trace: "x", player: .oracle, origin: origin, score: score)].text
        #expect(text.hasSuffix("A cell that shows a preview counts as half blank.\n"))
    }

    @Test("transfers share the bandwidth")
    func sharing() {
        let origin = Origin(latency: 0, jitter: 0, bandwidth: 8, concurrency: 100)
        let score = Replay.run(trace: trace([(0, 2_000)], rows: 1), policy: .operationQueue, origin: origin)
        // At 1,000 bytes a millisecond, transfers of the sizes a < b < c end after 3a, a + 2b and a + b + c.
        let sizes = (0..<3).map { origin.picture($0).bytes / 1_000 }.sorted()
        let mean = (5 * sizes[0] + 3 * sizes[1] + sizes[2]) / 3
        #expect(abs(score.blankShare * 2_000 - 20 - mean) < 2)
        #expect(score.settleP50 == 0)
    }

    @Test("concurrency limits the transfers in flight")
    func concurrency() {
        let origin = Origin(latency: 100, jitter: 0, bandwidth: 100_000, concurrency: 1)
        let score = Replay.run(trace: trace([(0, 1_000)]), policy: .operationQueue, origin: origin)
        // One after another: 120, 220, … 620 ms.
        #expect(abs(score.blankShare - 0.37) < 0.001)
    }

    @Test("cancelled and unseen transfers are waste")
    func waste() {
        let slow = Origin(latency: 50, jitter: 0, bandwidth: 0.5, concurrency: 6)
        let away = trace([(0, 300), (50_000, 300)])
        let cancelled = Replay.run(trace: away, policy: .operationQueue, origin: slow)
        #expect(cancelled.cancelled == 6)
        #expect(cancelled.requests == 12)
        #expect(cancelled.waste == 1)
        #expect(abs(cancelled.bytes - 62.5 * 480) < 1_500)
        let ahead = Replay.run(trace: trace([(0, 1_000)]), policy: .collectionView, origin: quick)
        #expect(ahead.requests == 12)
        #expect((0.3...0.7).contains(ahead.waste))
    }

    @Test("only time below 1,500 px/s counts as slow")
    func slow() {
        let fast = (0..<50).map { (y: Double($0) * 30, hold: 10.0) }
        let slow = (0..<50).map { (y: Double($0) * 10, hold: 10.0) }
        let blocked = Origin(latency: 10_000, jitter: 0)
        #expect(Replay.run(trace: trace(slow), policy: .operationQueue, origin: blocked).slowBlankShare == 1)
        let score = Replay.run(trace: trace(fast), policy: .operationQueue, origin: blocked)
        #expect(score.blankShare == 1)
        // The last position is at rest for one frame.
        #expect(score.slowBlankShare == 1)
        let mixed = trace(fast + [(1_470, 2_000)])
        let later = Replay.run(trace: mixed, policy: .operationQueue, origin: quick)
        #expect(later.slowBlankShare < 0.08)
        #expect(later.blankShare > 0.15)
    }

    @Test("shares are split by kind of scrolling if the trace has kinds")
    func kinds() throws {
        var trace = trace([(0, 1_000), (50_000, 1_000)])
        trace.kinds = [
            Trace.Span(from: 0, to: 500, kind: "first"), Trace.Span(from: 500, to: 1_000, kind: "rest"),
            Trace.Span(from: 1_000, to: 2_000, kind: "first"),
        ]
        let score = Replay.run(trace: trace, policy: .operationQueue, origin: quick)
        #expect(score.byKind.map(\.kind) == ["first", "rest"])
        let (first, rest) = (try #require(score.byKind.first), try #require(score.byKind.last))
        #expect(abs(first.blankShare * 1_500 - score.blankShare * 2_000) < 0.1)
        #expect(rest.blankShare == 0 && rest.slowBlankShare == 0)
        #expect(first.slowBlankShare == first.blankShare)
        trace.kinds = []
        #expect(Replay.run(trace: trace, policy: .operationQueue, origin: quick).byKind.isEmpty)
    }

    @Test("settling is the time from the last movement to the last picture")
    func settle() {
        let score = Replay.run(
            trace: trace([(0, 1_000), (50_000, 1_000), (60_000, 1_000)]), policy: .operationQueue, origin: quick)
        #expect((120...160).contains(score.settleP50))
        #expect((120...160).contains(score.settleP95))
        let unsettled = Replay.run(
            trace: trace([(0, 500), (50_000, 400)]), policy: .operationQueue, origin: Origin(latency: 5_000))
        #expect(unsettled.settleP50 == 400)
    }

    @Test("the oracle loads the next place in time and skips what only flies past")
    func oracle() {
        let jump = trace([(0, 1_000), (50_000, 1_000)])
        let oracle = Replay.run(jump, .oracle, quick)
        #expect(oracle.requests == 12)
        #expect(oracle.waste == 0)
        #expect(abs(oracle.blankShare - 0.0612) < 0.002)
        let past = trace([(0, 500)] + (1...20).map { (y: Double($0) * 300, hold: 10.0) } + [(6_000, 500)])
        #expect(Replay.run(past, .oracle, quick).requests == 12)
    }

    @Test(
        "a trace always gives the same result with and without a server, byte for byte", arguments: TraceKind.allCases)
    func deterministic(kind: TraceKind) {
        let trace = kind.trace(seed: 11, seconds: 3)
        let origins = [Origin(), Origin(serving: Serving())]
        let first = Replay.run([trace], Replay.Player.all, origins)
        #expect(first.json == Replay.run([trace], Replay.Player.all, origins).json)
        #expect(first.count == 2 * Replay.Player.all.count)
        for result in first {
            #expect((0...1).contains(result.score.blankShare))
            #expect((0...1).contains(result.score.slowBlankShare))
            #expect((0...1).contains(result.score.waste))
            #expect(result.score.cancelled <= result.score.requests)
        }
    }

    @Test("results match the recorded table")
    func golden() {
        let traces = [TraceKind.hunt, .skim].map { $0.trace(seed: 11, seconds: 5) }
        let results = Replay.run(traces, [.policy(.operationQueue), .oracle], [Origin()])
        #expect(
            results.text == """
                trace    policy           latency  Mbit/s  slots  blank   slow  waste  settle50  settle95  requests  cancelled    MB
                hunt-11  operation-queue       80      25      8  0.549  0.441  0.133        51        51       252         64  11.5
                hunt-11  oracle                80      25      8  0.361  0.312  0.111         0         0       234          0  13.8
                skim-11  operation-queue       80      25      8  0.213  0.213  0.000       143       143       174          0  10.1
                skim-11  oracle                80      25      8  0.096  0.096  0.000         0         0       174          0  10.1

                """)
    }

    @Test("on average the oracle beats collection-view, and collection-view beats operation-queue")
    func oracleIsAhead() {
        let traces = TraceKind.allCases.map { $0.trace(seed: 21, seconds: 12) }
        let players = [PolicyName.collectionView, .operationQueue].map(Replay.Player.policy) + [.oracle]
        for origin in Origin.reference.prefix(2) {
            let results = Replay.run(traces, players, [origin])
            func mean(_ player: Replay.Player) -> Double {
                results.filter { $0.player == player }.map(\.score.slowBlankShare).reduce(0, +) / Double(traces.count)
            }
            #expect(mean(.oracle) < 0.8 * mean(.policy(.collectionView)))
            #expect(mean(.policy(.collectionView)) < mean(.policy(.operationQueue)))
        }
    }

    @Test("odd traces and origins give valid shares")
    func odd() {
        let layout = LayoutOptions(kind: .grid(itemWidth: 200, itemHeight: 180))
        let size = Size(width: 0, height: 0)
        let none = Trace(name: "none", itemCount: 0, viewport: size, layout: layout, samples: [])
        let wild = Trace(
            name: "wild", itemCount: 1, viewport: Size(width: 1e6, height: 1e6), layout: layout,
            samples: [
                ScrollSample(time: 5, scrollTop: -1e12), ScrollSample(time: 5, scrollTop: 1e12),
                ScrollSample(time: 1e5, scrollTop: 0),
            ])
        let origins = [
            Origin(latency: .nan, jitter: .infinity, bandwidth: -1, concurrency: 0, roundTrip: -5, sampleInterval: 0)
        ]
        let players = PolicyName.allCases.map(Replay.Player.policy) + [.oracle]
        let results = Replay.run([none, wild], players, origins)
        #expect(results.count == 2 * players.count)
        #expect(results.allSatisfy { (0...1).contains($0.score.blankShare) })
    }
}
