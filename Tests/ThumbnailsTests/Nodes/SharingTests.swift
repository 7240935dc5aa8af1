import Demo
import Media
import ServerFixtures
import TaskPool
import TestSupport
import Testing
import Thumbnails

@Suite("Several nodes with a real Redis", .serialized, .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(2)))
struct SharingTests {
    private func isReady(_ outcomes: [Int: ThumbnailService.Outcome]) -> Bool {
        outcomes.values.allSatisfy { (try? $0.get()) != nil }
    }

    @Test("three nodes that need the same pictures at once download and render each once")
    func once() async throws {
        let fixture = try await NodesFixture(["a", "b", "c"], latency: 30)
        let nodes = fixture.nodes
        let items = Array(0..<60)
        async let first = nodes[0].thumbnails(of: items)
        async let second = nodes[1].thumbnails(of: items)
        async let third = nodes[2].thumbnails(of: items)
        let outcomes = await [first, second, third]
        for item in items {
            let bytes = try outcomes.map { try $0[item]?.get().thumbnail.bytes }
            #expect(Set(bytes).count == 1 && bytes[0] != nil)
        }
        #expect(try await fixture.requests() == Dictionary(uniqueKeysWithValues: items.map { ($0, 1) }))
        #expect(nodes.map(\.shared.counts.led).reduce(0, +) == items.count)
        #expect(nodes.allSatisfy { $0.shared.counts.alone == 0 })
        #expect(nodes.allSatisfy { $0.service.pool.counts.retries == 0 }, "waiting for another node is not a failure")
        await fixture.stop()
    }

    @Test(
        "a node that joins later uses stored pictures, waits for those in flight and starts the others")
    func behind() async throws {
        let fixture = try await NodesFixture(latency: 40)
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        let items = Array(0..<80)
        async let first = a.thumbnails(of: items)
        try await fixture.origin.waitForLog { $0.entries.count > 20 }
        async let second = b.thumbnails(of: items)
        #expect(isReady(await first))
        #expect(isReady(await second))
        #expect(try await fixture.requests() == Dictionary(uniqueKeysWithValues: items.map { ($0, 1) }))
        #expect(b.shared.counts.hits > 0)
        await fixture.stop()
    }

    @Test("a node downloads nothing that another node has stored")
    func later() async throws {
        let fixture = try await NodesFixture()
        let items = Array(0..<20)
        #expect(isReady(await fixture.nodes[0].thumbnails(of: items)))
        let asked = try await fixture.requests()
        try await fixture.holds(20)
        #expect(isReady(await fixture.nodes[1].thumbnails(of: items)))
        #expect(try await fixture.requests() == asked)
        #expect(fixture.nodes[1].shared.counts.hits == 20)
        await fixture.stop()
    }

    @Test("a node that finds another node's stale thumbnail asks the origin whether it is current")
    func stale() async throws {
        let fixture = try await NodesFixture()
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        var old = try #require(try await a.thumbnails(of: [3])[3]?.get().thumbnail)
        try await fixture.holds(1)
        // A time in 1970 whose bytes are text.
        old.version?.confirmed = Double(bitPattern: 0x4142_4344_4546_4748)
        a.shared.publish(.thumbnail(old), of: try a.storeKey(3))
        let base = try a.base(3)
        try await eventually("the stale thumbnail in Redis") {
            try await fixture.redis.say("GETRANGE", "\(base):t", "0", "7") == "ABCDEFGH"
        }
        let current = try #require(try await b.thumbnails(of: [3])[3]?.get().thumbnail)
        #expect(current.bytes == old.bytes)
        #expect(try #require(current.version?.confirmed) > 1e9)
        #expect(try await fixture.requests() == [3: 2])
        await fixture.stop()
    }

    @Test("a download continues for a waiting node after its own node's sessions have closed")
    func goesOn() async throws {
        let fixture = try await NodesFixture(isHeld: true)
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        let session = a.service.open { _, _ in }
        a.service.pool.want([PoolWant(key: a.key(3), host: a.host, visible: true)], session: session)
        try await fixture.isAsked(for: 3)
        async let outcome = b.thumbnails(of: [3])
        try await a.holds()
        a.service.close(session)
        fixture.held?.release()
        #expect(isReady(await outcome))
        #expect(try await fixture.requests() == [3: 1])
        #expect(b.fetcher.counts.started == 0)
        await fixture.stop()
    }

