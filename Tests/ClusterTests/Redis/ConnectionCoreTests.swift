import Cluster
import TestSupport
import Testing

@Suite("Connection states in virtual time")
struct ConnectionCoreTests {
    private func open(at now: ContinuousClock.Instant = .after(.zero)) -> ConnectionCore {
        var core = ConnectionCore(now: .after(.zero))
        #expect(core.tick(now: now, random: 0) == .connect)
        #expect(core.connected() == .greet)
        core.greeted()
        return core
    }

    @Test("a connection opens only after its greeting")
    func opens() {
        var core = ConnectionCore(now: .after(.zero))
        #expect(!core.isOpen)
        #expect(core.tick(now: .after(.zero), random: 0) == .connect)
        #expect(core.isOpening)
        #expect(core.tick(now: .after(.microseconds(499_999)), random: 0) == nil)
        #expect(core.connected() == .greet)
        #expect(!core.isOpen)
        core.greeted()
        #expect(core.isOpen)
        #expect(core.nextChange == nil)
    }

    @Test("a connection that is not greeted within half a second is closed")
    func greetingIsLate() {
        var core = ConnectionCore(now: .after(.zero))
        _ = core.tick(now: .after(.zero), random: 0)
        #expect(core.nextChange == .after(.milliseconds(500)))
        _ = core.connected()
        #expect(core.tick(now: .after(.milliseconds(500)), random: 0) == .close)
        #expect(!core.isOpening)
    }

    @Test("a connection is closed 100 ms after its oldest unanswered command")
    func oldestIsLate() {
        var core = open()
        core.sent(now: .after(.microseconds(10)))
        core.sent(now: .after(.milliseconds(60)))
        #expect(core.nextChange == .after(.microseconds(100_010)))
        core.replied()
        #expect(core.tick(now: .after(.microseconds(100_010)), random: 0) == nil)
        #expect(core.nextChange == .after(.milliseconds(160)))
        #expect(core.tick(now: .after(.milliseconds(160)), random: 0) == .close)
        #expect(core.inFlight == 0)
    }

    @Test("a connection without unanswered commands has no deadline")
    func many() {
        var core = open()
        for step in 0..<5_000 {
            core.sent(now: .after(.microseconds(step * 10)))
            if step % 3 != 0 { core.replied() }
        }
        while core.inFlight > 0 { core.replied() }
        core.replied()
        #expect(core.nextChange == nil)
    }

    @Test("retry pauses double from 200 ms to 2 s, with up to half of jitter")
    func pausesDouble() {
        var core = ConnectionCore(now: .after(.zero))
        var now = ContinuousClock.Instant.after(.zero)
        var pauses: [Double] = []
        for _ in 0..<6 {
            #expect(core.tick(now: now, random: 0) == .connect)
            core.lost(now: now, random: 1.0.nextDown)
            let due = core.nextChange ?? now
            pauses.append(((due - now) / .milliseconds(10)).rounded() * 10)
            #expect(core.tick(now: due - .nanoseconds(1), random: 0) == nil)
            now = due
        }
        #expect(pauses == [200, 400, 800, 1_600, 2_000, 2_000])
        _ = core.tick(now: now, random: 0)
        core.lost(now: now, random: 0)
        #expect(core.nextChange == now + .seconds(1))
    }

    @Test("a reply in time ends a series of failures, and a greeting does not")
    func slowServer() {
        var core = open()
        core.sent(now: .after(.zero))
        #expect(core.tick(now: .after(.milliseconds(100)), random: 0) == .close)
        #expect(core.tick(now: .after(.milliseconds(200)), random: 0) == .connect)
        core.sent(now: .after(.milliseconds(200)))
        core.replied()
        core.greeted()
        core.sent(now: .after(.milliseconds(200)))
        #expect(core.tick(now: .after(.milliseconds(300)), random: 0) == .close)
        #expect(core.nextChange == .after(.milliseconds(500)))
        _ = core.tick(now: .after(.milliseconds(500)), random: 0)
        core.greeted()
        core.sent(now: .after(.milliseconds(500)))
        core.replied()
        core.lost(now: .after(.milliseconds(500)), random: 0)
        #expect(core.nextChange == .after(.milliseconds(600)))
    }

    @Test("losing a lost connection changes nothing")
    func lostTwice() {
        var core = open()
        let wasThere = core.lost(now: .after(.zero), random: 0)
        let due = core.nextChange
        let isStillThere = core.lost(now: .after(.microseconds(50)), random: 0)
        #expect(wasThere && !isStillThere)
        #expect(core.nextChange == due)
    }
}
