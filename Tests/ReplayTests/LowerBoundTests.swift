import Numbers
import Replay
import Scoring
import TestSupport
import Testing
import Viewport

@Suite(.timeLimit(.minutes(2)))
struct LowerBoundTests {
    /// A slow scroll of 1.2 seconds past five cells in a column, two of them in view.
    private func tiny(_ seed: UInt64) -> Trace {
        var random = SeededRandom(seed: seed)
        var top = 0.0
        let samples = (0..<60).map { step in
            if step > 10 { top += random.uniform(0...20) }
            return ScrollSample(time: Double(step) * 20, scrollTop: top)
        }
        return Trace(
            name: "tiny", itemCount: 5, viewport: Size(width: 100, height: 200),
            layout: LayoutOptions(kind: .grid(itemWidth: 100, itemHeight: 100)), samples: samples)
    }

    /// Starts items in a given order, at most `atOnce` at a time.
    private struct FixedOrder: Chooser {
        var order: [Int]
        let atOnce: Int
        var running = 0
        let nextTick: Double? = nil
        var record: ScrollRecord?

        mutating func fill() -> [Command] {
            let count = min(order.count, atOnce - running)
            running += count
            defer { order.removeFirst(count) }
            return order.prefix(count).map(Command.start)
        }

        mutating func receive(_ sample: ScrollSample, now: Double, received: (Int) -> Double) -> [Command] { fill() }
        mutating func finished(_ item: Int, bytes: Double, now: Double) -> [Command] {
            running -= 1
            return fill()
        }
        mutating func tick(now: Double, received: (Int) -> Double) -> [Command] { [] }
        mutating func began(_ item: Int, afterWaiting delay: Double, isNew: Bool?, now: Double) {}
        mutating func rendered(_ item: Int, now: Double) -> [Command] { [] }
        mutating func aborted(_ item: Int, bytes: Double, began: Bool, now: Double) {}
    }

    /// Every order of every subset.
    private func orders(of items: [Int]) -> [[Int]] {
        [[]] + items.flatMap { item in orders(of: items.filter { $0 != item }).map { [item] + $0 } }
    }

    @Test("the bound is below the best of all schedules and close to it")
    func exhaustive() {
        let origin = Origin(latency: 40, bandwidth: 5, concurrency: 2)
        let orders = orders(of: Array(0..<5))
        #expect(orders.count == 326)
        var (bounds, bests) = (0.0, 0.0)
        for seed in 1...12 {
            let playable = PlayableTrace(tiny(UInt64(seed)))
            var best = 1.0
            for order in orders {
                for atOnce in 1...2 {
                    var simulator = Simulator(
                        playable: playable, origin: origin, chooser: FixedOrder(order: order, atOnce: atOnce))
                    simulator.run()
                    best = min(best, simulator.tally.score.slowBlankShare)
                }
            }
            let bound = LowerBound(playable, origin).slowBlankShare
            #expect(bound <= best + 1e-9)
            bounds += bound
            bests += best
        }
        #expect(bounds > 0.6 * bests, "\(bounds) of \(bests)")
    }

