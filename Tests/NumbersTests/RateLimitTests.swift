import Numbers
import Testing

@Suite struct RateLimitTests {
    @Test("a burst is limited to one second's operations, even after a long pause")
    func burst() {
        var limit = RateLimit(rate: 10)
        func taken(at time: Double) -> Int { (0..<100).prefix { _ in limit.take(at: time) == nil }.count }
        #expect(taken(at: 0) == 10)
        #expect(limit.take(at: 0) == 100)
        #expect(limit.take(at: 99) != nil)
        #expect([taken(at: 101), taken(at: 501), taken(at: 1e9)] == [1, 4, 10])
    }

    @Test("a rate below one allows one operation in a burst")
    func slow() {
        var limit = RateLimit(rate: 0.5)
        #expect(limit.take(at: 0) == nil)
        #expect(limit.take(at: 1999) != nil)
        #expect(limit.take(at: 2001) == nil)
    }

    @Test("a clock that runs backwards allows no more operations")
    func backwards() {
        var limit = RateLimit(rate: 1)
        #expect(limit.take(at: 1000) == nil)
        #expect(limit.take(at: 0) != nil)
        #expect(limit.take(at: 2000) == nil)
    }

    @Test("at random times, the limit holds and an operation passes after its returned wait")
    func bound() {
        for seed in 1...20 {
            var random = SeededRandom(seed: UInt64(seed))
            let rate = Double(1 + random.below(100))
            var limit = RateLimit(rate: rate)
            var (time, passed) = (0.0, 0)
            for _ in 0..<2000 {
                time += random.uniform(0...20)
                guard let wait = limit.take(at: time) else {
                    passed += 1
                    continue
                }
                #expect(wait > 0)
                guard random.below(2) == 0 else { continue }
                time += wait
                let waited = limit.take(at: time)
                #expect(waited == nil)
                passed += 1
            }
            #expect(Double(passed) <= rate + time / 1000 * rate + 1)
        }
    }
}
