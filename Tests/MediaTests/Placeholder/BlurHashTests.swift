import Media
import Testing

@Suite struct BlurHashTests {
    private static let digits = Array(
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~")

    private func number(_ value: Int, _ length: Int) -> String {
        var value = value, text = ""
        for _ in 0..<length {
            text = String(Self.digits[value % 83]) + text
            value /= 83
        }
        return text
    }

    private func isNear(_ color: UInt32, _ other: UInt32) -> Bool {
        [16, 8, 0].allSatisfy { abs(Int(color >> $0 & 255) - Int(other >> $0 & 255)) <= 10 }
    }

    @Test(
        "the ThumbHash of a hash of one colour has that colour",
        arguments: [0xC86432, 0x102030, 0xF0F0F0, 0x808080] as [UInt32])
    func flat(color: UInt32) throws {
        let hash = try #require(BlurHash(number(0, 1) + number(0, 1) + number(Int(color), 4)))
        let thumb = try #require(hash.thumbHash(aspectRatio: 1.5))
        #expect(isNear(thumb.averageColor, color))
    }

    @Test(
        "the ThumbHash is wide if the aspect ratio is above 1",
        arguments: [0.01, 0.5, 1, 2.7, 900])
    func proportions(aspectRatio: Double) throws {
        let hash = try #require(BlurHash(number(0, 2) + number(0x808080, 4)))
        let bytes = try #require(hash.thumbHash(aspectRatio: aspectRatio)).bytes
        #expect((bytes[4] & 0x80 != 0) == (aspectRatio > 1))
    }

    @Test("a picture that is lighter on one side is lighter on that side in the ThumbHash")
    func gradient() throws {
        // Two terms across. The second has the greatest strength, equal in each colour.
        func hash(_ wave: Int) -> String {
            number(1, 1) + number(82, 1) + number(0x808080, 4) + number(wave * 361 + wave * 19 + wave, 2)
        }
        let lighterLeft = try #require(BlurHash(hash(18))?.thumbHash(aspectRatio: 1)).bytes
        let lighterRight = try #require(BlurHash(hash(0))?.thumbHash(aspectRatio: 1)).bytes
        // The first term of the luma after its average: half a byte, 7.5 in the middle.
        #expect(lighterLeft[5] & 15 == 15 && lighterRight[5] & 15 == 0)
    }

    @Test("the published example gives a colour of medium brightness")
    func example() throws {
        let hash = try #require(BlurHash("LEHV6nWB2yk8pyo0adR*.7kCMdnj"))
        let color = try #require(hash.thumbHash(aspectRatio: 4.0 / 3)).averageColor
        // A beach in daylight: neither black nor white, with little colour.
        #expect([16, 8, 0].allSatisfy { (64...208).contains(color >> $0 & 255) })
    }

    @Test(
        "malformed hashes are refused",
        arguments: [
            "", "L", "00000", "LEHV6nWB2yk8pyo0adR*.7kCMdn", "LEHV6nWB2yk8pyo0adR*.7kCMdnjj",
            "LEHV6nWB2yk8pyo0adR*.7kCMdn\"", "00~~~~",
        ])
    func refused(text: String) { #expect(BlurHash(text) == nil) }
}
