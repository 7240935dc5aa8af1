import Glibc
import TestSupport
import Testing

@Suite("Redis by the name that sentinels know", .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(2)))
struct SentinelTests {
    @Test("the master is killed: every picture comes, and all is shared again through the one that takes its place")
    func failover() async throws {
        let master = try await RedisServer()
        let replica = try await RedisServer([
            "--replicaof", "127.0.0.1", "\(master.port)", "--repl-diskless-sync-delay", "0",
        ])
        let sentinel = try await RedisSentinel(of: master.port, named: "pictures")
        try await eventually("a replica", of: { try await sentinel.replicas(of: "pictures") }, satisfies: { $0 == 1 })
        let fixture = try await NodesFixture(
            latency: 10, url: "redis-sentinel://127.0.0.1:9,127.0.0.1:\(sentinel.port)#pictures")
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        func expectAll(_ items: Range<Int>) async {
            async let first = a.thumbnails(of: Array(items))
            async let second = b.thumbnails(of: Array(items))
            for outcome in await Array(first.values) + Array(second.values) {
                #expect(throws: Never.self) { try outcome.get() }
            }
        }
        await expectAll(0..<10)
        #expect(a.shared.counts.led + b.shared.counts.led == 10)
        master.kill()
        for node in [a, b] { try await node.reaches("no server") { $0.reachable == 0 } }
        await expectAll(10..<20)
        for node in [a, b] { try await node.isReady() }
        try await eventually(
            "a new master", of: { try await replica.say("ROLE") }, satisfies: { $0.hasPrefix("master") })
        for node in [a, b] { try await node.isReady() }
        let led = a.shared.counts.led + b.shared.counts.led
        await expectAll(20..<30)
        #expect(a.shared.counts.led + b.shared.counts.led == led + 10)
        #expect(try await replica.say("DBSIZE") != "0")
        await fixture.stop()
    }

    @Test("where server and sentinel need a password, the one of the URL lets in")
    func password() async throws {
        let master = try await RedisServer(["--requirepass", "open"])
        let sentinel = try await RedisSentinel(of: master.port, named: "pictures", password: "open")
        let fixture = try await NodesFixture(
            latency: 10, url: "redis-sentinel://:open@127.0.0.1:\(sentinel.port)#pictures")
        for outcome in await fixture.nodes[0].thumbnails(of: Array(0..<4)).values {
            #expect(throws: Never.self) { try outcome.get() }
        }
        #expect(fixture.nodes[0].shared.counts.led == 4)
        await fixture.stop()
    }
}
