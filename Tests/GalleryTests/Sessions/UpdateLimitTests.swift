import Gallery
import Numbers
import Synchronization
import Testing
import Threads

@Suite("How often a session may be changed", .timeLimit(.minutes(1)))
struct UpdateLimitTests {
    @Test("a second's worth goes at once, then as many as come back; waiting long saves up no more")
    func burst() {
        let limit = UpdateLimit(rate: 10)
        func taken(at time: Double) -> Int { (0..<100).prefix { _ in limit.take(at: time) == nil }.count }
        #expect(taken(at: 0) == 10)
        let wait = limit.take(at: 0)
        #expect(abs((wait ?? 0) - 100) < 0.01)
        #expect(limit.take(at: 99) != nil)
        #expect([taken(at: 101), taken(at: 501), taken(at: 1e9)] == [1, 4, 10])
    }

    @Test("a rate below one lets one pass at once")
    func slow() {
        let limit = UpdateLimit(rate: 0.5)
        #expect(limit.take(at: 0) == nil)
        #expect(limit.take(at: 1999) != nil)
        #expect(limit.take(at: 2001) == nil)
    }

    @Test("whatever the times, no more pass than a bucket holds and gets back, and who waits as told passes")
    func bound() {
        for seed in 1...20 {
            var random = SeededRandom(seed: UInt64(seed))
            let rate = Double(1 + random.below(100))
            let limit = UpdateLimit(rate: rate)
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

    @Test("many threads together take no more than there is")
    func threads() async throws {
        final class Shared: Sendable {
            let limit = UpdateLimit(rate: 1000)
            let passed = Atomic(0)
        }
        let shared = Shared()
        let threads = BlockingThreads("test", count: 8, limit: 8)
        try await withThrowingTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    try await threads.run {
                        for _ in 0..<1000 where shared.limit.take(at: 5) == nil {
                            shared.passed.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(shared.passed.load(ordering: .relaxed) == 1000)
    }
}
