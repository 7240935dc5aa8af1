import Pipeline
import Testing

@Suite struct ProgressiveStopTests {
    private let jpeg = Encode.jpeg(.chirp(1600, 1200), quality: 90, progressive: true)

    /// How many bytes were fed, in pieces of `piece`, before it was enough.
    private func fed(_ bytes: [UInt8], _ size: ThumbnailSize, piece: Int) -> Int? {
        var stop = ProgressiveStop(size: size)
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + piece)
            if stop.append(bytes[place..<end]) { return end }
            place = end
        }
        return nil
    }

    @Test("the bytes of the first scans make the thumbnail of the whole", arguments: [160, 320, 640, 1200])
    func sameThumbnail(width: Int) throws {
        let size = ThumbnailSize(width: width, height: 0)
        let count = try #require(fed(jpeg, size, piece: 100))
        #expect(count < jpeg.count * 3 / 4, "\(count) of \(jpeg.count)")
        let renderer = PictureRenderer()
        let early = try renderer.render(
            Array(jpeg.prefix(count)), size: size, options: RenderOptions(acceptsPartial: true))
        #expect(try early == renderer.render(jpeg, size: size))
    }

    @Test("how the bytes are cut into pieces makes no difference")
    func pieces() throws {
        let size = ThumbnailSize(width: 320, height: 240)
        let exact = try #require(fed(jpeg, size, piece: 1))
        for piece in [2, 3, 7, 100, 4096] {
            let count = try #require(fed(jpeg, size, piece: piece))
            #expect(count >= exact && count < exact + piece)
        }
    }

    @Test("other pictures are needed whole")
    func others() {
        for bytes in [Encode.jpeg(.quadrants()), Encode.png(.quadrants()), Array("<html><body>".utf8)] {
            var stop = ProgressiveStop(size: ThumbnailSize(width: 60, height: 40))
            let isEnough = stop.append(bytes)
            #expect(!isEnough)
            #expect(stop.needsAll)
        }
    }
}
