import Media
import Numbers
import Testing

@Suite struct ThumbHashTests {
    private func hash(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> [UInt8]) -> ThumbHash? {
        var rgba: [UInt8] = []
        for y in 0..<height { for x in 0..<width { rgba += pixel(x, y) } }
        return ThumbHash(width: width, height: height, rgba: rgba)
    }

    @Test("the hash equals the one of the published encoder", arguments: ReferenceHash.all)
    func reference(reference: ReferenceHash) throws {
        let made = try #require(hash(reference.width, reference.height, reference.pixel))
        #expect(made.bytes == reference.bytes)
    }

    @Test("an opaque 3:2 picture takes 21 bytes, and no picture more than 25")
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

    @Test(
        "a hash's length is read from its first bytes, and the bytes behind it are ignored",
        arguments: ReferenceHash.all)
    func prefix(reference: ReferenceHash) throws {
        let padded = reference.bytes + [UInt8](repeating: 0, count: 25 - reference.bytes.count)
        #expect(ThumbHash(prefixOf: padded)?.bytes == reference.bytes)
        #expect(ThumbHash(prefixOf: padded + [7, 7])?.bytes == reference.bytes)
        #expect(ThumbHash(prefixOf: reference.bytes.dropLast()) == nil)
        #expect(ThumbHash(prefixOf: [UInt8](repeating: 0, count: 25)) == nil)
    }

    @Test("the length of any random picture's hash is read from its first bytes")
    func anyPrefix() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let (width, height) = (Int.random(in: 1...32, using: &random), Int.random(in: 1...32, using: &random))
            let isOpaque = Bool.random(using: &random)
            let made = hash(width, height) { _, _ in
                (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } + [
                    isOpaque ? 255 : UInt8.random(in: 0...254, using: &random)
                ]
            }
            let bytes = try #require(made?.bytes)
            #expect(ThumbHash(prefixOf: bytes + [UInt8](repeating: 0, count: 25 - bytes.count))?.bytes == bytes)
        }
    }

    @Test("a column stores hashes of any length and marks unavailable items")
    func column() throws {
        let hashes = ReferenceHash.all.map(\.bytes)
        var column = ThumbHashColumn(count: hashes.count + 2)
        #expect(column[0] == nil && column.isOpen(0))
        for (index, hash) in hashes.enumerated() { column[index] = hash }
        column.setUnavailable(hashes.count)
        for (index, hash) in hashes.enumerated() { #expect(column[index] == hash && !column.isOpen(index)) }
        #expect(column[hashes.count] == nil && !column.isOpen(hashes.count))
        #expect(column[hashes.count + 1] == nil && column.isOpen(hashes.count + 1))
        column[0] = nil
        #expect(column[0] == nil && column.isOpen(0))
    }

    @Test("impossible pictures and malformed hashes give nil")
    func refused() {
        #expect(ThumbHash(width: 0, height: 4, rgba: []) == nil)
        #expect(ThumbHash(width: 101, height: 4, rgba: [UInt8](repeating: 0, count: 1616)) == nil)
        #expect(ThumbHash(width: 4, height: 4, rgba: [1, 2, 3]) == nil)
        #expect(ThumbHash(bytes: []) == nil)
        #expect(ThumbHash(bytes: [1, 2, 3, 4]) == nil)
        #expect(ThumbHash(bytes: [UInt8](repeating: 1, count: 26)) == nil)
    }
}
