import CImageCodecs
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DecoderTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 60, height: 40)

    /// Expects red, green over blue, yellow.
    private func expectQuadrants(
        _ bytes: [UInt8], _ name: String, tolerance: Int = 4, location: SourceLocation = #_sourceLocation
    ) throws {
        let thumbnail = try renderer.render(bytes, size: box)
        #expect(thumbnail.width == 60 && thumbnail.height == 40, "\(name)", sourceLocation: location)
        let picture = thumbnail.decoded()
        #expect(picture.width == 60 && picture.height == 40, "\(name)", sourceLocation: location)
        let places = [
            (14, 9, TestPicture.red), (44, 9, TestPicture.green), (14, 29, TestPicture.blue),
            (44, 29, TestPicture.yellow),
        ]
        let pixels = try renderer.pixels(bytes, size: box)
        let raw = TestPicture(width: pixels.width, height: pixels.height, rgba: pixels.rgba)
        for (x, y, color) in places {
            let before = raw.differs(x, y, from: color)
            #expect(before <= tolerance, "\(name) at \(x), \(y): \(raw.pixel(x, y))", sourceLocation: location)
            // The thumbnail's own quantisation adds to the difference.
            let after = picture.differs(x, y, from: color)
            #expect(after <= tolerance + 10, "\(name) at \(x), \(y): \(picture.pixel(x, y))", sourceLocation: location)
        }
    }

    @Test("JPEG of every chroma sampling is rendered")
    func jpeg() throws {
        let picture = TestPicture.quadrants()
        for sampling in [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411] {
            try expectQuadrants(Encode.jpeg(picture, sampling: sampling), "sampling \(sampling.rawValue)")
        }
        try expectQuadrants(RealPictures.oddSamplingJPEG, "2x2, 2x1, 1x2")
    }

    @Test("JPEG is decoded correctly at every scale", arguments: [1, 2, 3, 5, 6, 11, 17])
    func scales(factor: Int) throws {
        for (extraX, extraY) in [(0, 0), (1, 1), (factor - 1, 0)] {
            let picture = TestPicture.quadrants(60 * factor + extraX, 40 * factor + extraY)
            for progressive in [false, true] {
                let thumbnail = try renderer.render(Encode.jpeg(picture, progressive: progressive), size: box)
                let seen = thumbnail.decoded()
                #expect(seen.differs(10, 8, from: TestPicture.red) <= 8)
                #expect(seen.differs(seen.width - 10, seen.height - 8, from: TestPicture.yellow) <= 8)
            }
        }
    }

    @Test("a long picture is rendered if it has few pixels")
    func long() throws {
        for (name, bytes, width, height) in [
            ("a wide JPEG", Encode.jpeg(.flat(24_000, 8, TestPicture.red)), 4096, 1),
            ("a tall PNG", Encode.png(.flat(4, 30_000, TestPicture.red)), 1, 4096),
        ] {
            let thumbnail = try renderer.render(bytes, size: box)
            #expect(thumbnail.width == width && thumbnail.height == height, "\(name)")
            #expect(thumbnail.decoded().differs(width / 2, height / 2, from: TestPicture.red) <= 14, "\(name)")
        }
    }

    @Test("the mean of a row of 200,000 pixels is correct")
    func longRow() throws {
        let row = Encode.png(.flat(200_000, 1, TestPicture.red))
        let pixel = try renderer.pixels(row, size: ThumbnailSize(width: 1, height: 0))
        #expect(pixel.rgba.count == 4)
        let shown = TestPicture(width: pixel.width, height: pixel.height, rgba: pixel.rgba)
        #expect(shown.differs(0, 0, from: TestPicture.red) <= 2)
    }

    @Test("progressive JPEG of TurboJPEG and ImageMagick is rendered")
    func progressive() throws {
        try expectQuadrants(Encode.jpeg(.quadrants(), progressive: true), "TurboJPEG's")
        try expectQuadrants(RealPictures.progressiveJPEG, "ImageMagick's")
    }

    @Test("a grey JPEG stays grey")
    func grey() throws {
        let bytes = Encode.jpeg(.flat(100, 100, [90, 90, 90, 255]), sampling: TJSAMP_GRAY)
        let picture = try renderer.render(bytes, size: box).decoded()
        #expect(picture.differs(20, 20, from: [90, 90, 90]) <= 2)
    }

    @Test("CMYK and YCCK JPEG are shown in their colours")
    func cmyk() throws {
        try expectQuadrants(RealPictures.cmykJPEG, "CMYK", tolerance: 6)
        // Without black ink, inverted cyan, magenta and yellow are red, green and blue.
        try expectQuadrants(Encode.cmyk(.quadrants()), "inverted CMYK", tolerance: 6)
    }

    @Test("a CMYK JPEG without Adobe's marker is shown as in browsers, with 255 as no ink")
    func inksWithoutMarker() throws {
        let adobe = Encode.cmyk(.flat(60, 40, [100, 180, 60, 255]))
        let plain = Segments.removing(0xEE, fromJPEG: adobe)
        #expect(plain.count < adobe.count)
        // The marker also declared luma and chroma. Without it, the same bytes are inks.
        let seen = try renderer.render(plain, size: box).decoded()
        #expect(seen.differs(20, 20, from: [113, 174, 158]) <= 4, "\(seen.pixel(20, 20))")
    }

    @Test("PNG is rendered in 8 and 16 bits, with alpha and interlaced")
    func png() throws {
        try expectQuadrants(Encode.png(.quadrants(), alpha: false), "RGB")
        try expectQuadrants(Encode.png(.quadrants()), "RGBA")
        try expectQuadrants(Encode.png16(.quadrants()), "16 bits, linear", tolerance: 8)
        try expectQuadrants(RealPictures.deepPNG, "16 bits, interlaced")
        try expectQuadrants(RealPictures.interlacedPNG, "interlaced")
    }

    @Test("a transparent palette colour is shown on white")
    func palette() throws {
        let picture = try renderer.render(RealPictures.palettePNG, size: box).decoded()
        #expect(picture.differs(14, 9, from: [255, 255, 255]) <= 4)
        #expect(picture.differs(44, 29, from: TestPicture.yellow) <= 8)
    }

    @Test("a white drawing without background is shown on grey, and other pictures on white")
    func white() throws {
        func picture(_ left: [UInt8], _ right: [UInt8]) throws -> [[UInt8]] {
            var picture = TestPicture.flat(60, 40, left)
            for y in 0..<40 { for x in 30..<60 { for c in 0..<4 { picture.rgba[(y * 60 + x) * 4 + c] = right[c] } } }
            let seen = try renderer.render(Encode.png(picture), size: box).decoded()
            return [Array(seen.pixel(14, 20).prefix(3)), Array(seen.pixel(45, 20).prefix(3))]
        }
        let nothing: [UInt8] = [255, 255, 255, 0], white: [UInt8] = [255, 255, 255, 255]
        let drawn = try picture(nothing, white)
        #expect(drawn[0].allSatisfy { 100...124 ~= $0 } && drawn[1].allSatisfy { $0 > 245 }, "\(drawn)")
        for pixels in [try picture(white, white), try picture(nothing, nothing)] {
            #expect(pixels.joined().allSatisfy { $0 > 250 }, "\(pixels)")
        }
        let red = try picture(nothing, [255, 0, 0, 255])
        #expect(red[0].allSatisfy { $0 > 245 }, "\(red)")
        let black = try picture(nothing, [0, 0, 0, 255])
        #expect(black[0].allSatisfy { $0 > 245 } && black[1].allSatisfy { $0 < 10 }, "\(black)")
    }

    @Test("a mostly white logo is shown on grey, and a page or a coloured logo on white")
    func mostlyWhite() throws {
        let white: [UInt8] = [255, 255, 255, 255], clear: [UInt8] = [0, 0, 0, 0]
        func corner(_ pixel: @escaping (_ x: Int, _ y: Int) -> [UInt8]) throws -> UInt8 {
            let picture = TestPicture(width: 240, height: 160, pixel)
            return try renderer.render(Encode.png(picture), size: box).decoded().pixel(0, 0)[0]
        }
        let logo = try corner { x, y in
            guard 40..<200 ~= x, 40..<120 ~= y else { return clear }
            return x < 60 ? TestPicture.red : white
        }
        #expect(100...124 ~= logo, "\(logo)")
        let page = try corner { x, y in x + y < 16 ? clear : x % 40 < 2 ? TestPicture.blue : white }
        #expect(page > 245, "\(page)")
        let colored = try corner { x, y in
            guard 40..<200 ~= x, 40..<120 ~= y else { return clear }
            return x < 140 ? TestPicture.red : white
        }
        #expect(colored > 245, "\(colored)")
    }

    @Test("WebP is rendered lossy, lossless and animated")
    func webp() throws {
        try expectQuadrants(Encode.webp(.quadrants()), "lossy", tolerance: 6)
        try expectQuadrants(Encode.webp(.quadrants(), lossless: true), "lossless")
        try expectQuadrants(RealPictures.animatedWebP, "animated")
    }

    @Test("a large WebP is scaled and keeps its colours")
    func largeWebP() throws {
        try expectQuadrants(Encode.webp(.quadrants(900, 600), lossless: true), "900 x 600")
    }

    @Test("an animation's first frame is shown at its place on the canvas")
    func partialFrame() throws {
        let picture = try renderer.render(RealPictures.partialWebP, size: ThumbnailSize(width: 120, height: 80))
            .decoded()
        #expect(picture.differs(25, 16, from: TestPicture.red) <= 8)
        #expect(picture.differs(60, 40, from: [255, 255, 255]) <= 4)
        #expect(picture.differs(4, 16, from: [255, 255, 255]) <= 8)
    }

    @Test("GIF is rendered plain, interlaced, animated and with local palettes")
    func gif() throws {
        try expectQuadrants(Encode.gif(.quadrants()), "plain")
        try expectQuadrants(Encode.gif(.quadrants(), interlaced: true), "interlaced")
        try expectQuadrants(Encode.gif(.quadrants(), second: .flat(120, 80, TestPicture.red)), "animated")
        try expectQuadrants(Encode.gif(.quadrants(), localPalette: true), "local palette")
    }

    @Test("a GIF frame that covers part of the screen leaves the rest white")
    func partialGIF() throws {
        let bytes = Encode.gif(.flat(60, 40, TestPicture.blue), screen: (120, 80), at: (60, 40))
        let thumbnail = try renderer.render(bytes, size: ThumbnailSize(width: 120, height: 80))
        let picture = thumbnail.decoded()
        #expect(thumbnail.sourceWidth == 120)
        #expect(picture.differs(90, 60, from: TestPicture.blue) <= 8)
        #expect(picture.differs(30, 20, from: [255, 255, 255]) <= 4)
    }

    @Test("a thumbnail can be encoded as WebP and keeps its transparency")
    func outputs() throws {
        let half = TestPicture(width: 100, height: 80) { x, _ in x < 50 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
        let thumbnail = try renderer.render(
            Encode.png(half), size: ThumbnailSize(width: 50, height: 40), options: RenderOptions(format: .webp))
        #expect(thumbnail.mediaType == "image/webp")
        let picture = thumbnail.decoded()
        #expect(picture.pixel(10, 20)[3] == 255)
        #expect(picture.pixel(40, 20)[3] == 0)
        let photo = try renderer.render(Encode.jpeg(.quadrants()), size: box, options: RenderOptions(format: .webp))
        #expect(photo.decoded().differs(14, 9, from: TestPicture.red) <= 12)
    }

    @Test("invisible pixels do not bleed into visible ones")
    func premultiplied() throws {
        let lurid = TestPicture(width: 200, height: 200) { x, y in
            (x / 3 + y / 3) % 2 == 0 ? [200, 200, 200, 255] : [255, 0, 255, 0]
        }
        let pixels = try renderer.pixels(Encode.png(lurid), size: ThumbnailSize(width: 40, height: 40)).rgba
        for i in stride(from: 0, to: pixels.count, by: 4) where pixels[i + 3] > 16 {
            #expect(abs(Int(pixels[i + 1]) - 200) <= 3)
        }
    }

    @Test("the small tier is made by the same render")
    func small() throws {
        let thumbnail = try renderer.render(
            Encode.jpeg(.quadrants(1200, 800)), size: ThumbnailSize(width: 384, height: 256),
            options: RenderOptions(smallSide: 64))
        let small = Thumbnail.jpeg(thumbnail.small)
        #expect(small.width == 64 && small.height == 43)
        #expect(small.differs(12, 8, from: TestPicture.red) <= 10)
        #expect(small.differs(52, 34, from: TestPicture.yellow) <= 10)
    }

    @Test("tiny and oblong pictures are rendered", arguments: [(1, 1), (2, 1), (1, 3), (5000, 2), (3, 4000)])
    func oblong(width: Int, height: Int) throws {
        let picture = TestPicture.flat(width, height, [40, 120, 200, 255])
        for bytes in [Encode.jpeg(picture), Encode.png(picture), Encode.webp(picture), Encode.gif(picture)] {
            let thumbnail = try renderer.render(bytes, size: ThumbnailSize(width: 384, height: 256))
            #expect(thumbnail.decoded().differs(0, 0, from: [40, 120, 200]) <= 6)
            #expect(thumbnail.sourceWidth == width && thumbnail.sourceHeight == height)
        }
    }
}
