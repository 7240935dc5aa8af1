import Cluster
import Glibc
import Synchronization
import TestSupport
import Testing

/// A line to a real server over which a test can send anything in the server's place.
@Suite("Malformed Redis servers", .enabled(if: RedisServer.isInstalled), .timeLimit(.minutes(2)))
struct MalformedServerTests {
    typealias Fixture = RedisClientTests.Fixture

    private static let malformed = "its replies are not those of Redis"
    private static let tooLarge = "its reply is too large"
    private let script = "return redis.call('STRLEN', KEYS[1])"

    /// Bytes from the server, and the reported reason for closing the connection.
    private static let kinds: [(String, String)] = [
        ("+OK\r\n+OK\r\n", malformed), (":1\r\n", malformed), ("$-1\r\n", malformed),
        ("*-1\r\n", malformed), ("*0\r\n", malformed), ("$2\r\nhi\r\n", malformed),
        ("-ERR go\u{1B} away\r\n", "ERR go  away"),
        ("*3\r\n$7\r\nmessage\r\n$5\r\nother\r\n$2\r\nhi\r\n", malformed),
        ("*3\r\n$7\r\nmessage\r\n$2\r\nme\r\n:1\r\n", malformed),
        (">3\r\n$10\r\ninvalidate\r\n", malformed), ("HTTP/1.1 400 Bad Request\r\n", malformed),
        ("\0\0\r\n", malformed),
        (":9223372036854775808\r\n", malformed), ("$-2\r\n", malformed), ("$1\r\nabcd", malformed),
        ("$2147483647\r\n", tooLarge), ("*2147483647\r\n", tooLarge), ("*1\r\n*1\r\n*1\r\n*1\r\n*1\r\n", tooLarge),
    ]

