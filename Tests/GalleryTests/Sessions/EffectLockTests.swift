import Gallery
import Synchronization
import TestSupport
import Testing
import Threads

@Suite("Effects of a locked state", .timeLimit(.minutes(1)))
struct EffectLockTests {
    /// Counts changes. The effect of a change is its number.
    private final class Counter: Sendable {
        struct Numbers: Effects {
            var all: [Int] = []
            var isEmpty: Bool { all.isEmpty }
        }

        struct State: EffectfulState {
            var last = 0
            var effects = Numbers()
        }

        private let state = EffectLock(State())
        let carriedOut = Mutex<[Int]>([])
        /// Number of threads that carry out effects now, and its maximum.
        let carriers = Atomic(0)
        let maximumCarriers = Atomic(0)
        /// Blocks the thread that carries out the first change.
        let gate: TestGate?

        init(gate: TestGate? = nil) { self.gate = gate }

        /// - Parameter follower: Whether carrying out the change makes another one.
        func count(follower: Bool = false) {
            state.update(carryingOut: { carryOut($0, follower: follower) }) { state in
                state.last += 1
                state.effects.all.append(state.last)
            }
        }

        private func carryOut(_ numbers: Numbers, follower: Bool) {
            let now = carriers.add(1, ordering: .relaxed).newValue
            _ = maximumCarriers.max(now, ordering: .relaxed)
            if numbers.all.contains(1) { gate?.pass() }
            if follower, numbers.all.contains(where: { $0 % 10 == 0 }) { count() }
            carriedOut.withLock { $0 += numbers.all }
            carriers.subtract(1, ordering: .relaxed)
        }
    }

    @Test("effects run one at a time and in order, and none is lost")
    func order() async throws {
        let (count, each) = (8, 1000)
        let counter = Counter()
        let threads = BlockingThreads("test", count: count, limit: count)
        try await withThrowingTaskGroup { group in
            for thread in 0..<count {
                group.addTask {
                    try await threads.run { for _ in 0..<each { counter.count(follower: thread % 2 == 0) } }
                }
            }
            try await group.waitForAll()
        }
        let carriedOut = counter.carriedOut.withLock { $0 }
        #expect(carriedOut.count >= count * each)
        #expect(carriedOut == Array(1...carriedOut.count))
        #expect(counter.maximumCarriers.load(ordering: .relaxed) == 1)
    }

    @Test("threads leave their effects to the thread that already runs effects")
    func leaving() async throws {
        let gate = TestGate()
        let counter = Counter(gate: gate)
        let threads = BlockingThreads("test", count: 1, limit: 1)
        async let first: Void = threads.run { counter.count() }
        await gate.arrival()
        for _ in 0..<100 { counter.count() }
        #expect(counter.carriedOut.withLock { $0 }.isEmpty)
        gate.open()
        try await first
        #expect(counter.carriedOut.withLock { $0 } == Array(1...101))
        counter.count()
        #expect(counter.carriedOut.withLock { $0 }.last == 102)
    }
}
