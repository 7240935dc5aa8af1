import Cluster
import Synchronization
import TestSupport
import Testing

@Suite("Redis client with real servers", .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(1)))
struct RedisClientTests {
    /// A client with awaitable events.
    final class Fixture: Sendable {
        let client: RedisClient
        let events: AsyncStream<RedisClient.Event>

        /// - Parameters:
        ///   - reply: Maximum time for a reply. Long, so a slow machine does not make the server count as away.
        ///   - greeting: Maximum time to connect.
        init(
            _ urls: [String], scripts: [String] = [], reply: Duration = .seconds(30), greeting: Duration = .seconds(30)
        ) throws {
            var times = RedisTimes()
            (times.reply, times.greeting) = (reply, greeting)
            (times.shortestPause, times.longestPause) = (.milliseconds(20), .milliseconds(200))
            let (stream, continuation) = AsyncStream.makeStream(of: RedisClient.Event.self)
            events = stream
            client = try RedisClient(
                urls.compactMap { RedisAddress($0) }, scripts: scripts, channel: "me", times: times
            ) {
                continuation.yield($0)
            }
        }

        func opened() async {
            for await event in events { if case .opened = event { return } }
        }

        func lost() async -> String {
            for await event in events { if case .lost(_, let reason) = event { return reason } }
            return ""
        }

        func message() async -> String {
            for await event in events {
                if case .message(_, let bytes) = event { return String(decoding: bytes, as: UTF8.self) }
            }
            return ""
        }
    }

    private let double = "redis.call('SET', KEYS[1], ARGV[1]) return {ARGV[1], redis.call('STRLEN', KEYS[1]), false}"

    @Test("the client runs commands and scripts with any bytes and receives messages")
    func answers() async throws {
        let server = try await RedisServer()
        let fixture = try Fixture([server.url], scripts: [double])
        await fixture.opened()
        let bytes: [UInt8] = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
        let reply = await fixture.client.reply(
            to: RedisCommand(script: 0, keys: ["k"], arguments: [bytes]), from: 0)
        #expect(reply == .array([.bytes(bytes), .integer(40_000), .nothing]))
        #expect(await fixture.client.reply(to: RedisCommand("GET", "k"), from: 0) == .bytes(bytes))
        guard case .error? = await fixture.client.reply(to: RedisCommand("LPOP", "k"), from: 0) else {
            Issue.record("the command returned no error")
            return
        }
        try await server.say("PUBLISH", "me", "hello")
        #expect(await fixture.message() == "hello")
        await fixture.client.shutdown()
        #expect(await fixture.client.reply(to: RedisCommand("PING"), from: 0) == nil)
    }

    @Test("a deferred call runs with the next message, with enough others, or at shutdown")
    func later() async throws {
        let server = try await RedisServer()
        let fixture = try Fixture([server.url])
        await fixture.opened()
        let called = Atomic(0)
        fixture.client.callLater { called.add(1, ordering: .relaxed) }
        try await server.say("PUBLISH", "me", "hello")
        try await eventually("1 call", of: { called.load(ordering: .relaxed) }, satisfies: { $0 == 1 })
        for _ in 0..<99 { fixture.client.callLater { called.add(1, ordering: .relaxed) } }
        try await eventually("100 calls", of: { called.load(ordering: .relaxed) }, satisfies: { $0 == 100 })
        fixture.client.callLater { called.add(1, ordering: .relaxed) }
        await fixture.client.shutdown()
        #expect(called.load(ordering: .relaxed) == 101)
    }

    @Test("simultaneous commands are written together")
    func batch() async throws {
        let server = try await RedisServer()
        let fixture = try Fixture([server.url])
        await fixture.opened()
        func reads() async throws -> Int {
            let line = try await server.say("INFO", "stats").split(whereSeparator: \.isNewline)
                .first { $0.hasPrefix("total_reads_processed:") }
            return try #require(line.flatMap { Int($0.split(separator: ":")[1]) })
        }
        let before = try await reads()
        let client = fixture.client
        await withCheckedContinuation { continuation in
            client.call {
                for number in 1...50 {
                    client.send(RedisCommand("PING"), to: 0) { _ in if number == 50 { continuation.resume() } }
                }
            }
        }
        #expect(try await reads() - before < 10)
        await client.shutdown()
    }

