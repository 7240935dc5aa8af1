import Glibc
import Numbers
import TaskPool
import Testing

@Suite
struct AdaptiveLimitTests {
    /// A host in virtual time: so many fetches at once get their first byte after `latency`, the others queue at the
    /// host; the bytes share `bandwidth`. Of all fetches a share of `cancelled` ends early, at any moment of their lives.
    /// Keeps as many in flight as `limit` allows; returns the limit after each fetch.
    private func run(
        _ limit: inout AdaptiveLimit, fetches: Int, latency: Double, bandwidth: Double, capacity: Int,
        overloadAbove: Int = .max, cancelled: Double = 0, jitter: ClosedRange<Double> = 1...1
    ) -> [Int] {
        struct Flight { var asked: Double, delay: Double, begins = Double.infinity, left: Double, leaves: Double }
        var random = SeededRandom(seed: 9)
        var flights: [Flight] = []
        var now = 0.0
        var done: [Int] = []
        while done.count < fetches {
            while flights.count < limit.limit {
                let isDoomed = Double.random(in: 0..<1, using: &random) < cancelled
                flights.append(
                    Flight(
                        asked: now, delay: latency * Double.random(in: jitter, using: &random),
                        left: Double.random(in: 20_000...80_000, using: &random),
                        leaves: isDoomed ? now + Double.random(in: 0..<latency, using: &random) : .infinity))
            }
            var served = flights.count { $0.begins < .infinity }
            for index in flights.indices where flights[index].begins == .infinity && served < capacity {
                flights[index].begins = now + flights[index].delay
                served += 1
            }
            if flights.count > overloadAbove { limit.overload() }
            let step = 2.0
            now += step
            // The pool fills a slot at once, this loop only at its next step.
            let taken = flights.count
            flights.removeAll { $0.leaves <= now }
            let active = flights.indices.filter { flights[$0].begins <= now }
            for index in active { flights[index].left -= step * bandwidth / Double(active.count) }
            for index in flights.indices.reversed() where flights[index].left <= 0 && flights[index].begins <= now {
                let flight = flights.remove(at: index)
                limit.succeed(waited: flight.begins - flight.asked, took: now - flight.asked, inFlight: taken)
                done.append(limit.limit)
            }
        }
        return done
    }

    @Test("the limit rises to its maximum if latency is the only cost")
    func climbs() {
        var settings = AdaptiveLimit.Settings()
        settings.initial = 4
        var limit = AdaptiveLimit(settings)
        let limits = run(&limit, fetches: 1_500, latency: 150, bandwidth: 12_500, capacity: 1_000)
        #expect(limit.limit == 16)
        #expect((limits.firstIndex(of: 16) ?? .max) < 800)
    }

    @Test("cancelled fetches do not lower the limit")
    func climbsWhileCancelling() {
        var settings = AdaptiveLimit.Settings()
        settings.maximum = 32
        var limit = AdaptiveLimit(settings)
        let limits = run(
            &limit, fetches: 4_000, latency: 80, bandwidth: 1e6, capacity: 1_000, cancelled: 0.6, jitter: 0.5...1.8)
        #expect((limits.firstIndex { $0 >= 28 } ?? .max) < 800)
        #expect(limits.suffix(3_000).count { $0 >= 24 } > 2_900)
    }

    @Test("random latency lowers a maximum limit less than ten times in 60,000 fetches")
    func chance() {
        var lowered = 0
        for seed in 1...20 as ClosedRange<UInt64> {
            var random = SeededRandom(seed: seed)
            var limit = AdaptiveLimit()
            for _ in 0..<3_000 {
                let before = limit.limit
                let waited = 150 * exp(0.35 * random.normals().0)
                limit.succeed(waited: waited, took: waited + 10, inFlight: limit.limit)
                if limit.limit < before { lowered += 1 }
            }
        }
        #expect(lowered < 10)
    }

