import Cluster
import Media
import Synchronization
import TestSupport
import Testing

/// Two nodes communicate through a real Redis server.
@Suite("Claims of two nodes through Redis", .serialized, .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(1)))
struct ClaimTests {
    /// A node that records the calls it receives.
    final class Node: Sendable {
        enum Word: Equatable { case wake, hold, unhold }

        /// In milliseconds. Longer than any test.
        static let lease = 90_000.0

        let shared: SharedThumbnails
        let words: AsyncStream<Word>
        private let say: AsyncStream<Word>.Continuation

        init(_ name: String, _ redis: RedisServer, agreement: String = "") async throws {
            var times = LeaseTimes()
            (times.lease, times.patience) = (Self.lease, 120_000)
            // Long limits, so a slow machine does not make Redis count as away.
            var limits = RedisTimes()
            (limits.reply, limits.greeting, limits.pulse) = (.seconds(30), .seconds(30), .milliseconds(50))
            let (words, say) = AsyncStream.makeStream(of: Word.self)
            (self.words, self.say) = (words, say)
            shared = try SharedThumbnails(
                [try #require(RedisAddress(redis.url))], node: name, agreement: agreement, times: times,
                redis: limits
            ) { _ in }
            try await eventually("a reachable server") { shared.counts.reachable != 0 }
        }

        func claim(
            _ key: String = "k", newerThan: Double = -1, forgives: Bool = false
        ) async -> SharedThumbnails.Outcome {
            await shared.claim(
                SharedThumbnails.Claim(storeKey: key, newerThan: newerThan, forgives: forgives) { [say] in
                    say.yield(.wake)
                } hold: { [say] in
                    say.yield($0 ? .hold : .unhold)
                })
        }

        /// Claims until no node is at work. The last message of another node may still be in flight.
        func settled(newerThan: Double = -1, forgives: Bool = false) async throws -> SharedThumbnails.Outcome {
            try await eventually("an outcome other than waiting") {
                await claim(newerThan: newerThan, forgives: forgives)
            } satisfies: {
                if case .wait = $0 { false } else { true }
            }
        }

        func leads(_ key: String = "k") async throws -> SharedWant {
            guard case .lead(let want) = await claim(key) else { throw Unexpected() }
            return want
        }

        func waits(_ key: String = "k") async throws -> SharedWant {
            guard case .wait(let want, let time) = await claim(key) else { throw Unexpected() }
            #expect((1...Self.lease + 100).contains(time))
            return want
        }

        func hears() async -> Word? { await words.first { _ in true } }
    }

    struct Unexpected: Error {}

    private func thumbnail(confirmed: Double? = nil) -> Thumbnail {
        Thumbnail(
            width: 4, height: 3, mediaType: "image/jpeg", bytes: [0xFF, 0xD8, 0xFF, 1, 2, 3], thumbHash: [],
            sourceWidth: 40, sourceHeight: 30,
            version: confirmed.map { SourceVersion(validators: Validators(etag: "\"1\""), confirmed: $0) })
    }

    private func nodes(_ redis: RedisServer) async throws -> (a: Node, b: Node) {
        (try await Node("a", redis), try await Node("b", redis))
    }

    @Test("a waiting node is woken by the leader's result and finds it")
    func finishes() async throws {
        let redis = try await RedisServer()
        let (a, b) = try await nodes(redis)
        let lead = try await a.leads()
        let wait = try await b.waits()
        #expect(await a.hears() == .hold)
        lead.finish(.thumbnail(thumbnail()))
        #expect(await b.hears() == .wake)
        guard case .thumbnail(let found) = await b.shared.claim(again: wait) else { throw Unexpected() }
        #expect(found == thumbnail())
        #expect(
            try await redis.say("DBSIZE") == "2", "only the thumbnail and the nodes remain")
        #expect(await a.hears() == .unhold)
        await a.shared.shutdown()
        await b.shared.shutdown()
    }

    @Test("a result arrives with its message without another request, unless it is too old")
    func resultWithMessage() async throws {
        let redis = try await RedisServer()
        let (a, b) = try await nodes(redis)
        for isOld in [false, true] {
            let lead = try await a.leads()
            guard case .wait(let wait, _) = await b.claim(newerThan: isOld ? 1e10 : -1) else { throw Unexpected() }
            #expect(await a.hears() == .hold)
            lead.finish(.thumbnail(thumbnail()))
            #expect(await b.hears() == .wake)
            try await redis.say("FLUSHALL")
            switch await b.shared.claim(again: wait) {
            case .thumbnail(let found): #expect(found == thumbnail() && !isOld)
            case .lead(let lead): #expect(isOld && lead === wait)
            default: throw Unexpected()
            }
            #expect(b.shared.counts.hits == 1)
            #expect(await a.hears() == .unhold)
        }
        #expect(b.shared.state.withLock { $0.arrivedBytes } == 0)
        await a.shared.shutdown()
        await b.shared.shutdown()
    }

