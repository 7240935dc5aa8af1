import TaskPool
import Testing

/// Downloads that fail, and hosts.
@Suite
struct FailingTests: DrivesCore {
    @Test("a broken fetch is retried up to three times, and holds no slot between the attempts")
    func retries() throws {
        var core = pool(fetch: 1)
        var ticket = try #require(missing(&core, core.want(wants([1, 2], visible: true), session: a, now: 0)).first)
        let broken = FetchReport(.broken, waited: 10)
        let next = core.finish(ticket, .failed, fetch: broken, random: 0.5, now: 1_000)
        #expect(missing(&core, next).map(\.key) == [2])
        #expect(core.nextWake == 1_125)
        #expect(core.wake(now: 1_124).isEmpty)
        _ = core.wake(now: 1_125)
        #expect(core.counts.waiting == 0)
        var wanted = core.want(wants([1], visible: true), session: a, now: 1_200)
        #expect(wanted.count == 1)
        if case .abort(let two)? = wanted.first { wanted = core.finish(two, .cancelled, now: 1_200) }
        ticket = try #require(missing(&core, wanted).first)
        #expect(core.finish(ticket, .failed, fetch: broken, random: 0.5, now: 2_000).isEmpty)
        ticket = try #require(missing(&core, core.wake(now: 2_250)).first)
        let end = core.finish(ticket, .failed, fetch: broken, random: 0.5, now: 3_000)
        #expect(end == [.finished(ticket, sessions: [a], ready: false)])
        #expect(core.counts.retries == 2)
    }

    @Test("a task that waits for its retry is dropped if no session wants it")
    func restingCancelled() throws {
        var core = pool(fetch: 1)
        let ticket = try #require(missing(&core, core.want(wants([1], visible: true), session: a, now: 0)).first)
        _ = core.finish(ticket, .failed, fetch: FetchReport(.broken, waited: 1), now: 0)
        #expect(core.end(session: a, now: 0).count == 1)
        #expect(core.nextWake == nil)
        #expect(core.isIdle)
    }

    @Test("an unknown host starts with eight concurrent fetches")
    func unknownHost() {
        var core = TaskPoolCore<Int>(limits: TaskPoolLimits())
        #expect(missing(&core, core.want(wants(0..<40, visible: true), session: a, now: 0)).count == 8)
        #expect(core.fetchLimit(host: 0) == 8)
    }

    @Test("a missing picture is not retried")
    func notThere() throws {
        var core = pool()
        let ticket = try #require(missing(&core, core.want(wants([1], visible: true), session: a, now: 0)).first)
        let actions = core.finish(ticket, .failed, fetch: FetchReport(.gone, waited: 1), now: 0)
        #expect(actions == [.finished(ticket, sessions: [a], ready: false)])
    }

    @Test("a timed-out fetch is not retried, and its silent host pauses")
    func silentHost() throws {
        var core = pool(fetch: 1)
        let failFast = [PoolWant(key: 9, visible: true, waitsForHost: false)]
        let first = try #require(missing(&core, core.want(wants(0..<5, visible: true), session: a, now: 0)).first)
        #expect(missing(&core, core.want(failFast, session: b, now: 0)).isEmpty)
        let end = core.finish(first, .failed, fetch: FetchReport(.timedOut), random: 0, now: 10_000)
        #expect(end.first == .finished(first, sessions: [a], ready: false))
        #expect(end.contains(.refused(9, session: b, until: 12_000)))
        #expect(core.counts.started.fetch == 1 && core.counts.retries == 0)
        #expect(missing(&core, core.wake(now: 12_000)).map(\.key) == [1])
    }

    @Test("a failing host pauses, gets one probe, and is used again if the probe succeeds")
    func restingHost() throws {
        var core = pool(fetch: 4)
        var running = missing(&core, core.want(wants(0..<40, visible: true), session: a, now: 0))
        let dead = FetchReport(.broken)
        var now = 0.0
        while !running.isEmpty {
            now += 1
            running += missing(&core, core.finish(running.removeFirst(), .failed, fetch: dead, random: 0, now: now))
        }
        #expect(core.fetchLimit(host: 0) == 0)
        #expect(core.counts.started.fetch < 12)
        for _ in 0..<100 where running.isEmpty {
            now = try #require(core.nextWake)
            running = missing(&core, core.wake(now: now))
        }
        #expect(running.count == 1)
        #expect(now >= 2_000)
        let good = FetchReport(.whole, waited: 10, bytes: 1_000)
        let after = missing(&core, core.finish(running[0], .ready, fetch: good, now: now + 50))
        #expect(!after.isEmpty)
        #expect(core.fetchLimit(host: 0) >= 1)
    }

    @Test("a host that failures paused states its error and can be probed at once, unless it requested the pause")
    func probe() {
        var core = pool(fetch: 4)
        var running = missing(&core, core.want(wants(0..<40, visible: true), session: a, now: 0))
        let dead = FetchReport(.broken, reason: "the origin refused the connection")
        while !running.isEmpty {
            running += missing(&core, core.finish(running.removeFirst(), .failed, fetch: dead, random: 0, now: 1))
        }
        #expect(core.pause(host: 0, now: 10) ?? 0 > 1_000)
        #expect(core.failure(host: 0) == "the origin refused the connection")
        let probes = missing(&core, core.probe(host: 0, now: 10))
        #expect(probes.count == 1)
        #expect(core.fetchLimit(host: 0) == 1)
        let busy = FetchReport(.throttled, waited: 5, retryAfter: 3_000)
        _ = core.finish(probes[0], .failed, fetch: busy, random: 0, now: 20)
        #expect(missing(&core, core.probe(host: 0, now: 30)).isEmpty)
        #expect(core.fetchLimit(host: 0) == 0)
    }

    @Test("Retry-After pauses one host for that time and no other host")
    func retryAfter() throws {
        var core = pool(fetch: 2)
        let list = (0..<6).map { PoolWant(key: $0, host: $0 % 2, visible: true) }
        let running = missing(&core, core.want(list, session: a, now: 0))
        #expect(running.map(\.host) == [0, 1])
        let busy = FetchReport(.throttled, waited: 5, retryAfter: 3_000)
        let next = missing(&core, core.finish(running[0], .failed, fetch: busy, random: 0, now: 100))
        #expect(next.map(\.host) == [1])
        #expect(core.fetchLimit(host: 0) == 0)
        #expect(core.nextWake == 3_100)
        let then = missing(&core, core.finish(next[0], .ready, fetch: FetchReport(.whole, waited: 5), now: 200))
        #expect(then.map(\.host) == [1])
        let end = missing(&core, core.finish(then[0], .ready, fetch: FetchReport(.whole, waited: 5), now: 300))
        #expect(end.isEmpty)
        #expect(missing(&core, core.wake(now: 3_100)).map(\.key) == [0])
    }
}
