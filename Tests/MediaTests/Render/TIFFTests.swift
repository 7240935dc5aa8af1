import Glibc
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)), .enabled(if: PictureKind.tiff.isBuiltIn))
struct TIFFTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 60, height: 40)

    @Test("8 and 16 bits are rendered in either byte order, in strips of any height")
    func plain() throws {
        for bigEndian in [false, true] {
            for (bits, rows) in [(8, 80), (8, 7), (16, 16)] {
                let tags = TIFFFile.picture(.quadrants(), bits: bits, rows: rows)
                let magic: [UInt8] = bigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
                let file = TIFFFile(magic: magic, directories: [tags])
                try renderer.expectQuadrants(file.bytes, "\(bits) bits, \(rows) rows")
            }
        }
    }

    @Test("BigTIFF is rendered in either byte order")
    func big() throws {
        for magic in [[0x49, 0x49, 43, 0], [0x4D, 0x4D, 0, 43]] as [[UInt8]] {
            let file = TIFFFile(magic: magic, isBig: true, directories: [TIFFFile.picture(.quadrants(), rows: 7)])
            try renderer.expectQuadrants(file.bytes, "\(magic)")
            for count in [4, 8, 15, 16, 60] {
                #expect(throws: RenderError.self) {
                    try renderer.render(Array(file.bytes.prefix(count)), size: box)
                }
            }
        }
    }

    @Test("LZW, ZIP, JPEG, tiles, palettes and CMYK are rendered")
    func compressed() throws {
        try renderer.expectQuadrants(RealTIFFs.lzw, "LZW")
        try renderer.expectQuadrants(RealTIFFs.zip, "ZIP")
        try renderer.expectQuadrants(RealTIFFs.jpeg, "JPEG", tolerance: 20)
        try renderer.expectQuadrants(RealTIFFs.tiled, "tiles")
        try renderer.expectQuadrants(RealTIFFs.palette, "palette")
        try renderer.expectQuadrants(RealTIFFs.cmyk, "CMYK")
    }

    @Test(
        "a large picture is reduced while it is decoded, with the same result as afterwards", arguments: [1, 3, 16, 77])
    func reduced(rows: Int) throws {
        let picture = TestPicture.chirp(701, 467)
        let tiff = try renderer.pixels(TIFFFile(directories: [TIFFFile.picture(picture, rows: rows)]).bytes, size: box)
        let png = try renderer.pixels(Encode.png(picture, alpha: false), size: box)
        #expect(tiff.width == png.width && tiff.height == png.height)
        let differences = zip(tiff.rgba, png.rgba).map { abs(Int($0) - Int($1)) }
        #expect((differences.max() ?? 255) <= 8)
    }

    @Test("all eight orientations are shown upright")
    func orientation() throws {
        for orientation in 1...8 {
            var tags = TIFFFile.picture(TestPicture.quadrants().stored(orientation: orientation))
            tags[0x112] = .shorts([orientation])
            try renderer.expectQuadrants(TIFFFile(directories: [tags]).bytes, "\(orientation)")
        }
    }

    @Test("alpha, luma and a profile are kept")
    func channels() throws {
        let half = TestPicture(width: 100, height: 80) { x, _ in x < 50 ? [255, 0, 0, 255] : [0, 255, 0, 0] }
        let clear = try renderer.render(
            TIFFFile(directories: [TIFFFile.picture(half, channels: 4)]).bytes,
            size: ThumbnailSize(width: 50, height: 40),
            options: RenderOptions(format: .webp)
        ).decoded()
        #expect(clear.pixel(10, 20)[3] == 255 && clear.pixel(40, 20)[3] == 0)
        let grey = try renderer.render(
            TIFFFile(directories: [TIFFFile.picture(.flat(90, 60, [90, 90, 90, 255]), channels: 1)]).bytes, size: box
        ).decoded()
        #expect(grey.differs(20, 20, from: [90, 90, 90]) <= 2)
        var tags = TIFFFile.picture(.quadrants())
        tags[0x8773] = .bytes(Array("a profile of more than four bytes".utf8))
        let header = try PictureHeader(TIFFFile(directories: [tags]).bytes)
        #expect(header.profile.count == 1 && header.profileBytes == 33)
    }

    @Test("a reduced picture in the file is shown if it is large enough")
    func subfile() throws {
        var small = TIFFFile.picture(.flat(75, 50, TestPicture.blue))
        small[0xFE] = .longs([1])
        var main = TIFFFile.picture(.flat(300, 200, TestPicture.red))
        let chained = TIFFFile(directories: [main, small])
        main[0x14A] = .directories([small])
        for file in [TIFFFile(directories: [main]), chained] {
            let little = try renderer.render(file.bytes, size: box)
            #expect(little.sourceWidth == 300)
            #expect(little.decoded().differs(20, 20, from: TestPicture.blue) <= 10)
            let large = try renderer.render(file.bytes, size: ThumbnailSize(width: 150, height: 100)).decoded()
            #expect(large.differs(20, 20, from: TestPicture.red) <= 10)
        }
    }

    @Test("a truncated file is shown as far as it goes and marked as damaged")
    func truncated() throws {
        let bytes = TIFFFile(directories: [TIFFFile.picture(.quadrants(), rows: 8)]).bytes
        let cut = Array(bytes.prefix(bytes.count * 7 / 10))
        let thumbnail = try renderer.render(cut, size: box)
        #expect(thumbnail.isDamaged && thumbnail.width == 60)
        let seen = thumbnail.decoded()
        #expect(seen.differs(14, 9, from: TestPicture.red) <= 12)
        #expect(seen.differs(44, 36, from: [255, 255, 255]) <= 12, "\(seen.pixel(44, 36))")
        for count in [8, 60, 300] {
            let error = #expect(throws: RenderError.self) { try renderer.render(Array(bytes.prefix(count)), size: box) }
            #expect(error?.retryable == true, "\(count): \(error.map { "\($0)" } ?? "")")
        }
    }

    @Test("a file without its last 1% is marked as damaged", arguments: [0.5, 0.9, 0.99])
    func cut(share: Double) throws {
        let bytes = TIFFFile(directories: [TIFFFile.picture(.quadrants(), rows: 8)]).bytes
        let thumbnail = try renderer.render(Array(bytes.prefix(Int(Double(bytes.count) * share))), size: box)
        #expect(thumbnail.isDamaged && thumbnail.decoded().differs(14, 9, from: TestPicture.red) <= 40)
    }

    @Test("corrupted data are shown and marked as damaged")
    func corrupted() throws {
        for (name, file) in [("LZW", RealTIFFs.lzw), ("JPEG", RealTIFFs.jpeg), ("CMYK", RealTIFFs.cmyk)] {
            var bytes = file
            bytes.replaceSubrange(400..<416, with: repeatElement([0xFF, 0xD9], count: 8).joined())
            #expect(try renderer.render(bytes, size: box).isDamaged, "\(name)")
        }
    }

    @Test("an oversized or unsupported TIFF is refused with its reason")
    func refused() {
        func reason(_ bytes: [UInt8], _ renderer: PictureRenderer) -> String {
            do throws(RenderError) {
                _ = try renderer.render(bytes, size: box)
                return "rendered"
            } catch {
                return "\(error)"
            }
        }
        var tags = TIFFFile.picture(.quadrants())
        tags[0x100] = .longs([20_000])
        tags[0x101] = .longs([15_000])
        #expect(
            reason(TIFFFile(directories: [tags]).bytes, renderer)
                == "TIFF of 20000 x 15000 pixels is over the limit of 256 megapixels")
        var floats = TIFFFile.picture(.quadrants())
        floats[0x102] = .shorts([24, 24, 24])
        floats[0x153] = .shorts([3, 3, 3])
        #expect(reason(TIFFFile(directories: [floats]).bytes, renderer).hasPrefix("not supported: TIFF: "))
        var limits = RenderLimits()
        limits.workerMemory = 64 << 10
        // LZW's strips cannot be cut.
        #expect(reason(RealTIFFs.lzw, PictureRenderer(limits: limits)) == "TIFF: its strips are too large")
    }
}
