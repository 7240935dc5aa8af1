import MicroHTTP
import Numbers
import Testing

@Suite struct ChunkFramingTests {
    private func framing(_ pieces: [[UInt8]]) -> ChunkFraming {
        var framing = ChunkFraming()
        for piece in pieces { piece.withUnsafeBytes { framing.take($0) } }
        return framing
    }

    private func whole(_ text: String) -> ChunkFraming { framing([Array(text.utf8)]) }

    @Test(
        "a valid body is complete, and the bytes after it are ignored",
        arguments: [
            "0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n", "00A\r\n\n\r\n0\r\n\r\n\r\n\r\n0\r\n\r\n",
            "1;a=\"b\";c\r\n\0\r\n0;d\r\n\r\n",
            "0\r\nX: 1\r\nY:\t2\r\n\r\n", "0\r\n\r\nGET\n\0",
        ])
    func complete(text: String) {
        #expect(whole(text).isComplete)
        #expect(whole(text).fault(limit: 100) == nil)
    }

    @Test(
        "any other chunk framing is malformed",
        arguments: [
            "\r", "\n", ";", "g", "-1", "+1", "0x1", " 1", "1 ", "1\n", "1\r\r", "1\r\nab", "1\r\na\n", "1\r\na\rb",
            "1;\n", "1;\0", "1;\r;",
            "0\n", "0\r\n\n", "0\r\n\0", "0\r\nX: 1\n", "0\r\nX: \u{01}", "0\r\n\rX", "0000000000000000F",
            "10000000000000000",
        ])
    func malformed(text: String) {
        #expect(whole(text).fault(limit: .max)?.status == 400)
    }

    @Test("chunk sizes count toward the body limit, and fields over 4 kB are refused")
    func limits() {
        let five = "3\r\nabc\r\n2\r\n"
        #expect(whole(five).fault(limit: 5) == nil)
        #expect(whole(five).fault(limit: 4)?.status == 413)
        #expect(whole("ffffffffffffffff\r\n").fault(limit: .max)?.status == 413)
        for (before, after) in [("1;", "\r\na\r\n"), ("0\r\n", "\r\n\r\n"), ("1;ab\r\na\r\n1;", "")] {
            let room = 4096 - (before.hasPrefix("1;ab") ? 2 : 0)
            let field = String(repeating: "a", count: room)
            #expect(whole(before + field + after).fault(limit: 100) == nil)
            #expect(whole(before + field + "a").fault(limit: 100)?.status == 431)
        }
    }

    @Test("chunk framing is parsed the same in any pieces and detects a changed byte")
    func pieces() {
        var random = SeededRandom(seed: 7)
        func below(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
        for _ in 0..<300 {
            var bytes: [UInt8] = []
            var frame: [Int] = []
            for size in (0..<below(6)).map({ _ in 1 + below(40) }) + [0] {
                let line = Array("\(String(size, radix: 16))\r\n".utf8)
                frame += [bytes.count + line.count - 2, bytes.count + line.count - 1]
                bytes += line + (0..<size).map { _ in UInt8(below(256)) }
                frame += [bytes.count, bytes.count + 1]
                bytes += Array("\r\n".utf8)
            }
            var pieces: [[UInt8]] = []
            var at = 0
            while at < bytes.count {
                let end = min(bytes.count, at + 1 + below(9))
                pieces.append(Array(bytes[at..<end]))
                at = end
            }
            #expect(framing(pieces).isComplete)
            let place = frame[below(frame.count)]
            var wrong = bytes
            wrong[place] = wrong[place] == 13 ? 10 : 13
            #expect(framing([wrong]).fault(limit: .max)?.status == 400)
        }
    }
}
