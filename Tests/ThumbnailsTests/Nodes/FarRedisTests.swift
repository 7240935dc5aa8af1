import Cluster
import ServerFixtures
import TestSupport
import Testing
import Thumbnails

@Suite("A distant Redis", .serialized, .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(2)))
struct FarRedisTests {
    private func isReady(_ outcomes: [Int: ThumbnailService.Outcome]) -> Bool {
        outcomes.values.allSatisfy { (try? $0.get()) != nil }
    }

    @Test("two nodes with a Redis 30 ms away download each picture once")
    func near() async throws {
        let fixture = try await NodesFixture(latency: 100, distance: 30)
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        let items = Array(0..<24)
        async let first = a.thumbnails(of: items)
        async let second = b.thumbnails(of: items)
        let (mine, yours) = await (first, second)
        #expect(isReady(mine) && isReady(yours))
        #expect(try await fixture.requests() == Dictionary(uniqueKeysWithValues: items.map { ($0, 1) }))
        #expect(a.shared.counts.led + b.shared.counts.led == items.count)
        await fixture.stop()
    }

    @Test("pictures arrive without sharing if Redis takes twice the reply timeout")
    func far() async throws {
        var times = RedisTimes.patient
        times.reply = .milliseconds(100)
        let fixture = try await NodesFixture(["a"], times: times, distance: 200)
        let a = fixture.nodes[0]
        #expect(isReady(await a.thumbnails(of: Array(0..<40))))
        #expect(a.shared.counts.alone == 40 && a.shared.counts.led == 0)
        await fixture.stop()
    }
}
