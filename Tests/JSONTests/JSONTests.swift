import JSON
import Testing

@Suite struct JSONTests {
    static let values: [JSON] = [
        .null, true, false, 0, -1, 1.5, -0.001, 1e300, 123_456_789_012_345, "", "plain",
        "quote \" slash \\ / \n\t\u{1}", "é ☕️ 👩‍🚀", [], [:], [1, [2, [3]], "x"], ["a": 1, "b": ["c": .null]],
    ]

    @Test("a written value parses back unchanged", arguments: values)
    func roundTrip(_ value: JSON) throws {
        #expect(try JSON.parse(value.bytes) == value)
    }

    @Test(
        "numbers parse as in the standard library",
        arguments: [
            "0", "-0", "12.25", "0.1", "1e5", "1E-5", "2.5e+3", "123456789.123456789", "0.30000000000000004",
            "9007199254740993",
        ])
    func numbers(_ text: String) throws {
        #expect(try JSON.parse(text).number == Double(text))
    }

    @Test("escapes and surrogate pairs are resolved")
    func escapes() throws {
        #expect(try JSON.parse(#""\u0041\ud83d\ude00\n\/\b""#).string == "A😀\n/\u{8}")
    }

    @Test("a duplicate member reads as its last value, and the order is kept")
    func members() throws {
        let value = try JSON.parse(#"{"b":1,"a":2,"b":3}"#)
        #expect(value["b"] == 3)
        #expect(value.object?.members.map(\.name) == ["b", "a", "b"])
    }

    @Test(
        "invalid JSON is refused with its offset",
        arguments: [
            ("", 0), ("[1,]", 3), ("{\"a\":1,}", 7), ("{a:1}", 1), ("01", 0), ("1.", 2), ("-", 1), ("1e", 2),
            ("nul", 0), ("[1 2]", 3),
            ("\"abc", 0), ("\"\u{1}\"", 1), (#""\x""#, 2), (#""\ud800""#, 3), (#""\udc00""#, 3),
            (#""\udc00\udc00""#, 3), (#""\ud800\ue000""#, 3), (#""\ud800\ud800""#, 3),
            ("1 1", 2),
            ("1e999", 0), ("tru", 0),
        ])
    func refused(_ text: String, offset: Int) {
        #expect { try JSON.parse(text) } throws: { ($0 as? JSONError)?.offset == offset }
    }

    @Test("invalid UTF-8 is refused")
    func invalidUTF8() {
        #expect(throws: JSONError.self) { try JSON.parse([0x22, 0xFF, 0x22]) }
    }

    @Test("nesting is bounded")
    func depth() throws {
        let deep = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        #expect(throws: Never.self) { try JSON.parse(deep) }
        let bomb = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try JSON.parse(bomb) }
    }

    @Test("random bytes never break the parser")
    func randomBytes() {
        var state: UInt64 = 42
        let alphabet = Array("{}[]\",:0123456789.eE+-truefalsn\\u \u{7f}é".utf8)
        for _ in 0..<20_000 {
            var bytes: [UInt8] = []
            for _ in 0..<24 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes.append(alphabet[Int(state >> 33) % alphabet.count])
            }
            if let value = try? JSON.parse(bytes) { #expect((try? JSON.parse(value.bytes)) == value) }
        }
    }

    @Test("numbers that are not finite are written as null")
    func notFinite() {
        #expect(JSON.array([.number(.nan), .number(.infinity)]).bytes == Array("[null,null]".utf8))
    }
}
