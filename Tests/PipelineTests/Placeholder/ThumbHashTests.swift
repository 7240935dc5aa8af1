import Pipeline
import Testing

@Suite struct ThumbHashTests {
    private func hash(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) -> ThumbHash? {
        var rgba: [UInt8] = []
        for y in 0..<height { for x in 0..<width { rgba += pixel(x, y) } }
        return ThumbHash(width: width, height: height, rgba: rgba)
    }

    @Test("the hash is that of the published encoder", arguments: ReferenceHash.all)
    func reference(reference: ReferenceHash) throws {
        let made = try #require(hash(reference.width, reference.height, reference.pixel))
        #expect(made.bytes == reference.bytes)
    }

    @Test("an opaque 3:2 picture takes 21 bytes, none more than 25")
    func length() throws {
        let opaque = try #require(hash(32, 21) { x, y in [UInt8(x * 8), UInt8(y * 12), 128, 255] })
        #expect(opaque.bytes.count == 21)
        #expect(!opaque.hasAlpha)
        let clear = try #require(hash(32, 32) { x, y in [UInt8(x * 8), UInt8(y * 8), 128, UInt8(x * 8)] })
        #expect(clear.bytes.count <= 25)
        #expect(clear.hasAlpha)
        let square = try #require(hash(32, 32) { x, y in [UInt8(x * 8), UInt8(y * 8), 128, 255] })
        #expect(square.bytes.count <= 25)
    }

    @Test("the average colour is read back")
    func average() throws {
        let flat = try #require(hash(20, 20) { _, _ in [200, 100, 50, 255] })
        let color = flat.averageColor
        #expect(abs(Int(color >> 16) - 200) <= 8)
        #expect(abs(Int(color >> 8 & 255) - 100) <= 8)
        #expect(abs(Int(color & 255) - 50) <= 8)
    }

    @Test("what cannot be hashed or is no hash gives nil")
    func refused() {
        #expect(ThumbHash(width: 0, height: 4, rgba: []) == nil)
        #expect(ThumbHash(width: 101, height: 4, rgba: [UInt8](repeating: 0, count: 1616)) == nil)
        #expect(ThumbHash(width: 4, height: 4, rgba: [1, 2, 3]) == nil)
        #expect(ThumbHash(bytes: []) == nil)
        #expect(ThumbHash(bytes: [1, 2, 3, 4]) == nil)
        #expect(ThumbHash(bytes: [UInt8](repeating: 1, count: 26)) == nil)
    }
}
