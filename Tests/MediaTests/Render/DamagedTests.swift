import CImageCodecs
import Media
import TestSupport
import Testing

/// A damaged picture is shown in part, as browsers show it, and is marked.
@Suite(.timeLimit(.minutes(2))) struct DamagedTests {
    private let renderer = PictureRenderer()
    private static let picture = TestPicture.quadrants(240, 160)

    /// Every kind that a browser shows in part.
    static let kinds: [NamedFile] = [
        NamedFile("JPEG", Encode.jpeg(noisy)), NamedFile("JPEG 4:4:4", Encode.jpeg(noisy, sampling: TJSAMP_444)),
        NamedFile("grey JPEG", Encode.jpeg(noisy, sampling: TJSAMP_GRAY)), NamedFile("CMYK JPEG", Encode.cmyk(noisy)),
        NamedFile("progressive JPEG", Encode.jpeg(noisy, progressive: true)),
        NamedFile("PNG", Encode.png(noisy)), NamedFile("opaque PNG", Encode.png(noisy, alpha: false)),
        NamedFile("16-bit PNG", Encode.png16(noisy)),
        NamedFile("GIF", Encode.gif(drawn)), NamedFile("interlaced GIF", Encode.gif(drawn, interlaced: true)),
        NamedFile("WebP", Encode.webp(noisy)), NamedFile("lossless WebP", Encode.webp(noisy, lossless: true)),
    ]

    /// The quadrants with noise that does not compress, so that a share of the bytes is the same share of the rows.
    private static let noisy: TestPicture = {
        var random = SeededNoise()
        return TestPicture(width: picture.width, height: picture.height) { x, y in
            picture.pixel(x, y).enumerated().map { $0 == 3 ? 255 : UInt8(max(0, min(255, Int($1) + random.next()))) }
        }
    }()

    /// The quadrants in as many colours as the GIF encoder here accepts.
    private static let drawn: TestPicture = {
        var random = SeededNoise()
        return TestPicture(width: picture.width, height: picture.height) { x, y in
            let color = picture.pixel(x, y)
            let isPlain = color == TestPicture.green || random.next() < 0
            return isPlain ? color : [color[0] - 9, color[1] + 9, color[2], 255]
        }
    }()

    private struct SeededNoise {
        var state: UInt32 = 1
        mutating func next() -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 28) - 8
        }
    }

    private func render(_ bytes: [UInt8]) throws -> Thumbnail {
        try renderer.render(bytes, size: ThumbnailSize(width: 120, height: 80))
    }

    @Test("an undamaged picture is not marked as damaged", arguments: kinds)
    func whole(file: NamedFile) throws {
        #expect(try !render(file.bytes).isDamaged)
    }

    @Test(
        "a truncated picture is shown from its top as far as it goes and marked as damaged",
        arguments: kinds,
        [0.1, 0.5, 0.9, 0.99])
    func truncated(file: NamedFile, share: Double) throws {
        let name = file.name, bytes = file.bytes
        let cut = Array(bytes.prefix(Int(Double(bytes.count) * share)))
        if share == 0.1, name.contains("WebP") {
            // WebP describes all blocks before the first one. A lossless WebP arrives in 16 rows at once.
            let error = #expect(throws: RenderError.self) { try render(cut) }
            #expect(error == .truncated("the WebP ends early"))
            return
        }
        let thumbnail = try render(cut)
        #expect(thumbnail.isDamaged)
        #expect(thumbnail.width == 120 && thumbnail.height == 80)
        let seen = thumbnail.decoded()
        if name == "grey JPEG" { return }
        let row = share == 0.1 ? 1 : 6
        #expect(seen.differs(10, row, from: TestPicture.red) <= 60, "\(seen.pixel(10, row))")
        // A tenth of a JPEG is its tables and part of its first row of blocks.
        if share > 0.1 {
            #expect(seen.differs(110, row, from: TestPicture.green) <= 40, "\(seen.pixel(110, row))")
        }
        if share >= 0.9 { #expect(seen.differs(10, 50, from: TestPicture.blue) <= 40, "\(seen.pixel(10, 50))") }
    }

    @Test(
        "a truncated progressive JPEG is marked as damaged even if the thumbnail needs no more scans",
        arguments: [0.5, 0.9])
    func small(share: Double) throws {
        let bytes = try #require(Self.kinds.first { $0.name == "progressive JPEG" }).bytes
        let size = ThumbnailSize(width: 60, height: 40)
        let cut = Array(bytes.prefix(Int(Double(bytes.count) * share)))
        #expect(try renderer.render(cut, size: size).isDamaged)
        #expect(try !renderer.render(cut, size: size, options: RenderOptions(acceptsPartial: true)).isDamaged)
        #expect(try !renderer.render(Array(bytes.dropLast(2)), size: size).isDamaged, "only the end marker is missing")
    }

    @Test("a tenth of a tall lossless WebP is shown")
    func tall() throws {
        let tall = TestPicture(width: 240, height: 480) { x, y in Self.noisy.pixel(x, y % 160) }
        let bytes = Encode.webp(tall, lossless: true)
        let thumbnail = try renderer.render(
            Array(bytes.prefix(bytes.count / 10)), size: ThumbnailSize(width: 120, height: 240))
        #expect(thumbnail.isDamaged && thumbnail.decoded().differs(10, 1, from: TestPicture.red) <= 60)
    }

    @Test("a truncated interlaced PNG is shown coarsely to its end")
    func interlaced() throws {
        let bytes = RealPictures.interlacedPNG
        let data = try #require(bytes.firstRange(of: Array("IDAT".utf8))).upperBound
        let thumbnail = try renderer.render(
            Array(bytes.prefix(data + (bytes.count - data) * 2 / 3)), size: ThumbnailSize(width: 60, height: 40))
        #expect(thumbnail.isDamaged)
        let seen = thumbnail.decoded()
        #expect(seen.differs(10, 6, from: TestPicture.red) <= 30)
        #expect(seen.differs(50, 34, from: TestPicture.yellow) <= 60, "\(seen.pixel(50, 34))")
    }

    @Test("a picture without its last 14 bytes is shown to its bottom")
    func lastBytes() throws {
        for file in Self.kinds where !file.name.contains("JPEG") {
            let name = file.name, seen = try render(Array(file.bytes.dropLast(14))).decoded()
            #expect(seen.differs(10, 60, from: TestPicture.blue) <= 40, "\(name): \(seen.pixel(10, 60))")
            #expect(seen.differs(110, 60, from: TestPicture.yellow) <= 40, "\(name): \(seen.pixel(110, 60))")
        }
    }

    @Test("an animation that ends after its first frame is shown and marked as damaged")
    func animation() throws {
        let bytes = RealPictures.animatedWebP
        let later = try renderer.render(Array(bytes.dropLast(20)), size: ThumbnailSize(width: 60, height: 40))
        #expect(later.isDamaged)
        #expect(later.decoded().differs(50, 34, from: TestPicture.yellow) <= 20)
    }

    @Test(
        "corrupted data are shown as far as possible and marked as damaged",
        arguments: kinds.filter { $0.name != "WebP" })
    func corrupted(file: NamedFile) throws {
        var bytes = file.bytes
        let middle = bytes.count / 2
        // A marker in a wrong place, a broken zlib stream, and invalid codes.
        bytes.replaceSubrange(middle..<middle + 64, with: repeatElement([0xFF, 0xD9], count: 32).joined())
        let thumbnail = try render(bytes)
        #expect(thumbnail.isDamaged)
        if file.name != "grey JPEG" { #expect(thumbnail.decoded().differs(10, 6, from: TestPicture.red) <= 40) }
    }

    @Test("one changed byte in a PNG's data marks it as damaged", arguments: ["PNG", "opaque PNG", "16-bit PNG"])
    func changedByte(name: String) throws {
        let bytes = try #require(Self.kinds.first { $0.name == name }).bytes
        for share in [0.25, 0.5, 0.75] {
            var changed = bytes
            changed[Int(Double(bytes.count) * share)] ^= 0xFF
            let thumbnail = try render(changed)
            #expect(thumbnail.isDamaged, "at \(share)")
            #expect(thumbnail.decoded().differs(10, 1, from: TestPicture.red) <= 40, "at \(share)")
        }
    }

    @Test("a PNG with a wrong checksum in its header or data is shown and marked as damaged", arguments: [29, -13])
    func wrongChecksum(offset: Int) throws {
        var bytes = Encode.png(Self.picture)
        bytes[offset < 0 ? bytes.count + offset : offset] ^= 0x55
        let thumbnail = try render(bytes)
        #expect(thumbnail.isDamaged)
        if offset > 0 { #expect(thumbnail.decoded().differs(110, 70, from: TestPicture.yellow) <= 40) }
    }

    @Test("a progressive JPEG with an unreadable later scan shows the earlier scans", arguments: [1, 2, 3])
    func brokenScan(number: Int) throws {
        var bytes = try #require(Self.kinds.first { $0.name == "progressive JPEG" }).bytes
        let scans = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
        // More components than the picture has.
        bytes[scans[number] + 4] = 9
        let thumbnail = try render(bytes)
        #expect(thumbnail.isDamaged)
        let seen = thumbnail.decoded()
        #expect(seen.differs(10, 6, from: TestPicture.red) <= 40, "\(seen.pixel(10, 6))")
        #expect(seen.differs(110, 70, from: TestPicture.yellow) <= 40, "\(seen.pixel(110, 70))")
    }

    @Test("a picture without any pixel data is refused and can be retried")
    func nothing() throws {
        let beginnings: [(String, [UInt8])] = [
            ("JPEG", [0xFF, 0xDA]), ("PNG", Array("IDAT".utf8)), ("GIF", [0x2C, 0, 0, 0, 0]),
        ]
        for (name, marker) in beginnings {
            let bytes = try #require(Self.kinds.first { $0.name == name }).bytes
            let start = try #require(bytes.firstRange(of: marker)).lowerBound
            renderer.expectIncomplete(bytes, cutAt: [start, start + 3, start + 8], name)
        }
    }
}
