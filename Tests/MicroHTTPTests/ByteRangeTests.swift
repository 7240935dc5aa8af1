import MicroHTTP
import Numbers
import Testing

struct ByteRangeTests {
    private func range(_ field: String?, _ more: [(String, String)] = [], method: Method = .get) throws -> ByteRange? {
        ByteRange(try Request(method, "/", headers: (field.map { [("Range", $0)] } ?? []) + more))
    }

    @Test("one range is parsed in every form")
    func forms() throws {
        #expect(try range("bytes=0-0") == .from(0, through: 0))
        #expect(try range("Bytes=10-") == .from(10))
        #expect(try range("bytes=-5") == .last(5))
        #expect(try range("bytes=0-99999999999999999999") == .from(0, through: .max))
        #expect(try range("bytes=99999999999999999999-")?.bytes(of: 1 << 40) == nil)
    }

    @Test(
        "any other Range header means the whole file",
        arguments: [
            "bytes=", "bytes=-", "bytes", "items=0-1", "bytes=2-1", "bytes=0-1,3-4", "bytes=0-1,", "bytes=+1-2",
            "bytes=1-+2", "bytes=a-b", "bytes=1-b", "bytes=--1", "bytes=0x1-2", "bytes= 0-1", "bytes=0-1-2", "0-1",
        ])
    func others(field: String) throws {
        #expect(try range(field) == nil)
    }

    @Test("a HEAD request or an If-Range header ignores the range")
    func whole() throws {
        #expect(try range(nil) == nil && range("bytes=0-1", method: .head) == nil)
        #expect(try range("bytes=0-1", [("If-Range", "\"tag\"")]) == nil)
    }

    @Test("a range covers the same bytes as counting them")
    func bytes() throws {
        var random = SeededRandom(seed: 5)
        for _ in 0..<3000 {
            let size = Int.random(in: 0...12, using: &random)
            let first = Int.random(in: 0...15, using: &random)
            let last = Int.random(in: first...20, using: &random)
            let all = Array(0..<size)
            for (field, meant) in [
                ("bytes=\(first)-\(last)", all.filter { (first...last).contains($0) }),
                ("bytes=\(first)-", all.filter { $0 >= first }), ("bytes=-\(first)", all.suffix(first)),
            ] {
                let found = try #require(try range(field)).bytes(of: size)
                #expect(found.map(Array.init) ?? [] == meant && found?.isEmpty != true, "\(field) of \(size)")
            }
        }
    }
}
