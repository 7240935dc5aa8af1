import Cluster
import ServerFixtures
import TaskPool
import TestSupport
import Testing
import Thumbnails

@Suite(
    "Failures of Redis", .serialized, .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(2)))
struct SickRedisTests {
    private func expectAll(_ outcomes: [Int: ThumbnailService.Outcome]) {
        for (item, outcome) in outcomes {
            if case .failure(let failure) = outcome { Issue.record("\(item): \(failure)") }
        }
    }

    /// Expects both nodes to be ready, and to make each of twenty pictures once.
    private func expectSharing(_ a: NodeFixture, _ b: NodeFixture) async throws {
        try await a.isReady()
        try await b.isReady()
        let led = a.shared.counts.led + b.shared.counts.led
        async let third = a.thumbnails(of: Array(100..<120))
        async let fourth = b.thumbnails(of: Array(100..<120))
        expectAll(await third)
        expectAll(await fourth)
        #expect(a.shared.counts.led + b.shared.counts.led == led + 20)
    }

    @Test("every picture arrives if Redis is killed, and sharing resumes after its restart")
    func killed() async throws {
        let fixture = try await NodesFixture(latency: 20)
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        async let first = a.thumbnails(of: Array(0..<80))
        async let second = b.thumbnails(of: Array(0..<80))
        try await fixture.origin.waitForLog { $0.entries.count > 10 }
        fixture.redis.kill()
        expectAll(await first)
        expectAll(await second)
        try await fixture.redis.restart()
        try await expectSharing(a, b)
        await fixture.stop()
    }

    @Test("every picture arrives while Redis is frozen, and sharing resumes afterwards")
    func frozen() async throws {
        var times = RedisTimes.patient
        times.reply = .milliseconds(500)
        let fixture = try await NodesFixture(latency: 20, times: times)
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        async let first = a.thumbnails(of: Array(0..<80))
        async let second = b.thumbnails(of: Array(0..<80))
        try await fixture.origin.waitForLog { $0.entries.count > 10 }
        fixture.redis.freeze()
        expectAll(await first)
        expectAll(await second)
        #expect(a.shared.counts.alone > 0)
        fixture.redis.thaw()
        try await a.isReady()
        try await b.isReady()
        // One more reply may be late.
        var items = Array(100..<NodeFixture.items)
        try await eventually("a shared picture") {
            guard let item = items.popLast() else { return false }
            let hits = b.shared.counts.hits
            expectAll(await a.thumbnails(of: [item]))
            expectAll(await b.thumbnails(of: [item]))
            return b.shared.counts.hits > hits
        }
        await fixture.stop()
    }

    @Test("every picture arrives after a malformed reply from Redis, and sharing resumes")
    func malformed() async throws {
        let redis = try await RedisServer()
        let line = try TamperedLine(to: redis.port)
        let fixture = try await NodesFixture(latency: 20, url: line.url)
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        async let first = a.thumbnails(of: Array(0..<80))
        async let second = b.thumbnails(of: Array(0..<80))
        try await fixture.origin.waitForLog { $0.entries.count > 10 }
        line.say(Array("+OK\r\n*2147483647\r\n".utf8))
        expectAll(await first)
        expectAll(await second)
        try await expectSharing(a, b)
        await fixture.stop()
    }

    @Test("every picture arrives if Redis is full")
    func full() async throws {
        let fixture = try await NodesFixture(["a"])
        try await fixture.redis.say("CONFIG", "SET", "maxmemory", "1000")
        let a = fixture.nodes[0]
        expectAll(await a.thumbnails(of: Array(0..<20)))
        #expect(a.shared.counts.alone == 20 && a.shared.counts.foreign == 0)
        await fixture.stop()
    }

    @Test("every picture arrives if Redis holds foreign data, and the data is replaced if possible")
    func foreign() async throws {
        let fixture = try await NodesFixture(["a"])
        let a = fixture.nodes[0]
        let bases = try (0..<8).map { try a.base($0) }
        try await fixture.redis.say("SET", "\(bases[0]):t", "a text that is no thumbnail")
        try await fixture.redis.say("SET", "\(bases[1]):n", "a text that is no failure")
        try await fixture.redis.say("SET", "\(bases[2]):f", "a lease that lasts for ever")
        try await fixture.redis.say("LPUSH", "\(bases[3]):t", "a list")
        try await fixture.redis.say("SET", "\(bases[4]):w", "a text that is no set")
        try await fixture.redis.say("LPUSH", "\(bases[5]):f", "a list")
        // Longer than the longest accepted reply.
        try await fixture.redis.say("SETRANGE", "\(bases[6]):t", "9000000", "x")
        try await fixture.redis.say("SETRANGE", "\(bases[7]):n", "9000000", "x")
        expectAll(await a.thumbnails(of: Array(0..<8)))
        #expect(a.shared.counts.foreign >= 2)
        #expect(a.shared.counts.reachable == 1)
        try await eventually("a thumbnail in its place") {
            try await Int(fixture.redis.say("STRLEN", "\(bases[6]):t")) ?? 0 < 9_000_000
        }
        #expect(try await fixture.redis.say("EXISTS", "\(bases[7]):n") == "0")
        await fixture.stop()
    }

    @Test("every picture arrives without Redis")
    func absent() async throws {
        let fixture = try await NodesFixture(["a"])
        fixture.redis.kill()
        try await fixture.nodes[0].reaches("no server") { $0.reachable == 0 }
        expectAll(await fixture.nodes[0].thumbnails(of: Array(0..<40)))
        #expect(fixture.nodes[0].shared.counts.alone == 40)
        await fixture.stop()
    }
}
