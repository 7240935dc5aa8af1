import Cluster
import Testing

@Suite("A connection's life, in virtual time")
struct ConnectionCoreTests {
    private func open(at now: Int64 = 0) -> ConnectionCore {
        var core = ConnectionCore()
        #expect(core.tick(now: now, random: 0) == .connect)
        #expect(core.connected() == .greet)
        core.greeted()
        return core
    }

    @Test("connects at once, is let in, and then takes commands")
    func opens() {
        var core = ConnectionCore()
        #expect(!core.isOpen)
        #expect(core.tick(now: 0, random: 0) == .connect)
        #expect(core.isOpening)
        #expect(core.tick(now: 499_999, random: 0) == nil)
        #expect(core.connected() == .greet)
        #expect(!core.isOpen)
        core.greeted()
        #expect(core.isOpen)
        #expect(core.nextChange == nil)
    }

    @Test("a connection that does not come, or does not let us in, is given up after half a second")
    func greetingIsLate() {
        var core = ConnectionCore()
        _ = core.tick(now: 0, random: 0)
        #expect(core.nextChange == 500_000)
        _ = core.connected()
        #expect(core.tick(now: 500_000, random: 0) == .close)
        #expect(!core.isOpening)
    }

    @Test("the oldest command without a reply decides: at 100 ms the connection is given up")
    func oldestIsLate() {
        var core = open()
        core.sent(now: 10)
        core.sent(now: 60_000)
        #expect(core.nextChange == 100_010)
        core.answered()
        #expect(core.tick(now: 100_010, random: 0) == nil)
        #expect(core.nextChange == 160_000)
        #expect(core.tick(now: 160_000, random: 0) == .close)
        #expect(core.inFlight == 0)
    }

    @Test("a command that is answered leaves nothing to be late, however many went before")
    func many() {
        var core = open()
        for step in 0..<5_000 {
            core.sent(now: Int64(step) * 10)
            if step % 3 != 0 { core.answered() }
        }
        while core.inFlight > 0 { core.answered() }
        core.answered()
        #expect(core.nextChange == nil)
    }

    @Test("pauses double from 200 ms to 2 s, each shortened by as much as half")
    func pausesDouble() {
        var core = ConnectionCore()
        var now: Int64 = 0
        var pauses: [Int64] = []
        for _ in 0..<6 {
            #expect(core.tick(now: now, random: 0) == .connect)
            core.lost(now: now, random: 1.0.nextDown)
            let due = core.nextChange ?? 0
            pauses.append(Int64((Double(due - now) / 1e4).rounded()) * 10)
            #expect(core.tick(now: due - 1, random: 0) == nil)
            now = due
        }
        #expect(pauses == [200, 400, 800, 1_600, 2_000, 2_000])
        _ = core.tick(now: now, random: 0)
        core.lost(now: now, random: 0)
        #expect(core.nextChange == now + 1_000_000)
    }

    @Test("being let in does not end a row of failures, a reply in time does")
    func slowServer() {
        var core = open()
        core.sent(now: 0)
        #expect(core.tick(now: 100_000, random: 0) == .close)
        #expect(core.tick(now: 200_000, random: 0) == .connect)
        core.sent(now: 200_000)
        core.answered()
        core.greeted()
        core.sent(now: 200_000)
        #expect(core.tick(now: 300_000, random: 0) == .close)
        #expect(core.nextChange == 500_000)
        _ = core.tick(now: 500_000, random: 0)
        core.greeted()
        core.sent(now: 500_000)
        core.answered()
        core.lost(now: 500_000, random: 0)
        #expect(core.nextChange == 600_000)
    }

    @Test("losing what is lost changes nothing")
    func lostTwice() {
        var core = open()
        let wasThere = core.lost(now: 0, random: 0)
        let due = core.nextChange
        let isStillThere = core.lost(now: 50, random: 0)
        #expect(wasThere && !isStillThere)
        #expect(core.nextChange == due)
    }
}
