import CImageCodecs
import Media
import TestSupport
import Testing

@Suite("JPEG XL", .timeLimit(.minutes(2)), .enabled(if: PictureKind.jxl.isBuiltIn))
struct JXLTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 60, height: 40)

    static let files: [NamedFile] = [
        NamedFile("lossy", JXLPicture.lossy), NamedFile("lossless", JXLPicture.lossless),
        NamedFile("in a box", JXLPicture.file([("jxlc", JXLPicture.lossy)])), NamedFile("in pieces", pieces),
    ]

    /// The codestream in two boxes. The first box holds part of its header.
    private static let pieces: [UInt8] = {
        let first: [UInt8] = [0, 0, 0, 0] + JXLPicture.lossy.prefix(4)
        let last: [UInt8] = [0x80, 0, 0, 1] + JXLPicture.lossy.dropFirst(4)
        return JXLPicture.file([("jxlp", first), ("free", [1, 2, 3]), ("jxlp", last)])
    }()

    @Test("a bare codestream and one in boxes are shown in their colours", arguments: files)
    func colors(file: NamedFile) throws {
        let header = try PictureHeader(file.bytes)
        #expect(header.kind == .jxl && header.width == 120 && header.height == 80 && !header.isAnimated)
        try renderer.expectQuadrants(file.bytes, file.name)
    }

    @Test("the codestream's orientation applies once, and EXIF's is ignored", arguments: 2...8)
    func orientation(_ orientation: Int) throws {
        let picture = JXLPicture.turned[orientation - 2]
        let exif = [0, 0, 0, 0] + Segments.tiff(orientation: 3)
        for bytes in [picture, JXLPicture.file([("Exif", exif), ("jxlc", picture)])] {
            let header = try PictureHeader(bytes)
            #expect(Int(header.orientation.rawValue) == orientation)
            #expect(header.width == (orientation < 5 ? 120 : 80) && header.uprightWidth == 120)
            try renderer.expectQuadrants(bytes, "\(orientation)")
            let head = try #require(FileHead(FilePieces(bytes)))
            #expect(head.width == 120 && head.height == 80)
        }
    }

    @Test("transparent pixels stay transparent")
    func alpha() throws {
        try renderer.expectHalfClear(JXLPicture.alpha)
    }

    @Test("a lossless picture in Display P3 is converted to sRGB")
    func displayP3() throws {
        let seen = try renderer.render(JXLPicture.displayP3, size: box).decoded()
        // The colours that libjxl gives for the same picture in lossy form.
        let places: [(Int, Int, [UInt8])] = [(14, 9, [240, 0, 0]), (44, 9, [0, 204, 0]), (14, 29, [17, 41, 218])]
        for (x, y, color) in places {
            #expect(seen.differs(x, y, from: color) <= 12, "\(seen.pixel(x, y))")
        }
    }

    @Test("the first frame of an animation is shown")
    func animation() throws {
        #expect(try PictureHeader(JXLPicture.animation).isAnimated)
        let seen = try renderer.render(JXLPicture.animation, size: ThumbnailSize(width: 30, height: 20)).decoded()
        #expect(seen.differs(15, 10, from: [255, 0, 0]) <= 12, "\(seen.pixel(15, 10))")
    }

    @Test("a truncated lossy file is shown as far as it goes and marked as damaged", arguments: [600, 1_000])
    func truncated(count: Int) throws {
        let thumbnail = try renderer.render(Array(JXLPicture.large.prefix(count)), size: box)
        #expect(thumbnail.isDamaged && thumbnail.width == 60 && thumbnail.height == 40)
        #expect(thumbnail.decoded().differs(14, 9, from: TestPicture.red) <= 50)
        #expect(try !renderer.render(JXLPicture.large, size: box).isDamaged)
    }

    @Test("a file without enough data is refused and can be retried")
    func nothing() {
        for bytes in [JXLPicture.lossless, JXLPicture.large, JXLPicture.file([("jxlc", JXLPicture.lossless)])] {
            renderer.expectIncomplete(bytes, cutAt: [12, 40, 60], "\(bytes.count)")
        }
    }

    @Test("an oversized picture is refused before it is decoded")
    func oversized() {
        func reason(_ rows: Int) -> String { renderer.refusal(JXLPicture.header(rows: rows)) }
        #expect(reason(10_000) == "JXL of 15000 x 10000 pixels is over the limit of 64 megapixels")
        #expect(reason(1_000_000) == "JXL of 1500000 x 1000000 pixels is over the limit of 1000000 a side")
        #expect(reason(1 << 30) == "JXL of 1610612736 x 1073741824 pixels is over the limit of 1000000 a side")
        #expect(reason(6_000) == "JXL of 9000 x 6000 pixels in 7 bytes: too few bytes for this size")
        // The decoder itself refuses a size that the header reader accepted.
        for (pixels, side) in [(UInt32(9_599), Int32(120)), (9_600, 119)] {
            var result = ImageResult()
            defer { ImageResultFree(&result) }
            ImageJXLDecode(JXLPicture.lossy, JXLPicture.lossy.count, pixels, side, &result)
            #expect(result.outcome == ImageOutOfMemory && result.planes.0.samples == nil)
        }
    }

    @Test("a cut or changed file has the same size for the facts and the renderer, or no facts")
    func hostile() {
        func expectSameSize(_ bytes: [UInt8]) {
            let header = try? PictureHeader(bytes), head = FileHead(FilePieces(bytes))
            #expect(
                head == nil || head?.width == header?.uprightWidth && head?.height == header?.uprightHeight)
        }
        let exif = [0, 0, 0, 0] + Segments.tiff(orientation: 6)
        let file = JXLPicture.file([("Exif", exif), ("xml ", [60]), ("jxlp", [0, 0, 0, 0] + JXLPicture.animation)])
        for bytes in [file, JXLPicture.animation, JXLPicture.header(rows: 1 << 30)] {
            for count in 0...bytes.count { expectSameSize(Array(bytes.prefix(count))) }
            for bit in 0..<bytes.count * 8 {
                var bytes = bytes
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                expectSameSize(bytes)
            }
        }
        // The first bit of a preview's size, and nothing behind it.
        #expect(throws: RenderError.truncated("the JXL header is incomplete")) {
            try PictureHeader([0xFF, 0x0A, 0x41, 0xC4])
        }
    }

    @Test("EXIF and XMP are found before and behind the codestream", arguments: [false, true])
    func facts(isBehind: Bool) throws {
        let tags: [Int: TIFFFile.Value] = [
            0x010F: .text("Maker"), 0x8769: .directories([[0x9003: .text("2019:07:31 14:03:22")]]),
        ]
        let camera = TIFFFile(directories: [tags]).bytes
        let packet = Array(#"<x xmp:Rating="4"/>"#.utf8) + [UInt8](repeating: 32, count: 100_000)
        let facts = [(type: "Exif", data: [0, 0, 0, 0] + camera), (type: "xml ", data: packet)]
        let picture = [(type: "jxlc", data: JXLPicture.lossy)]
        let bytes = JXLPicture.file(isBehind ? picture + facts : facts + picture)
        let head = try #require(FileHead(FilePieces(bytes)))
        #expect(head.kind == .jxl && head.width == 120 && head.height == 80)
        var sources = FactSources()
        sources.head = head
        let found = sources.facts(latestYear: 2027) { _ in 0 }
        #expect(found.camera.make == "Maker" && found.taken?.text == "2019-07-31T14:03:22" && found.rating == 4)
        #expect(found.mediaType == "image/jxl")
    }

    @Test("a worker decodes JPEG XL with one thread")
    func worker() async throws {
        let renderer = try await Renderer.sandboxed()
        for bytes in [JXLPicture.lossy, JXLPicture.lossless, JXLPicture.large, JXLPicture.alpha] {
            let thumbnail = try await renderer.render(bytes, size: box)
            #expect(thumbnail.width == 60 && thumbnail.height == 40)
        }
        try await renderer.expectOneThread()
    }
}
