import TaskPool
import Testing

@Suite
struct HostTests {
    @Test(
        "each status has its outcome for the host",
        arguments: [
            (200, FetchReport.Outcome.whole), (206, .whole), (304, .whole), (404, .gone), (410, .gone),
            (429, .throttled), (503, .overloaded), (500, .broken), (504, .broken), (408, .broken), (425, .broken),
            (403, .refused), (302, .refused), (0, .refused), (-1, .refused),
        ])
    func status(status: Int, outcome: FetchReport.Outcome) {
        #expect(FetchReport.Outcome(status: status) == outcome)
    }

    @Test("retry delays double up to a maximum, and the attempts are limited")
    func backoff() {
        var policy = RetryPolicy()
        policy.attempts = 100
        let broken = FetchReport(.broken)
        let waits = (1...8).map { policy.delay(after: broken, failed: $0, random: 1) }
        #expect(waits == [250, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000])
        #expect(policy.delay(after: broken, failed: 3, random: 0) == 0)
        #expect(policy.delay(after: broken, failed: 3, random: 0.25) == 250)
        #expect(policy.delay(after: broken, failed: .max, random: 0) == nil)
        #expect(policy.delay(after: FetchReport(.refused), failed: 1, random: 0) == nil)
        #expect(policy.delay(after: broken, failed: 1, random: .nan) == 125)
    }

    @Test("Retry-After is a minimum delay, and a too long one prevents the retry")
    func retryAfter() {
        let policy = RetryPolicy()
        let asked = FetchReport(.overloaded, retryAfter: 5_000)
        #expect(policy.delay(after: asked, failed: 1, random: 0.4) == 5_100)
        #expect(policy.delay(after: FetchReport(.overloaded, retryAfter: 31_000), failed: 1, random: 0) == nil)
    }

    @Test(
        "a breaker opens after consecutive failures, probes after a pause, and doubles the pause after each failed probe"
    )
    func breaker() {
        var breaker = CircuitBreaker()
        for _ in 0..<4 { breaker.fail(now: 0, random: 0) }
        breaker.succeed()
        for _ in 0..<4 { breaker.fail(now: 0, random: 0) }
        #expect(breaker.state == .closed)
        breaker.fail(now: 100, random: 0.4)
        #expect(breaker.state == .open(until: 2_300))
        breaker.pass(to: 2_299)
        #expect(breaker.state == .open(until: 2_300))
        breaker.pass(to: 2_300)
        #expect(breaker.state == .probing)
        breaker.fail(now: 3_000, random: 0)
        #expect(breaker.state == .open(until: 7_000))
        for _ in 0..<20 {
            breaker.pass(to: .infinity)
            breaker.fail(now: 0, random: 0)
        }
        #expect(breaker.state == .open(until: 120_000))
        breaker.pass(to: 120_000)
        breaker.succeed()
        #expect(breaker.state == .closed)
    }

    @Test("a silent host pauses after one time-out, a known one after two consecutive ones")
    func timeouts() {
        func take(_ governor: inout HostGovernor, _ report: FetchReport) -> Double? {
            governor.take(report, failed: 1, inFlight: 1, now: 0, random: 0)
        }
        let (silence, answer) = (FetchReport(.timedOut), FetchReport(.gone, waited: 5))
        var dead = HostGovernor()
        #expect(take(&dead, silence) == nil && dead.limit(now: 0) == 0)
        #expect(dead.limit(now: 2_000) == 1, "it is probed")
        var slow = HostGovernor()
        for _ in 0..<3 {
            #expect(take(&slow, answer) == nil)
            #expect(take(&slow, silence) == nil && slow.limit(now: 0) > 0)
        }
        #expect(take(&slow, silence) == nil && slow.limit(now: 0) == 0)
    }

    @Test("a 429 pauses the host for its Retry-After, a 503 only if a second one follows")
    func rests() {
        func take(_ governor: inout HostGovernor, _ outcome: FetchReport.Outcome, at now: Double) {
            let asked = outcome == .whole ? nil : 3_000.0
            let report = FetchReport(outcome, waited: 5, bytes: 1_000, retryAfter: asked)
            _ = governor.take(report, failed: 1, inFlight: 2, now: now, random: 0.5)
        }
        var throttled = HostGovernor()
        take(&throttled, .throttled, at: 100)
        #expect(throttled.limit(now: 3_099) == 0 && throttled.limit(now: 3_100) >= 1)
        var overloaded = HostGovernor()
        for now in [100.0, 300, 500] {
            take(&overloaded, .overloaded, at: now)
            take(&overloaded, .whole, at: now + 100)
        }
        #expect(overloaded.limit(now: 700) >= 1)
        take(&overloaded, .overloaded, at: 700)
        #expect(overloaded.limit(now: 700) >= 1)
        take(&overloaded, .overloaded, at: 710)
        #expect(overloaded.limit(now: 3_709) == 0 && overloaded.limit(now: 3_710) >= 1)
    }

    @Test("the meter measures the cost of a new connection and the time from last byte to picture")
    func overheads() {
        var meter = NetworkMeter()
        #expect(meter.connectTime == 0)
        meter.connected(isNew: true, waited: 320)
        #expect(meter.connectTime == 0, "nothing to compare with yet")
        for wait in [90, 100, 110.0, -.infinity, .nan] { meter.connected(isNew: false, waited: wait) }
        #expect(abs(meter.connectTime - 228) < 5)
        for _ in 0..<100 { meter.rendered(in: 25) }
        meter.rendered(in: .nan)
        #expect(abs(meter.renderTime - 25) < 1)
    }

    @Test("the meter estimates latency, bandwidth and picture size from fetches")
    func meter() {
        var meter = NetworkMeter()
        var now = 0.0
        for _ in 0..<200 {
            // Two at a time over 1,000 bytes a millisecond, 20 kB each, then nothing for a while.
            meter.began(afterWaiting: 30, now: now)
            meter.began(afterWaiting: 50, now: now)
            for _ in 0..<2 {
                meter.received(20_000, now: now + 40)
                meter.ended(received: 20_000, whole: true, now: now + 40)
            }
            now += 100
        }
        #expect(abs(meter.bandwidth - 1_000) < 30)
        #expect(abs(meter.latency - 40) < 2)
        #expect(abs(meter.itemBytes - 20_000) < 100)
        meter.ended(received: .nan, whole: true, now: .nan)
        meter.began(afterWaiting: -1, now: -.infinity)
        #expect(meter.bandwidth.isFinite && meter.latency.isFinite)
    }

    @Test("the meter recognises a slow link before the first picture is complete")
    func narrowLink() {
        var meter = NetworkMeter(bandwidth: 3_125)
        for _ in 0..<12 { meter.began(afterWaiting: 30, now: 0) }
        // All at once, a twelfth of 125 bytes a millisecond each: whole after 4.8 s.
        for now in stride(from: 10.0, through: 4_800, by: 10) {
            for _ in 0..<12 { meter.received(1_250 / 12, now: now) }
            if now >= 2_000 { #expect(abs(meter.bandwidth - 125) < 125 * 0.4, "\(meter.bandwidth) after \(now) ms") }
        }
        for _ in 0..<12 { meter.ended(received: 50_000, whole: true, now: 4_800) }
        #expect(abs(meter.bandwidth - 125) < 125 * 0.05, "\(meter.bandwidth)")
    }
}
