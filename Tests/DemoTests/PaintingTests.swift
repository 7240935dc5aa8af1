import Demo
import Testing

@Suite struct PaintingTests {
    @Test(
        "a picture's number fits into cells from square to 4:3",
        arguments: [(600, 400), (960, 360), (400, 600), (500, 500)] as [(Float, Float)])
    func numberPlace(width: Float, height: Float) {
        let place = DemoPicture.numberPlace(width: width, height: height)
        for ratio: Float in [1, 4.0 / 3] {
            let shown = (width: min(width, height * ratio), height: min(height, width / ratio))
            #expect(place.left > width / 2 - shown.width / 2 + 4)
            #expect(place.left + 8 * 0.78 * place.digitHeight < width / 2 + shown.width / 2)
            #expect(place.bottom < height / 2 + shown.height / 2)
        }
    }

    @Test("edges are sharp: a picture at double size looks the same when scaled down")
    func edges() throws {
        let catalog = DemoCatalog(itemCount: 100, origin: "http://h")
        let index = try #require((0..<100).first { catalog.item($0)?.title.hasPrefix("Moonrise") == true })
        let (width, height, text) = (300, 200, "food \(index + 1)")
        let small = try #require(DemoPicture(width: width, height: height, text: text)).pixels()
        let large = try #require(DemoPicture(width: 2 * width, height: 2 * height, text: text)).pixels()
        var different = 0
        // The lower half has the number on it.
        for y in 0..<height / 2 {
            for x in 0..<width {
                let corner = 4 * y * width + 2 * x
                let four = [corner, corner + 1, corner + 2 * width, corner + 2 * width + 1]
                let mean = four.reduce(0) { $0 + Int(large[$1] >> 8 & 255) } / 4
                if abs(mean - Int(small[y * width + x] >> 8 & 255)) > 40 { different += 1 }
            }
        }
        #expect(different < 10)
    }
}
