import Media
import Numbers
import TestSupport
import Testing

@Suite struct ProgressiveStopTests {
    private let jpeg = Encode.jpeg(.chirp(1600, 1200), quality: 90, progressive: true)

    /// Number of bytes fed, in pieces of `piece`, until the reader had enough.
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

    @Test("the bytes of the first scans give the same thumbnail as the whole file", arguments: [160, 320, 640])
    func sameThumbnail(width: Int) throws {
        let size = ThumbnailSize(width: width, height: 0)
        let count = try #require(fed(jpeg, size, piece: 100))
        #expect(count < jpeg.count * 3 / 4, "\(count) of \(jpeg.count)")
        let renderer = PictureRenderer()
        let early = try renderer.render(
            Array(jpeg.prefix(count)), size: size, options: RenderOptions(acceptsPartial: true))
        #expect(try early == renderer.render(jpeg, size: size))
    }

    @Test("the stop does not depend on how the bytes are split into pieces")
    func pieces() throws {
        let size = ThumbnailSize(width: 320, height: 240)
        let exact = try #require(fed(jpeg, size, piece: 1))
        for piece in [2, 3, 7, 100, 4096] {
            let count = try #require(fed(jpeg, size, piece: piece))
            #expect(count >= exact && count < exact + piece)
        }
    }

    @Test("a file other than a progressive JPEG is needed whole")
    func others() {
        for bytes in [Encode.jpeg(.quadrants()), Encode.png(.quadrants()), Array("<html><body>".utf8)] {
            var stop = ProgressiveStop(size: ThumbnailSize(width: 60, height: 40))
            let isEnough = stop.append(bytes)
            #expect(!isEnough)
            #expect(stop.needsAll)
        }
    }

    @Test("a picture at full size is needed whole")
    func fullSize() {
        #expect(fed(jpeg, ThumbnailSize(width: 1200, height: 0), piece: 1000) == nil)
    }

    @Test("a scan counts only once the next marker has arrived")
    func finished() throws {
        let count = try #require(fed(jpeg, ThumbnailSize(width: 160, height: 0), piece: 1))
        #expect(jpeg[count - 2] == 0xFF && jpeg[count - 1] != 0)
    }

    @Test("no mutated picture crashes the reader, or is both enough and needed whole")
    func mutations() {
        var random = SeededRandom(seed: 7)
        let jpeg = Encode.jpeg(.chirp(96, 64), quality: 80, progressive: true)
        for _ in 0..<2_000 {
            var bytes = jpeg
            for _ in 0..<8 {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            var stop = ProgressiveStop(size: ThumbnailSize(width: 12, height: 8))
            var place = 0
            while place < bytes.count, !stop.isEnough, !stop.needsAll {
                stop.append(bytes[place..<min(place + 50, bytes.count)])
                place += 50
            }
            #expect(!(stop.isEnough && stop.needsAll))
        }
    }
}
