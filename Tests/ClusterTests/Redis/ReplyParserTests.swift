import Cluster
import Numbers
import Testing

@Suite("Redis reply parser")
struct ReplyParserTests {
    private struct Outcome: Equatable {
        var replies: [RedisReply] = []
        var refusal: ReplyParser.Refusal?
        var isWithinReply = false
    }

    private func read(_ pieces: [ArraySlice<UInt8>], limits: ReplyParser.Limits = .init()) -> Outcome {
        var parser = ReplyParser(limits: limits)
        var outcome = Outcome()
        do throws(ReplyParser.Refusal) {
            for piece in pieces { try parser.read(piece, into: &outcome.replies) }
            outcome.isWithinReply = parser.isWithinReply
        } catch {
            outcome.refusal = error
        }
        return outcome
    }

    private func read(_ text: String, limits: ReplyParser.Limits = .init()) -> Outcome {
        read([Array(text.utf8)[...]], limits: limits)
    }

    private func text(_ text: String) -> RedisReply { .bytes(Array(text.utf8)) }

    /// A random reply and its bytes.
    private func any(_ random: inout SeededRandom, depth: Int = 3) -> (RedisReply, wire: [UInt8]) {
        switch random.below(depth > 0 ? 6 : 5) {
        case 0: return (.nothing, Array("$-1\r\n".utf8))
        case 1: return (text("OK"), Array("+OK\r\n".utf8))
        case 2: return (.error("ERR no"), Array("-ERR no\r\n".utf8))
        case 3:
            let number = Int64(bitPattern: random.next())
            return (.integer(number), Array(":\(number)\r\n".utf8))
        case 4:
            let bytes = (0..<random.below(40)).map { _ in random.below(3) == 0 ? 10 : UInt8(random.below(256)) }
            return (.bytes(bytes), Array("$\(bytes.count)\r\n".utf8) + bytes + [13, 10])
        default:
            let elements = (0..<random.below(5)).map { _ in any(&random, depth: depth - 1) }
            return (.array(elements.map(\.0)), Array("*\(elements.count)\r\n".utf8) + elements.flatMap(\.wire))
        }
    }

