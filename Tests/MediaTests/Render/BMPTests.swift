import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BMPTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 60, height: 40)

    /// A BMP of the quadrants.
    private func file(
        depth: Int, isTopDown: Bool = false, compression: Int = 0, masks: [Int] = [], headerLength: Int = 40,
        _ picture: TestPicture = .quadrants()
    ) -> [UInt8] {
        let palette = depth <= 8 ? [TestPicture.red, TestPicture.green, TestPicture.blue, TestPicture.yellow] : []
        let shown = depth == 1 ? Array(palette.prefix(2)) : palette
        var rows: [UInt8] = []
        for line in 0..<picture.height {
            let y = isTopDown ? line : picture.height - 1 - line
            var row: [UInt8] = [], bits = 0, filled = 0
            for x in 0..<picture.width {
                let pixel = picture.pixel(x, y)
                let value: Int
                switch depth {
                case 1, 4, 8: value = shown.firstIndex(of: pixel) ?? 0
                case 16: value = Int(pixel[0] >> 3) << 10 | Int(pixel[1] >> 3) << 5 | Int(pixel[2] >> 3)
                default: value = Int(pixel[3]) << 24 | Int(pixel[0]) << 16 | Int(pixel[1]) << 8 | Int(pixel[2])
                }
                if depth < 8 {
                    (bits, filled) = (bits << depth | value, filled + depth)
                    if filled == 8 || x == picture.width - 1 {
                        row.append(UInt8(bits << (8 - filled) & 255))
                        (bits, filled) = (0, 0)
                    }
                } else {
                    row += Segments.littleEndian(value, depth / 8)
                }
            }
            rows += row + [UInt8](repeating: 0, count: (4 - row.count % 4) % 4)
        }
        let colors = shown.flatMap { color -> [UInt8] in [color[2], color[1], color[0], 0] }
        var header = Segments.littleEndian(headerLength, 4) + Segments.littleEndian(picture.width, 4)
        header += Segments.littleEndian(isTopDown ? -picture.height : picture.height, 4) + [1, 0, UInt8(depth), 0]
        header += Segments.littleEndian(compression, 4) + Segments.littleEndian(0, 4)
        header += Segments.littleEndian(2835, 4) + Segments.littleEndian(2835, 4)
        header += Segments.littleEndian(shown.count, 4) + Segments.littleEndian(0, 4)
        header += masks.flatMap { Segments.littleEndian($0, 4) }
        header += [UInt8](repeating: 0, count: max(0, headerLength - header.count))
        let start = 14 + header.count + colors.count
        var file = Array("BM".utf8) + Segments.littleEndian(start + rows.count, 4)
        file += [0, 0, 0, 0] + Segments.littleEndian(start, 4)
        return file + header + colors + rows
    }

    @Test(
        "every depth is rendered, with rows from the bottom or from the top", arguments: [4, 8, 16, 24, 32],
        [false, true])
    func depths(depth: Int, isTopDown: Bool) throws {
        try renderer.expectQuadrants(file(depth: depth, isTopDown: isTopDown), "\(depth)", tolerance: 16)
    }

    @Test("one bit gives two colours, and padded rows are read")
    func oneBit() throws {
        let picture = TestPicture(width: 61, height: 40) { x, _ in x < 30 ? TestPicture.red : TestPicture.green }
        let seen = try renderer.render(file(depth: 1, picture), size: ThumbnailSize(width: 61, height: 40)).decoded()
        #expect(
            seen.differs(10, 20, from: TestPicture.red) <= 10 && seen.differs(50, 20, from: TestPicture.green) <= 10)
    }

    @Test("masks select the colour channels and alpha")
    func masks() throws {
        let colors = [0xFF0000, 0xFF00, 0xFF]
        try renderer.expectQuadrants(
            file(depth: 32, compression: 3, masks: colors), "masks after the header", tolerance: 16)
        try renderer.expectHalfClear(
            file(depth: 32, compression: 3, masks: colors + [0xFF00_0000], headerLength: 124, .halfClear))
        // Alpha that is 0 everywhere is ignored.
        let unset = TestPicture(width: 60, height: 40) { _, _ in [20, 40, 210, 0] }
        let opaque = file(depth: 32, compression: 3, masks: colors + [0xFF00_0000], headerLength: 108, unset)
        #expect(try renderer.render(opaque, size: box).decoded().differs(9, 9, from: TestPicture.blue) <= 10)
    }

    /// A BMP of the quadrants as runs of up to 255 pixels, or of pixels one by one.
    private func runs(depth: Int, oneByOne: Bool) -> [UInt8] {
        let whole = file(depth: depth, compression: depth == 8 ? 1 : 2)
        let (picture, colors) = (
            TestPicture.quadrants(), [TestPicture.red, TestPicture.green, TestPicture.blue, TestPicture.yellow]
        )
        var runs: [UInt8] = []
        for y in (0..<picture.height).reversed() {
            var row = (0..<picture.width).map { x in UInt8(colors.firstIndex(of: picture.pixel(x, y)) ?? 0) }[...]
            while let first = row.first {
                let same = row.prefix { $0 == first }.prefix(255)
                if oneByOne, row.count >= 7 {
                    let pixels = Array(row.prefix(7))
                    let packed = stride(from: 0, to: 7, by: 2).map {
                        pixels[$0] << 4 | ($0 + 1 < 7 ? pixels[$0 + 1] : 0)
                    }
                    runs += [0, 7] + (depth == 8 ? pixels + [0] : packed)
                    row = row.dropFirst(7)
                } else {
                    runs += [UInt8(same.count), depth == 8 ? first : first << 4 | first]
                    row = row.dropFirst(same.count)
                }
            }
            runs += [0, 0]
        }
        return whole.prefix(14 + 40 + 16) + runs + [0, 1]
    }

    @Test("run-length encoded rows are rendered in 4 and 8 bits", arguments: [4, 8], [false, true])
    func runLengths(depth: Int, oneByOne: Bool) throws {
        let bytes = runs(depth: depth, oneByOne: oneByOne)
        try renderer.expectQuadrants(bytes, "\(depth)", tolerance: 16)
        // Cut at any place, the file is damaged, or its first pixel is missing.
        for count in stride(from: 54, to: bytes.count - 2, by: 7) {
            let thumbnail = try? renderer.render(Array(bytes.prefix(count)), size: box)
            #expect(thumbnail?.isDamaged ?? true, "\(count)")
        }
        var wild = bytes
        for place in stride(from: 70, to: bytes.count, by: 3) { wild[place] = UInt8(truncatingIfNeeded: place &* 31) }
        #expect(try renderer.render(wild, size: box).width == 60)
    }

    @Test("pixels skipped by a delta are transparent")
    func leap() throws {
        var bytes = runs(depth: 8, oneByOne: false)
        bytes.replaceSubrange(70..., with: [0, 2, 0, 40, 50, 0, 0, 1])
        // Taken before encoding, which puts small drawings on a background.
        let seen = try renderer.pixels(bytes, size: ThumbnailSize(width: 120, height: 80))
        let picture = TestPicture(width: seen.width, height: seen.height, rgba: seen.rgba)
        #expect(picture.pixel(25, picture.height - 1 - 40)[3] == 255 && picture.pixel(25, picture.height - 10)[3] == 0)
    }

    @Test("OS/2's short header is read, with sizes of two bytes and colours of three")
    func os2() throws {
        let picture = TestPicture.quadrants()
        let long = file(depth: 8)
        let colors = [TestPicture.red, TestPicture.green, TestPicture.blue, TestPicture.yellow].flatMap {
            [$0[2], $0[1], $0[0]]
        }
        let palette = colors + [UInt8](repeating: 0, count: 3 * 252)
        let header =
            Segments.littleEndian(12, 4) + Segments.littleEndian(picture.width, 2)
            + Segments.littleEndian(picture.height, 2)
        let start = Segments.littleEndian(14 + 12 + palette.count, 4)
        let bytes = Array(long[..<10]) + start + header + [1, 0, 8, 0] + palette + Array(long[(14 + 40 + 16)...])
        try renderer.expectQuadrants(bytes, "OS/2", tolerance: 16)
    }

    @Test("a truncated BMP is shown as far as it goes and marked as damaged", arguments: [0.1, 0.5, 0.9, 0.99])
    func truncated(share: Double) throws {
        let bytes = file(depth: 24, isTopDown: true)
        let thumbnail = try renderer.render(Array(bytes.prefix(Int(Double(bytes.count) * share))), size: box)
        #expect(thumbnail.isDamaged)
        #expect(thumbnail.decoded().differs(14, 1, from: TestPicture.red) <= 60)
        renderer.expectIncomplete(bytes, cutAt: [20, 50, 54])
    }

    @Test("an unsupported or oversized BMP is refused with its reason")
    func refused() {
        #expect(renderer.refusal(file(depth: 24, compression: 4)) == "not supported: BMP that holds a JPEG or PNG")
        #expect(renderer.refusal(file(depth: 24, compression: 1)).hasPrefix("broken picture: a BMP of 24 bits"))
        var huge = file(depth: 24)
        huge.replaceSubrange(18..<26, with: Segments.littleEndian(15_000, 4) + Segments.littleEndian(15_000, 4))
        #expect(renderer.refusal(huge) == "BMP of 15000 x 15000 pixels is over the limit of 64 megapixels")
    }
}
