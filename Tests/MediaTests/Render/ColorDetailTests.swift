import CImageCodecs
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct ColorDetailTests {
    private let renderer = PictureRenderer()

    private static func checker(_ side: Int, _ square: Int = 1) -> TestPicture {
        TestPicture(width: side, height: side) { x, y in
            (x / square + y / square) % 2 == 0 ? [255, 0, 0, 255] : [0, 0, 255, 255]
        }
    }

    private static let photograph = TestPicture.chirp(600, 400)

    @Test("a checkerboard of 16 x 16 pixels keeps every pixel from PNG, GIF and WebP")
    func checker() throws {
        let picture = Self.checker(16)
        for (name, bytes) in [
            ("PNG", Encode.png(picture)), ("GIF", Encode.gif(picture)), ("WebP", Encode.webp(picture, lossless: true)),
        ] {
            let thumbnail = try renderer.render(
                bytes, size: ThumbnailSize(width: 256, height: 256), options: RenderOptions(smallSide: 64))
            #expect(thumbnail.decoded().rgba == picture.rgba, "\(name)")
            #expect(thumbnail.mediaType == "image/webp")
            #expect(Thumbnail.webp(thumbnail.small).rgba == picture.rgba, "\(name), the smaller tier")
            #expect(thumbnail.bytes.count < 100, "\(name): \(thumbnail.bytes.count) bytes")
        }
        let whole = try renderer.render(
            Encode.jpeg(picture, quality: 100, sampling: TJSAMP_444), size: ThumbnailSize(width: 256, height: 256))
        #expect(whole.decoded().differs(3, 4, from: picture.pixel(3, 4)) < 16)
    }

    @Test("a scaled drawing of few colours keeps its colours at full resolution")
    func scaled() throws {
        let picture = Self.checker(400, 4)
        let thumbnail = try renderer.render(Encode.png(picture), size: ThumbnailSize(width: 200, height: 200))
        #expect(thumbnail.mediaType == "image/jpeg")
        let seen = thumbnail.decoded()
        // Squares of two pixels. At half resolution, red and blue would blend to purple where they meet.
        let whole = stride(from: 2, to: 190, by: 4).filter { x in
            seen.differs(x, 2, from: [255, 0, 0]) < 60 && seen.differs(x + 2, 2, from: [0, 0, 255]) < 60
        }
        #expect(whole.count > 40, "\(seen.pixel(2, 2)) \(seen.pixel(4, 2))")
        #expect(sampling(thumbnail.bytes) == TJSAMP_444)
    }

    @Test("thumbnails of photographs have 4:2:0 colours in both tiers")
    func photographs() throws {
        var random: UInt32 = 7
        let noisy = TestPicture(width: 600, height: 400) { x, y in
            random = random &* 1_664_525 &+ 1_013_904_223
            let noise = (0..<4).map { $0 < 3 ? UInt8(random >> UInt32(24 + $0)) & 7 : 0 }
            return zip(Self.photograph.pixel(x, y), noise).map { $0 ^ $1 }
        }
        for bytes in [Encode.jpeg(noisy, sampling: TJSAMP_444), Encode.png(noisy), Encode.webp(noisy)] {
            let thumbnail = try renderer.render(
                bytes, size: ThumbnailSize(width: 300, height: 200), options: RenderOptions(smallSide: 64))
            #expect(sampling(thumbnail.bytes) == TJSAMP_420)
            #expect(sampling(thumbnail.small) == TJSAMP_420)
        }
        // A small 4:2:0 file gains nothing from full resolution.
        let small = Encode.jpeg(.quadrants(48, 32), sampling: TJSAMP_420)
        #expect(sampling(try renderer.render(small, size: ThumbnailSize(width: 64, height: 64)).bytes) == TJSAMP_420)
    }

    private func sampling(_ bytes: [UInt8]) -> TJSAMP? {
        let handle = tjInitDecompress()
        defer { tjDestroy(handle) }
        var width: Int32 = 0, height: Int32 = 0, sampling: Int32 = 0, space: Int32 = 0
        guard tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space) == 0 else {
            return nil
        }
        return TJSAMP(rawValue: UInt32(sampling))
    }
}