    @Test(
        "no policy beats the bound on any kind of scrolling",
        arguments: Weekly.isOn ? TraceKind.allCases : [.fling, .jump, .mixed])
    func below(kind: TraceKind) {
        for seed in Weekly.isOn ? [31, 32] : [31] as [UInt64] {
            let trace = kind.trace(seed: seed, seconds: 5)
            let others = [Origin(serving: Serving(connecting: 2)), Origin(bandwidth: 100, pictures: .photographs)]
            let origins = Origin.reference + others
            for result in Replay.run([trace], Replay.Player.all, origins) {
                #expect(
                    Replay.bound(trace, result.origin) <= result.score.slowBlankShare + 1e-9,
                    "\(result.trace), \(result.player), \(result.origin)")
            }
        }
    }

    @Test("more bandwidth, more slots or less latency lower the bound")
    func monotone() {
        for kind in Weekly.isOn ? [TraceKind.hunt, .drag, .scan, .mixed] : [.hunt, .mixed] {
            let trace = kind.trace(seed: 33, seconds: 20)
            func falls(_ origins: [Origin]) {
                let bounds = origins.map { Replay.bound(trace, $0) }
                for (less, more) in zip(bounds, bounds.dropFirst()) {
                    #expect(more <= less + 0.003, "\(kind): \(bounds)")
                }
                #expect((bounds.last ?? 1) < (bounds.first ?? 0), "\(kind): \(bounds)")
            }
            falls([2, 5, 10, 25, 100].map { Origin(bandwidth: $0) })
            falls([1, 2, 4, 16].map { Origin(bandwidth: 100, concurrency: $0) })
            falls([400, 150, 80, 10].map { Origin(latency: $0) })
        }
    }

    @Test("the bound of a first screen is the time to reach it")
    func firstScreen() {
        let layout = LayoutOptions(kind: .grid(itemWidth: 100, itemHeight: 100))
        let samples = [0.0, 1_000].map { ScrollSample(time: $0, scrollTop: 0) }
        let trace = Trace(
            name: "x", itemCount: 6, viewport: Size(width: 300, height: 200), layout: layout, samples: samples)
        // Half a round trip there, 100 ms of waiting, half a round trip back; the bytes take next to nothing.
        let bound = Replay.bound(trace, Origin(latency: 100, jitter: 0, bandwidth: 100_000, concurrency: 6))
        #expect((0.115...0.1205).contains(bound))
        #expect(Replay.bound(trace, Origin(latency: 60_000)) == 1)
        #expect(
            Replay.bound(Trace(name: "", itemCount: 0, viewport: trace.viewport, layout: layout, samples: []), Origin())
                == 0)
    }

    @Test(
        "without foreseen jumps only the screen after a jump raises the bound"
    )
    func withoutJumps() {
        let layout = LayoutOptions(kind: .grid(itemWidth: 100, itemHeight: 100))
        func bound(_ samples: [ScrollSample], _ foresight: LowerBound.Foresight) -> Double {
            let trace = Trace(
                name: "x", itemCount: 6_000, viewport: Size(width: 300, height: 200), layout: layout, samples: samples)
            // Half a round trip there, 100 ms of waiting, half a round trip back; the bytes take next to nothing.
            let origin = Origin(latency: 100, jitter: 0, bandwidth: 100_000, concurrency: 6)
            return LowerBound.slowBlankShare(PlayableTrace(trace), origin, foreseeing: foresight)
        }
        func rest(at top: Double, from start: Double, to end: Double, _ phase: ScrollPhase = .idle) -> [ScrollSample] {
            stride(from: start, through: end, by: 50).map { ScrollSample(time: $0, scrollTop: top, phase: phase) }
        }
        let start = rest(at: 0, from: 0, to: 950)
        for phase in [ScrollPhase.jump, .keyboard, .drag] {
            let elsewhere = start + rest(at: 100_000, from: 1_000, to: 2_000, phase)
            // Two screens of six cells wait 120 ms out of 1,000 each. The second screen counts only if the jump is not foreseen.
            #expect(abs(bound(elsewhere, .complete) - 0.06) < 0.01)
            #expect(abs(bound(elsewhere, .withoutJumps) - 0.12) < 0.01)
        }
        // A place within three screens can be guessed.
        let near = start + rest(at: 600, from: 1_000, to: 2_000, .jump)
        #expect(bound(near, .complete) == bound(near, .withoutJumps))
        for kind in [TraceKind.fling, .scan, .read] {
            let playable = PlayableTrace(kind.trace(seed: 34, seconds: 5))
            let bounds = [LowerBound.Foresight.complete, .withoutJumps].map {
                LowerBound.slowBlankShare(playable, Origin(), foreseeing: $0)
            }
            #expect(bounds[0] == bounds[1])
        }
    }

    @Test("no policy beats the bound without jumps", arguments: [TraceKind.jump, .page, .thumb, .mixed])
    func belowWithoutJumps(kind: TraceKind) {
        let trace = kind.trace(seed: 35, seconds: 8)
        let playable = PlayableTrace(trace)
        for origin in Origin.reference {
            let bound = LowerBound.slowBlankShare(playable, origin, foreseeing: .withoutJumps)
            #expect(bound >= LowerBound.slowBlankShare(playable, origin) - 1e-9)
            for policy in PolicyName.allCases {
                #expect(bound <= Replay.run(trace: trace, policy: policy, origin: origin).slowBlankShare + 1e-9)
            }
        }
    }

    @Test("projected prices never rise and never fall below 0")
    func projection() {
        var prices = [1.0, 3, 2, 0.5, -2, 0.5]
        LowerBound.project(&prices)
        #expect(prices == [2, 2, 2, 0.5, 0, 0])
        var random = SeededRandom(seed: 9)
        var many = (0..<500).map { _ in random.uniform(-1...1) }
        LowerBound.project(&many)
        #expect(zip(many, many.dropFirst()).allSatisfy { $0 >= $1 } && (many.last ?? -1) >= 0)
    }
}