    @Test("the download is aborted when the last viewer on any node leaves")
    func lastLetsGo() async throws {
        let fixture = try await NodesFixture(latency: 60_000)
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        let mine = a.service.open { _, _ in }
        a.service.pool.want([PoolWant(key: a.key(3), host: a.host, visible: true)], session: mine)
        try await fixture.origin.waitForLog { $0.open == 1 }
        let yours = b.service.open { _, _ in }
        b.service.pool.want([PoolWant(key: b.key(3), host: b.host, visible: true)], session: yours)
        try await a.holds()
        a.service.close(mine)
        b.service.close(yours)
        try await fixture.origin.waitForLog { $0.open == 0 }
        #expect(b.fetcher.counts.started == 0)
        await fixture.stop()
    }

    @Test("a download for a dead node ends, is stored and releases its keys")
    func waiterDied() async throws {
        let fixture = try await NodesFixture(["a"], isHeld: true)
        let a = fixture.nodes[0]
        let base = try a.base(3)
        let session = a.service.open { _, _ in }
        a.service.pool.want([PoolWant(key: a.key(3), host: a.host, visible: true)], session: session)
        try await fixture.isAsked(for: 3)
        try await fixture.redis.say("SADD", "\(base):w", "dead")
        try await fixture.redis.say("PUBLISH", "lk1:n:a", "W \(base)")
        try await a.holds()
        a.service.close(session)
        fixture.held?.release()
        try await fixture.holds(1)
        try await eventually("no work held") { a.sharing.heldCount == 0 }
        #expect(try await fixture.redis.say("EXISTS", "\(base):f", "\(base):w") == "0")
        #expect(try await fixture.requests() == [3: 1])
        #expect(isReady(await a.thumbnails(of: [4])))
        await fixture.stop()
    }

    @Test("a node takes over the download of a dead node when the lease expires")
    func leaderDied() async throws {
        let fixture = try await NodesFixture(["b"])
        let b = fixture.nodes[0]
        let base = try b.base(3)
        let dead = ["SET", "\(base):f", "dead:1:1", "PX", "2000"]
        try await fixture.redis.say(dead)
        async let outcome = b.thumbnails(of: [3])
        // Renews the lease until a node waits for it.
        try await eventually("a waiting node") {
            try await fixture.redis.say(dead + ["XX"])
            return b.shared.counts.waited > 0
        }
        #expect(isReady(await outcome))
        #expect(b.shared.counts.waited >= 1 && b.shared.counts.led == 1 && b.shared.counts.alone == 0)
        await fixture.stop()
    }

    @Test("a broken picture is downloaded by one node, and its failure is shared")
    func failures() async throws {
        let fixture = try await NodesFixture(failureRate: 0.5)
        let item = try #require(
            (0..<NodeFixture.items).first { item in
                let shape = DemoCatalog.shape(item)
                return DemoPicture(width: shape.width, height: shape.height, text: "food \(item + 1)")?
                    .fault(failureRate: 0.5) == .broken
            })
        let first = await fixture.nodes[0].thumbnails(of: [item])
        try await fixture.holds(1, "n")
        let second = await fixture.nodes[1].thumbnails(of: [item])
        for outcome in [first[item], second[item]] {
            guard case .failure(let failure)? = outcome else {
                Issue.record("the broken picture did not fail")
                continue
            }
            #expect(!failure.retryable)
        }
        #expect(try await fixture.requests() == [item: 1])
        #expect(fixture.nodes[1].shared.counts.failures == 1)
        await fixture.stop()
    }

    @Test("a time-out of one node applies to all nodes, at that size only")
    func tooSlow() async throws {
        let fixture = try await NodesFixture()
        let (a, b) = (fixture.nodes[0], fixture.nodes[1])
        a.shared.publish(.failure(.init(reason: "slow", isRetryable: true), seconds: 600), of: try a.storeKey(3))
        try await fixture.holds(1, "n")
        guard case .failure(let failure)? = await b.thumbnails(of: [3])[3] else {
            Issue.record("the thumbnail was made")
            return
        }
        #expect(failure.retryable && failure.retryAfter ?? 0 > 0)
        var other = b.key(3)
        other.size.width = 512
        #expect(try await b.service.thumbnail(other, host: b.host).width > 0)
        await fixture.stop()
    }

    @Test("a manual retry forgets another node's failure")
    func forgiven() async throws {
        let fixture = try await NodesFixture(["a"])
        let a = fixture.nodes[0]
        a.shared.publish(.failure(.init(reason: "404", isRetryable: false), seconds: 600), of: try a.storeKey(3))
        try await fixture.holds(1, "n")
        #expect(!isReady(await a.thumbnails(of: [3])))
        a.service.forgetFailure(of: a.key(3))
        #expect(isReady(await a.thumbnails(of: [3])))
        await fixture.stop()
    }
}
