import Dispatch
import Numbers
import Synchronization
import TestSupport
import Testing
import Threads

@Suite struct TimerQueueTests {
    @Test("a duration of any length fits a poll timeout")
    func longest() {
        #expect(Duration.seconds(Int64.max).pollMilliseconds == .max)
        #expect(Duration.seconds(Int64.min).pollMilliseconds == .min)
        #expect(Duration.nanoseconds(1).pollMilliseconds == 1)
    }

    @Test("setting and cancelling timers again and again uses no more memory")
    func bounded() {
        var queue = TimerQueue<Int>()
        _ = queue.add(at: .after(.seconds(1_000_000)), 0)
        var last: TimerQueue<Int>.ID?
        var maximum = 0
        for time in 0..<10_000 {
            if let last { queue.cancel(last) }
            last = queue.add(at: .after(.seconds(2_000_000 - time)), time)
            maximum = max(maximum, queue.heldCount)
        }
        #expect(queue.count == 2)
        #expect(maximum <= 80)
    }

    @Test("the queue matches a sorted list in any order of operations", arguments: 0..<20)
    func model(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var queue = TimerQueue<Int>()
        var model: [(time: ContinuousClock.Instant, id: TimerQueue<Int>.ID, value: Int)] = []
        for value in 0..<2_000 {
            switch random.next() % 4 {
            case 0, 1:
                let time = ContinuousClock.Instant.after(.seconds(random.next() % 500))
                model.append((time, queue.add(at: time, value), value))
            case 2:
                guard !model.isEmpty else { continue }
                let cancelled = model.remove(at: Int(random.next() % UInt64(model.count))).id
                let waited = [queue.cancel(cancelled), queue.cancel(cancelled)]
                #expect(waited == [true, false])
                let next = queue.next()
                #expect(next == model.map(\.time).min())
            default:
                let now = ContinuousClock.Instant.after(.seconds(random.next() % 500))
                let due = model.filter { $0.time <= now }.min { ($0.time, $0.id) < ($1.time, $1.id) }
                model.removeAll { $0.id == due?.id }
                let found = queue.popFirst(until: now)
                #expect(found == due?.value)
            }
            #expect(queue.count == model.count)
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct TimerThreadTests {
    @Test("an earlier timer fires first, and a cancelled timer never fires")
    func sooner() async {
        let timers = TimerThread()
        let (names, continuation) = AsyncStream.makeStream(of: String.self)
        timers.call(after: .seconds(3_600)) { continuation.yield("late") }
        timers.call(after: .seconds(Int64.max)) { continuation.yield("never") }
        // The gate blocks the timers' thread, so no timer fires before it is cancelled.
        let gate = TestGate()
        timers.call(after: .zero) {
            continuation.yield("now")
            gate.pass()
        }
        await gate.arrival()
        let cancelled = timers.call(after: .milliseconds(1)) { continuation.yield("cancelled") }
        timers.call(after: .milliseconds(2)) { continuation.yield("next") }
        timers.cancel(cancelled)
        gate.open()
        var order: [String] = []
        for await name in names {
            order.append(name)
            if order.count == 2 { break }
        }
        #expect(order == ["now", "next"])
        #expect(timers.count == 2)
    }

    @Test("a timer may set the next one, and none fires after shutdown")
    func chain() async {
        let timers = TimerThread()
        let (numbers, continuation) = AsyncStream.makeStream(of: Int.self)
        @Sendable func again(_ number: Int) {
            continuation.yield(number)
            timers.call(after: .milliseconds(1)) { again(number + 1) }
        }
        again(0)
        for await number in numbers where number == 3 { break }
        timers.shutdown()
        #expect(timers.count == 0)
        timers.call(after: .zero) { continuation.yield(-1) }
        #expect(timers.count == 0)
    }
}