    @Test("the client leaves a server that became a replica and reconnects")
    func replica() async throws {
        let server = try await RedisServer()
        let fixture = try Fixture([server.url])
        await fixture.opened()
        try await server.say("REPLICAOF", "127.0.0.1", "9")
        guard case .error? = await fixture.client.reply(to: RedisCommand("SET", "k", "v"), from: 0) else {
            Issue.record("the replica accepted a write")
            return
        }
        #expect(await fixture.lost().hasPrefix("READONLY"))
        try await server.say("REPLICAOF", "NO", "ONE")
        await fixture.opened()
        #expect(await fixture.client.reply(to: RedisCommand("SET", "k", "v"), from: 0) == .bytes(Array("OK".utf8)))
        await fixture.client.shutdown()
    }

    @Test("a script that the server forgot is sent again in full")
    func forgottenScript() async throws {
        let server = try await RedisServer()
        let fixture = try Fixture([server.url], scripts: [double])
        await fixture.opened()
        try await server.say("SCRIPT", "FLUSH")
        let reply = await fixture.client.reply(to: RedisCommand(script: 0, keys: ["k"], arguments: [[1]]), from: 0)
        #expect(reply == .array([.bytes([1]), .integer(1), .nothing]))
        await fixture.client.shutdown()
    }

    @Test("commands fail at once if the server is killed, and work after its restart")
    func killed() async throws {
        let server = try await RedisServer()
        let fixture = try Fixture([server.url], scripts: [double])
        await fixture.opened()
        server.kill()
        _ = await fixture.lost()
        #expect(await fixture.client.reply(to: RedisCommand("PING"), from: 0) == nil)
        try await server.restart()
        await fixture.opened()
        let reply = await fixture.client.reply(to: RedisCommand(script: 0, keys: ["k"], arguments: [[1]]), from: 0)
        #expect(reply == .array([.bytes([1]), .integer(1), .nothing]))
        await fixture.client.shutdown()
    }

    @Test("commands to a frozen server time out, and work after it thaws")
    func frozen() async throws {
        let server = try await RedisServer()
        let fixture = try Fixture([server.url], reply: .milliseconds(200))
        await fixture.opened()
        server.freeze()
        let replies = await withTaskGroup(of: RedisReply?.self) { group in
            for _ in 0..<2_000 { group.addTask { await fixture.client.reply(to: RedisCommand("PING"), from: 0) } }
            return await group.reduce(into: [RedisReply?]()) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0 == nil })
        #expect(await fixture.lost() == "it did not reply in time")
        server.thaw()
        // One more reply may be late.
        try await eventually(
            "an answer", of: { await fixture.client.reply(to: RedisCommand("PING"), from: 0) },
            satisfies: { $0 == .bytes(Array("PONG".utf8)) })
        await fixture.client.shutdown()
    }

    @Test("a wrong password is reported, and the right one works")
    func password() async throws {
        let server = try await RedisServer(["--requirepass", "open sesame"])
        let wrong = try Fixture([server.url])
        // The client keeps retrying, and early attempts may fail for another reason.
        var reason = await wrong.lost()
        for _ in 0..<4 where !reason.hasPrefix("NOAUTH") { reason = await wrong.lost() }
        #expect(reason.hasPrefix("NOAUTH"), "\(reason)")
        await wrong.client.shutdown()
        let right = try Fixture(["redis://:open%20sesame@localhost:\(server.port)/2"])
        await right.opened()
        #expect(await right.client.reply(to: RedisCommand("SET", "k", "v"), from: 0) == .bytes(Array("OK".utf8)))
        await right.client.shutdown()
    }

    @Test("if one of two servers is away, the other still replies")
    func oneAway() async throws {
        let server = try await RedisServer()
        let gone = try await RedisServer()
        gone.kill()
        let fixture = try Fixture([gone.url, server.url])
        await fixture.opened()
        #expect(await fixture.client.reply(to: RedisCommand("PING"), from: 1) == .bytes(Array("PONG".utf8)))
        #expect(await fixture.client.reply(to: RedisCommand("PING"), from: 0) == nil)
        await fixture.client.shutdown()
    }
}
