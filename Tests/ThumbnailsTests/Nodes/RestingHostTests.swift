import Cluster
import Media
import TaskPool
import TestSupport
import Testing
import Thumbnails

@Suite(
    "Paused hosts shared by several nodes", .serialized, .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(2)))
struct RestingHostTests {
    private func authority(_ node: NodeFixture) -> String {
        node.locator(0)?.host ?? ""
    }

    /// Whether a single request is refused because its host is paused.
    private func isRefused(_ item: Int, of node: NodeFixture) async -> Bool {
        do throws(ItemFailure) {
            _ = try await node.service.thumbnail(node.key(item), host: node.host)
            return false
        } catch {
            return error.retryAfter != nil
        }
    }

    private func isReady(_ item: Int, of node: NodeFixture) async -> Bool {
        (try? await node.service.thumbnail(node.key(item), host: node.host)) != nil
    }

    private func rest(_ fixture: NodesFixture, milliseconds: Double) async throws {
        let host = authority(fixture.nodes[0])
        fixture.nodes[0].shared.pause(host, for: milliseconds)
        try await rests(host, fixture)
    }

    /// Waits until Redis stores the host's pause.
    private func rests(_ host: String, _ fixture: NodesFixture) async throws {
        try await eventually("a pause of \(host)") {
            try await fixture.redis.say("EXISTS", SharedKeys.rest(of: host)) == "1"
        }
    }

    @Test("a host that fails for one node is paused for the other, which sends it no request")
    func binds() async throws {
        let fixture = try await NodesFixture()
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        await fixture.origin.stop()
        let session = a.service.open { _, _ in }
        a.service.pool.want((0..<8).map { PoolWant(key: a.key($0), host: a.host, visible: true) }, session: session)
        // Longer than any machine needs for its requests.
        try await eventually("a paused host") {
            try await fixture.redis.say("PEXPIRE", SharedKeys.rest(of: authority(a)), "600000") == "1"
        }
        #expect(await isRefused(9, of: b))
        #expect(b.fetcher.counts.started == 0)
        #expect(b.shared.counts.hostPauses == 1)
        await fixture.stop()
    }

    @Test("a paused host's thumbnails in Redis still reach requests and sessions")
    func hidesNothing() async throws {
        let fixture = try await NodesFixture()
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        let made = try #require(try await a.thumbnails(of: [1])[1]?.get().thumbnail)
        try await fixture.holds(1)
        try await rest(fixture, milliseconds: 60_000)
        #expect(await isRefused(2, of: b))
        #expect(await isReady(1, of: b))
        // A session waits for a missing picture. Then another node publishes it.
        let session = b.service.open { _, _ in }
        b.service.pool.want([PoolWant(key: b.key(5), host: b.host, visible: true)], session: session)
        try await eventually("a queued task") { b.service.pool.counts.queued.fetch != 0 }
        a.shared.publish(.thumbnail(made), of: try a.storeKey(5))
        try await fixture.holds(2)
        #expect(await isReady(5, of: b))
        #expect(b.fetcher.counts.started == 0 && b.shared.counts.hits == 2)
        await fixture.stop()
    }

    @Test("waiting pictures arrive after the pause ends")
    func ends() async throws {
        let fixture = try await NodesFixture()
        try await rest(fixture, milliseconds: 2_000)
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        async let answer = b.thumbnails(of: Array(0..<12))
        // Extends the pause until the other node has noticed it.
        try await eventually("a node that notices the pause") {
            a.shared.pause(authority(a), for: 2_000)
            return b.shared.counts.hostPauses > 0
        }
        let outcomes = await answer
        #expect(outcomes.values.allSatisfy { (try? $0.get()) != nil })
        #expect(b.shared.counts.hostPauses >= 1)
        await fixture.stop()
    }

    @Test("the longest of several pauses applies, and an invalid one is ignored")
    func longest() async throws {
        let fixture = try await NodesFixture(["a"])
        let a = fixture.nodes[0]
        for time in [60_000, 1_000, 0, -5, .nan] as [Double] { a.shared.pause("host", for: time) }
        try await rests("host", fixture)
        _ = await a.thumbnails(of: [1])
        let left = Int(try await fixture.redis.say("PTTL", SharedKeys.rest(of: "host"))) ?? 0
        #expect((30_000...60_000).contains(left))
        await fixture.stop()
    }

    @Test("two nodes each get half of a host's limit, and the last node gets all of it")
    func halves() async throws {
        let fixture = try await NodesFixture()
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        try await b.reaches("two nodes") { $0.nodes == 2 }
        try await eventually("half the limit", of: { b.service.pool.fetchLimit(host: 99) }, satisfies: { $0 == 4 })
        await a.shared.shutdown()
        try await b.reaches("one node") { $0.nodes == 1 }
        try await eventually("all of the limit", of: { b.service.pool.fetchLimit(host: 99) }, satisfies: { $0 == 8 })
        await fixture.stop()
    }

    @Test("a dead node stops counting after its time, and the count stays if Redis is unreachable")
    func died() async throws {
        let fixture = try await NodesFixture(["a"])
        let a = fixture.nodes[0]
        /// Registers a node's sign of life, `time` milliseconds from now.
        func speak(in time: Int) async throws {
            let script =
                "local t = redis.call('TIME') return redis.call('ZADD', 'lk1:nodes', t[1] * 1000 + ARGV[1], 'dead')"
            try await fixture.redis.say("EVAL", script, "0", "\(time)")
        }
        try await eventually("two nodes") {
            try await speak(in: -3_000)
            return a.shared.counts.nodes == 2
        }
        try await a.reaches("one node") { $0.nodes == 1 }
        try await speak(in: 600_000)
        try await a.reaches("two nodes") { $0.nodes == 2 }
        fixture.redis.kill()
        try await a.reaches("no server") { $0.reachable == 0 }
        #expect(a.shared.counts.nodes == 2)
        await fixture.stop()
    }
}