    private func expectAnswer(_ fixture: Fixture, _ what: String) async {
        #expect(
            await fixture.client.reply(to: RedisCommand(script: 0, keys: ["k"]), from: 0) == .integer(0), "\(what)")
    }

    @Test("malformed data on an idle connection closes it, and the client reconnects")
    func idle() async throws {
        let server = try await RedisServer()
        let line = try TamperedLine(to: server.port)
        let fixture = try Fixture([line.url], scripts: [script])
        await fixture.opened()
        for (text, reason) in Self.kinds {
            for place in 0...1 {
                line.say(Array(text.utf8), on: place)
                #expect(await fixture.lost() == reason, "\(text.prefix(40))")
                await fixture.opened()
                await expectAnswer(fixture, text)
            }
        }
        // The start of a reply would corrupt the next reply.
        line.say(Array("+O".utf8))
        #expect(await fixture.lost() == Self.malformed)
        await fixture.opened()
        await expectAnswer(fixture, "the beginning of a reply")
        await fixture.client.shutdown()
    }

    @Test("a malformed greeting closes the connection, and the client reconnects")
    func greeting() async throws {
        let server = try await RedisServer(["--requirepass", "open"])
        let line = try TamperedLine(to: server.port)
        for (text, reason) in Self.kinds + [
            ("+" + String(repeating: "a", count: 70_000), Self.tooLarge),
            ("+OK\r\n+OK\r\n:1\r\n", Self.malformed), ("+OK\r\n+OK\r\n+OK\r\n+PONG\r\n", Self.malformed),
            ("+OK\r\n+OK\r\n*0\r\n", Self.malformed),
            ("+OK\r\n*3\r\n$9\r\nsubscribe\r\n$5\r\nother\r\n:1\r\n", Self.malformed),
        ] {
            line.turn(.says(Array(text.utf8)))
            let fixture = try Fixture(["redis://:open@127.0.0.1:\(line.port)/2"], scripts: [script])
            #expect(await fixture.lost() == reason, "\(text.prefix(40))")
            line.turn(.faithful)
            await fixture.opened()
            await expectAnswer(fixture, text)
            await fixture.client.shutdown()
        }
        line.turn(.hangsUp)
        let fixture = try Fixture(["redis://:open@127.0.0.1:\(line.port)"], scripts: [script])
        #expect(await fixture.lost() == "the connection was closed")
        line.turn(.faithful)
        await fixture.opened()
        await expectAnswer(fixture, "hung up")
        await fixture.client.shutdown()
    }

    @Test("commands in flight fail when a reply is too large")
    func inFlight() async throws {
        let server = try await RedisServer()
        let line = try TamperedLine(to: server.port)
        let fixture = try Fixture([line.url], scripts: [script])
        await fixture.opened()
        server.freeze()
        let client = fixture.client
        let answers = Mutex<[RedisReply?]>([])
        await withCheckedContinuation { continuation in
            for _ in 0..<2 {
                client.send(RedisCommand("PING"), to: 0) { reply in answers.withLock { $0.append(reply) } }
            }
            client.call { continuation.resume() }
        }
        line.say(Array("*2\r\n:1\r\n*4095\r\n".utf8))
        #expect(await fixture.lost() == Self.tooLarge)
        #expect(answers.withLock { $0 } == [nil, nil])
        server.thaw()
        await fixture.opened()
        await expectAnswer(fixture, "thawed")
        await client.shutdown()
    }

    @Test("replies and messages that arrive byte by byte are read correctly")
    func bytewise() async throws {
        let server = try await RedisServer()
        let line = try TamperedLine(to: server.port, .bytewise)
        let fixture = try Fixture(
            [line.url], scripts: ["return {ARGV[1], {1, false, {ARGV[1]}}, redis.status_reply('OK')}"])
        await fixture.opened()
        let bytes: [UInt8] = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
        let reply = await fixture.client.reply(to: RedisCommand(script: 0, keys: [], arguments: [bytes]), from: 0)
        let array = RedisReply.array([.integer(1), .nothing, .array([.bytes(bytes)])])
        #expect(reply == .array([.bytes(bytes), array, .bytes(Array("OK".utf8))]))
        try await server.say("PUBLISH", "me", "hello")
        #expect(await fixture.message() == "hello")
        await fixture.client.shutdown()
        withExtendedLifetime(line) {}
    }

    @Test("a server that reads nothing gets a bounded queue and then the accepted commands")
    func readsNothing() async throws {
        let server = try await RedisServer()
        let fixture = try Fixture([server.url], scripts: [script])
        await fixture.opened()
        server.freeze()
        let client = fixture.client
        let count = 64
        let answered = Atomic(0)
        let refused = Atomic(0)
        let value = [UInt8](repeating: 1, count: 1 << 20)
        for _ in 0..<count {
            client.send(RedisCommand(words: [Array("SET".utf8), [107], value]), to: 0) { reply in
                if reply == nil { refused.add(1, ordering: .relaxed) } else { answered.add(1, ordering: .relaxed) }
            }
        }
        try await eventually("refused commands") { refused.load(ordering: .relaxed) > 0 }
        server.thaw()
        try await eventually("replies to the other commands") {
            refused.load(ordering: .relaxed) + answered.load(ordering: .relaxed) == count
        }
        #expect(answered.load(ordering: .relaxed) > 0)
        #expect(await client.reply(to: RedisCommand("STRLEN", "k"), from: 0) == .integer(1 << 20))
        await client.shutdown()
    }

    @Test("a host that never accepts is given up, and commands to it fail")
    func neverAnswers() async throws {
        // The listener's backlog is full, so it ignores further connections.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let listener = socket(AF_INET, kind, 0)
        var address = SocketAddress()
        #expect(address.bind(listener) && listen(listener, 0) == 0)
        let crowd = (0..<4).map { _ in
            let client = socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
            _ = address.connect(client)
            return client
        }
        defer { for descriptor in crowd + [listener] { close(descriptor) } }
        let fixture = try Fixture(["redis://127.0.0.1:\(address.port)"], greeting: .milliseconds(50))
        #expect(await fixture.lost() == "it did not reply in time")
        #expect(await fixture.client.reply(to: RedisCommand("PING"), from: 0) == nil)
        await fixture.client.shutdown()
    }
}