    /// Cuts bytes into pieces of 1 to 9.
    private func cut(_ bytes: [UInt8], _ random: inout SeededRandom) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(rest.prefix(1 + random.below(9)))
            rest = rest.dropFirst(pieces[pieces.count - 1].count)
        }
        return pieces
    }

    @Test("every kind of reply is parsed whole and cut at any byte")
    func kinds() {
        let kinds: [(String, RedisReply)] = [
            ("+OK\r\n", text("OK")), ("+\r\n", text("")), ("-ERR no\r\n", .error("ERR no")), (":0\r\n", .integer(0)),
            (":9223372036854775807\r\n", .integer(.max)), (":-9223372036854775808\r\n", .integer(.min)),
            ("$0\r\n\r\n", text("")), ("$4\r\na\r\nb\r\n", text("a\r\nb")), ("$-1\r\n", .nothing),
            ("*-1\r\n", .nothing),
            ("*0\r\n", .array([])),
            ("*2\r\n$1\r\na\r\n*2\r\n*0\r\n:1\r\n", .array([text("a"), .array([.array([]), .integer(1)])])),
        ]
        for (wire, reply) in kinds {
            let bytes = Array(wire.utf8)
            #expect(read([bytes[...]]) == Outcome(replies: [reply]), "\(wire)")
            for cut in 1..<bytes.count {
                #expect(read([bytes[..<cut]]) == Outcome(isWithinReply: true), "\(wire), \(cut)")
                #expect(read([bytes[..<cut], bytes[cut...]]) == Outcome(replies: [reply]), "\(wire), \(cut)")
            }
        }
    }

    @Test(
        "a malformed reply is refused after the valid replies before it",
        arguments: [
            "\r\n", "\n", "+OK\n", "OK\r\n", ">3\r\n", "_\r\n", "HTTP/1.1 400 Bad Request\r\n", ":\r\n", ":1.5\r\n",
            ": 1\r\n",
            ":9223372036854775808\r\n", ":-9223372036854775809\r\n", "$\r\n", "$-2\r\n", "*-2\r\n", "*x\r\n",
            "$99999999999999999999\r\n", "*99999999999999999999\r\n", "$2\r\nabcd", "$2\r\nab\n\r", "*1\r\n$1\r\nab\r",
        ])
    func malformed(wire: String) {
        #expect(read(":1\r\n" + wire) == Outcome(replies: [.integer(1)], refusal: .malformed))
    }

    @Test("a reply over the limits is refused as soon as its size is known")
    func tooLarge() {
        func long(_ count: Int) -> String { String(repeating: "a", count: count) }
        for wire in [
            "$8388609\r\n", "$2147483647\r\n", "$9223372036854775807\r\n", "*4097\r\n", "*2147483647\r\n",
            "*9223372036854775807\r\n", "*2\r\n*4095\r\n", "*1\r\n*1\r\n*1\r\n*1\r\n*0\r\n", "+" + long(65_536),
            "*2\r\n$5000000\r\n" + long(5_000_000) + "\r\n$4000000\r\n",
            "*4096\r\n" + String(repeating: "+" + long(4_000) + "\r\n", count: 2_200),
        ] {
            #expect(
                read(":1\r\n" + wire) == Outcome(replies: [.integer(1)], refusal: .tooLarge), "\(wire.prefix(30))")
        }
    }

    @Test("a reply at the limits is read, and each reply has its own limits")
    func largest() {
        var limits = ReplyParser.Limits()
        (limits.elements, limits.bytes, limits.lineBytes, limits.depth) = (4, 24, 12, 2)
        for wire in [
            "$17\r\n12345678901234567\r\n", "+123456789\r\n", "*3\r\n*1\r\n:1\r\n:1\r\n:12\r\n",
            "*4\r\n:1\r\n:1\r\n:1\r\n:1\r\n",
        ] {
            let outcome = read(wire + wire, limits: limits)
            #expect(outcome.replies.count == 2 && outcome.refusal == nil, "\(wire)")
        }
        for wire in [
            "$18\r\n", "+1234567890\r\n", "*3\r\n*2\r\n", "*5\r\n", "*1\r\n*1\r\n*0\r\n",
            "*3\r\n+1234567\r\n+12345678\r\n",
        ] {
            #expect(read(wire, limits: limits) == Outcome(refusal: .tooLarge), "\(wire)")
        }
    }

    @Test("any bytes are parsed or refused the same in any pieces")
    func anything() {
        var random = SeededRandom(seed: 2)
        let alphabet = Array("+-:$*12\r\n\r\n\0".utf8)
        for _ in 0..<3_000 {
            let bytes = (0..<random.below(60)).map { _ in alphabet[random.below(alphabet.count)] }
            #expect(read(cut(bytes, &random)) == read([bytes[...]]), "\(bytes)")
        }
        for _ in 0..<300 {
            let reply = any(&random)
            #expect(read(cut(reply.wire, &random)) == Outcome(replies: [reply.0]))
            var bytes = reply.wire
            bytes[random.below(bytes.count)] = UInt8(random.below(256))
            #expect(read(cut(bytes, &random)) == read([bytes[...]]), "\(bytes)")
        }
    }

    @Test("commands are written in Redis format, with a script's digest or text first")
    func commands() {
        var output: [UInt8] = []
        RedisCommand("SET", "k", "").write(to: &output)
        let script = RedisCommand(script: 0, keys: ["k"])
        script.write(running: .digest([97, 98]), to: &output)
        script.write(running: .whole("return 1"), to: &output)
        #expect(
            String(decoding: output, as: UTF8.self) == "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$0\r\n\r\n"
                + "*4\r\n$7\r\nEVALSHA\r\n$2\r\nab\r\n$1\r\n1\r\n$1\r\nk\r\n"
                + "*4\r\n$4\r\nEVAL\r\n$8\r\nreturn 1\r\n$1\r\n1\r\n$1\r\nk\r\n")
    }
}