    @Test("a waiting node leads after the leader releases its lease")
    func leaderReleases() async throws {
        let redis = try await RedisServer()
        let (a, b) = try await nodes(redis)
        var lead: SharedWant? = try await a.leads()
        let wait = try await b.waits()
        _ = lead
        lead = nil
        #expect(await b.hears() == .wake)
        guard case .lead(let next) = await b.shared.claim(again: wait) else { throw Unexpected() }
        next.release()
        guard case .lead = try await a.settled() else { throw Unexpected() }
        await a.shared.shutdown()
        await b.shared.shutdown()
    }

    @Test("the leader stops holding its work when the last waiter gives up")
    func lastWaiterGivesUp() async throws {
        let redis = try await RedisServer()
        let (a, b) = try await nodes(redis)
        let lead = try await a.leads()
        var wait: SharedWant? = try await b.waits()
        #expect(await a.hears() == .hold)
        _ = wait
        wait = nil
        #expect(await a.hears() == .unhold)
        lead.release()
        await a.shared.shutdown()
        await b.shared.shutdown()
    }

    @Test("a failure is shared until a node asks again")
    func failures() async throws {
        let redis = try await RedisServer()
        let (a, b) = try await nodes(redis)
        let failure = SharedFailure(reason: "404", isRetryable: true)
        try await a.leads().finish(.failure(failure, seconds: 600))
        guard case .failure(let known, let rest) = try await b.settled() else { throw Unexpected() }
        #expect(known == failure && (1...600_000).contains(rest))
        guard case .lead(let again) = try await b.settled(forgives: true) else { throw Unexpected() }
        again.finish(.thumbnail(thumbnail()))
        guard case .thumbnail = try await a.settled() else { throw Unexpected() }
        await a.shared.shutdown()
        await b.shared.shutdown()
    }

    @Test("pauses of hosts last at most an hour, and failures at most a week")
    func longest() async throws {
        let redis = try await RedisServer()
        let a = try await Node("a", redis)
        try await redis.say("SET", SharedKeys.rest(of: "h:80"), "1", "PX", "999999999999")
        let claim = SharedThumbnails.Claim(storeKey: "k", host: "h:80") {
        } hold: { _ in
        }
        guard case .hostPaused(let rest) = await a.shared.claim(claim) else { throw Unexpected() }
        #expect(rest == 3_600_000)
        let failure = SharedFailure(reason: "404", isRetryable: true)
        let reply = RedisReply.array([.bytes(Array("N".utf8)), .bytes(failure.bytes), .integer(.max)])
        guard case .failure(_, let life)? = ClaimReply.read(reply).found else { throw Unexpected() }
        #expect(life == 604_800_000)
        await a.shared.shutdown()
    }

    @Test("a thumbnail confirmed too long ago does not count")
    func newer() async throws {
        let redis = try await RedisServer()
        let (a, b) = try await nodes(redis)
        try await a.leads().finish(.thumbnail(thumbnail(confirmed: 1_700_000_000.5)))
        guard case .thumbnail = try await b.settled(newerThan: 1_700_000_000) else { throw Unexpected() }
        guard case .lead = try await b.settled(newerThan: 1_700_000_001) else { throw Unexpected() }
        await a.shared.shutdown()
        await b.shared.shutdown()
    }

    @Test("a lease is renewed while its holder lives and expires after its death")
    func renewed() async throws {
        let redis = try await RedisServer()
        let (a, b) = try await nodes(redis)
        let lead = try await a.leads()
        let key = "\(a.shared.keys.base(of: "k")):f"
        for _ in 0..<2 {
            #expect(try await redis.say("PEXPIRE", key, "30000") == "1")
            try await eventually(
                "a lease that is renewed", of: { Int(try await redis.say("PTTL", key)) ?? 0 },
                satisfies: { $0 > 30_000 })
            _ = try await b.waits()
        }
        // Like a killed node, it sends nothing more.
        await a.shared.shutdown()
        #expect(try await redis.say("PEXPIRE", key, "50") == "1")
        guard case .lead = try await b.settled() else { throw Unexpected() }
        _ = lead
        await b.shared.shutdown()
    }

    @Test("nodes with different agreements share nothing")
    func disagree() async throws {
        let redis = try await RedisServer()
        let a = try await Node("a", redis, agreement: "max-bytes 1")
        let b = try await Node("b", redis, agreement: "max-bytes 2")
        let lead = try await a.leads()
        _ = try await b.leads()
        lead.release()
        await a.shared.shutdown()
        await b.shared.shutdown()
    }

    @Test("after shutdown a claim works alone at once")
    func ended() async throws {
        let redis = try await RedisServer()
        let a = try await Node("a", redis)
        await a.shared.shutdown()
        guard case .alone = await a.claim() else { throw Unexpected() }
        a.shared.publish(.thumbnail(thumbnail()), of: "k")
    }
}
