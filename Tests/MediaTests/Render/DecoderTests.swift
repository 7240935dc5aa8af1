import CImageCodecs
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DecoderTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 60, height: 40)

    /// Quadrants, and the tolerance before the thumbnail is encoded.
    private static let quadrants: [(NamedFile, Int)] = {
        let picture = TestPicture.quadrants(), flat = TestPicture.flat(120, 80, TestPicture.red)
        var files: [(NamedFile, Int)] = [
            (NamedFile("JPEG 2x2, 2x1, 1x2", RealPictures.oddSamplingJPEG), 4),
            (NamedFile("TurboJPEG's progressive JPEG", Encode.jpeg(picture, progressive: true)), 4),
            (NamedFile("ImageMagick's progressive JPEG", RealPictures.progressiveJPEG), 4),
            (NamedFile("CMYK JPEG", RealPictures.cmykJPEG), 6),
            // Without black ink, inverted cyan, magenta and yellow are red, green and blue.
            (NamedFile("inverted CMYK JPEG", Encode.cmyk(picture)), 6),
            (NamedFile("RGB PNG", Encode.png(picture, alpha: false)), 4), (NamedFile("PNG", Encode.png(picture)), 4),
            (NamedFile("linear PNG of 16 bits", Encode.png16(picture)), 8),
            (NamedFile("interlaced PNG of 16 bits", RealPictures.deepPNG), 4),
            (NamedFile("interlaced PNG", RealPictures.interlacedPNG), 4),
            (NamedFile("lossy WebP", Encode.webp(picture)), 6),
            (NamedFile("lossless WebP of 900 x 600", Encode.webp(.quadrants(900, 600), lossless: true)), 4),
            (NamedFile("animated WebP", RealPictures.animatedWebP), 4), (NamedFile("GIF", Encode.gif(picture)), 4),
            (NamedFile("interlaced GIF", Encode.gif(picture, interlaced: true)), 4),
            (NamedFile("animated GIF", Encode.gif(picture, second: flat)), 4),
            (NamedFile("GIF with local palettes", Encode.gif(picture, localPalette: true)), 4),
        ]
        for sampling in [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_440, TJSAMP_411] {
            files.append((NamedFile("JPEG \(sampling.rawValue)", Encode.jpeg(picture, sampling: sampling)), 4))
        }
        return files
    }()

    @Test("every format, depth, sampling and order of rows is rendered", arguments: quadrants)
    func formats(file: NamedFile, tolerance: Int) throws {
        try renderer.expectQuadrants(
            file.bytes, file.name, tolerance: tolerance + 10, pixelTolerance: tolerance)
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

    @Test("a grey JPEG stays grey")
    func grey() throws {
        let bytes = Encode.jpeg(.flat(100, 100, [90, 90, 90, 255]), sampling: TJSAMP_GRAY)
        let picture = try renderer.render(bytes, size: box).decoded()
        #expect(picture.differs(20, 20, from: [90, 90, 90]) <= 2)
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

    @Test("an animation's first frame is shown at its place on the canvas")
    func partialFrame() throws {
        let picture = try renderer.render(RealPictures.partialWebP, size: ThumbnailSize(width: 120, height: 80))
            .decoded()
        #expect(picture.differs(25, 16, from: TestPicture.red) <= 8)
        #expect(picture.differs(60, 40, from: [255, 255, 255]) <= 4)
        #expect(picture.differs(4, 16, from: [255, 255, 255]) <= 8)
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
        try renderer.expectHalfClear(Encode.png(.halfClear))
        let photo = try renderer.render(Encode.jpeg(.quadrants()), size: box, options: RenderOptions(format: .webp))
        #expect(photo.mediaType == "image/webp" && photo.decoded().differs(14, 9, from: TestPicture.red) <= 12)
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
