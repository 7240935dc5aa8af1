import Catalog
import Demo
import Testing

@Suite struct FilmEdgeTests {
    @Test(
        "a picture's number is read from its pixels and its JPEG",
        arguments: [0, 1, 7, 99, 123_456, 9_999_999, FilmEdge.maxNumber])
    func reads(_ number: Int) throws {
        let picture = try #require(DemoPicture(width: 320, height: 200, text: "food \(number)", isMarked: true))
        let pixels = picture.pixels()
        #expect(FilmEdge.number(rgba: bytes(pixels), width: 320, height: 200) == number)
        #expect(FilmEdge.number(jpeg: try #require(picture.jpeg())) == number)
    }

    @Test("the number survives scaling to a thumbnail and JPEG quality 75", arguments: [96, 128, 200, 256])
    func thumbnails(_ width: Int) throws {
        for number in [3, 54_321, 8_388_607] {
            for (wide, high) in [(600, 400), (400, 600), (640, 360), (500, 500)] {
                let picture = try #require(
                    DemoPicture(width: wide, height: high, text: "food \(number)", isMarked: true))
                let height = high * width / wide
                let small = scaled(picture.pixels(), wide, high, width, height)
                let jpeg = try #require(DemoPicture.encode(small, width: width, height: height, quality: 75))
                #expect(FilmEdge.number(jpeg: jpeg) == number, "\(wide)x\(high) at \(width)")
            }
        }
    }

    @Test("pictures without a number, other images and noise have no number")
    func noNumber() throws {
        let picture = try #require(DemoPicture(width: 320, height: 200, text: "hello", isMarked: true))
        #expect(FilmEdge.number(jpeg: try #require(picture.jpeg())) == nil)
        #expect(FilmEdge.number(rgba: [UInt8](repeating: 128, count: 320 * 200 * 4), width: 320, height: 200) == nil)
        #expect(FilmEdge.number(rgba: [1, 2, 3], width: 320, height: 200) == nil)
        #expect(FilmEdge.number(rgba: [], width: 0, height: 0) == nil)
        #expect(FilmEdge.number(jpeg: [1, 2, 3]) == nil)
        #expect(FilmEdge.number(jpeg: []) == nil)
    }

    @Test("a damaged strip has no number")
    func damaged() throws {
        let picture = try #require(DemoPicture(width: 320, height: 200, text: "food 5", isMarked: true))
        let whole = picture.pixels()
        var wrong = 0
        for cell in 1..<31 {
            var pixels = whole
            // Invert the cell.
            for y in (180 + cell / 16 * 10)..<(190 + cell / 16 * 10) {
                for x in (cell % 16 * 20)..<(cell % 16 * 20 + 20) { pixels[y * 320 + x] ^= 0x00FF_FFFF }
            }
            if FilmEdge.number(rgba: bytes(pixels), width: 320, height: 200) != nil { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test("a text always gives the same picture, and any text is painted")
    func deterministic() throws {
        let first = try #require(DemoPicture(width: 160, height: 120, text: "food 41", isMarked: true))
        let second = try #require(DemoPicture(width: 160, height: 120, text: "food 42", isMarked: true))
        #expect(first.pixels() == first.pixels())
        #expect(first.pixels() != second.pixels())
        for text in ["", "food", "é\u{0}\u{FFFF}", "99999999999999999999", String(repeating: "x", count: 64)] {
            let picture = try #require(DemoPicture(width: 16, height: 16, text: text))
            #expect(picture.jpeg() != nil)
        }
        for (width, height) in [(16, 4096), (4096, 16), (17, 31)] {
            for number in 0..<24 {
                let picture = try #require(DemoPicture(width: width, height: height, text: "\(number)"))
                #expect(picture.pixels().count == width * height)
            }
        }
    }

    @Test("sizes and texts out of bounds are refused")
    func bounds() {
        #expect(DemoPicture(width: 15, height: 100, text: "") == nil)
        #expect(DemoPicture(width: 100, height: 4097, text: "") == nil)
        #expect(DemoPicture(width: 100, height: 100, text: String(repeating: "x", count: 65)) == nil)
    }

    private func bytes(_ pixels: [UInt32]) -> [UInt8] { pixels.withUnsafeBytes { Array($0) } }

    /// Scales pixels down by averaging.
    private func scaled(_ pixels: [UInt32], _ wide: Int, _ high: Int, _ width: Int, _ height: Int) -> [UInt32] {
        var result = [UInt32](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let columns = (x * wide / width)..<max((x + 1) * wide / width, x * wide / width + 1)
                let rows = (y * high / height)..<max((y + 1) * high / height, y * high / height + 1)
                var sums: (UInt32, UInt32, UInt32) = (0, 0, 0)
                for row in rows {
                    for column in columns {
                        let pixel = pixels[row * wide + column]
                        sums.0 += pixel & 255
                        sums.1 += pixel >> 8 & 255
                        sums.2 += pixel >> 16 & 255
                    }
                }
                let count = UInt32(columns.count * rows.count)
                result[y * width + x] = sums.0 / count | sums.1 / count << 8 | sums.2 / count << 16
            }
        }
        return result
    }
}