    @Test("the limit rises in bursts, and fetches below the limit do not count")
    func climbsInBursts() {
        var limit = AdaptiveLimit()
        for _ in 0..<20 {
            for _ in 0..<12 { limit.succeed(waited: 150, took: 155, inFlight: limit.limit) }
            for _ in 0..<6 { limit.succeed(waited: 150, took: 155, inFlight: 2) }
        }
        #expect(limit.limit == 16)
    }

    @Test("a raised limit is lowered again if the link is saturated")
    func stays() {
        var limit = AdaptiveLimit()
        let limits = run(&limit, fetches: 4_000, latency: 30, bandwidth: 1_250, capacity: 1_000)
        #expect(limits.contains { $0 > 6 })
        let high = limits.suffix(3_000).count { $0 > 10 }
        #expect(high < 600)
    }

    @Test("the limit falls when first bytes begin to queue")
    func falls() {
        var settings = AdaptiveLimit.Settings()
        settings.initial = 3
        settings.maximum = 64
        var limit = AdaptiveLimit(settings)
        let limits = run(&limit, fetches: 6_000, latency: 100, bandwidth: 1e6, capacity: 4)
        #expect(limits.max() ?? 0 < 24)
        #expect(limits.suffix(1_000).max() ?? 0 <= 16)
    }

    @Test("the limit stays near the host's number of slots", arguments: [0, 0.3])
    func knee(cancelled: Double) {
        var limit = AdaptiveLimit()
        let limits = run(
            &limit, fetches: 3_000, latency: 80, bandwidth: 1e6, capacity: 8, cancelled: cancelled, jitter: 0.5...1.8)
        let tail = limits.suffix(2_500)
        #expect(tail.count { (7...11).contains($0) } > 2_300)
    }

    @Test("a short rise of latency lowers the limit only for a short time")
    func recovers() {
        func round(_ limit: inout AdaptiveLimit, waited: Double) {
            let before = limit.limit
            for _ in 0..<100 where limit.limit == before {
                limit.succeed(waited: waited, took: waited + 80, inFlight: limit.limit)
            }
        }
        var settings = AdaptiveLimit.Settings()
        settings.maximum = 8
        var limit = AdaptiveLimit(settings)
        for _ in 0..<4 { round(&limit, waited: 80) }
        round(&limit, waited: 300)
        #expect(limit.limit == 6)
        for _ in 0..<2 { round(&limit, waited: 80) }
        #expect(limit.limit == 8)
        round(&limit, waited: 300)
        #expect(limit.limit == 6)
        var seen: [Int] = []
        for _ in 0..<10 {
            round(&limit, waited: 300)
            seen.append(limit.limit)
        }
        #expect(seen.suffix(4).allSatisfy { $0 == 8 })
    }

    @Test("the limit stays near the number above which the host responds 503")
    func overload() {
        var settings = AdaptiveLimit.Settings()
        settings.initial = 16
        var limit = AdaptiveLimit(settings)
        let limits = run(
            &limit, fetches: 3_000, latency: 100, bandwidth: 12_500, capacity: 1_000, overloadAbove: 6)
        let tail = limits.suffix(2_000)
        #expect(tail.count { $0 <= 6 } > 1_400)
        #expect((tail.min() ?? 0) >= 2)
    }

    @Test("the limit stays within its bounds for any reports")
    func bounds() {
        var settings = AdaptiveLimit.Settings()
        settings.initial = 1_000
        settings.minimum = -4
        settings.maximum = 5
        var limit = AdaptiveLimit(settings)
        #expect(limit.limit == 5)
        for _ in 0..<100 { limit.overload() }
        #expect(limit.limit == 2)
        limit.succeed(waited: .nan, took: .nan, inFlight: 0)
        for i in 0..<10_000 { limit.succeed(waited: 1, took: 1 + Double(i % 7), inFlight: 99) }
        #expect((1...5).contains(limit.limit))
    }
}
