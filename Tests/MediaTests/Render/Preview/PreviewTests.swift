import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct PreviewTests {
    private let renderer = PreviewRenderer(limits: RenderLimits())

    private func frame(_ width: Int, _ height: Int, _ orientation: Orientation = .up) -> PreviewFrame {
        PreviewFrame(width: width, height: height, orientation: orientation)
    }

    private func render(_ preview: TestPicture, of frame: PreviewFrame) throws -> Thumbnail {
        try renderer.render(Encode.jpeg(preview, quality: 95), of: frame, quality: 95)
    }

    /// A picture between bars.
    private func boxed(_ inner: TestPicture, in width: Int, _ height: Int, bar: [UInt8] = [6, 6, 6, 255]) -> TestPicture
    {
        let left = (width - inner.width) / 2, top = (height - inner.height) / 2
        return TestPicture(width: width, height: height) { x, y in
            let (x, y) = (x - left, y - top)
            return (0..<inner.width).contains(x) && (0..<inner.height).contains(y) ? inner.pixel(x, y) : bar
        }
    }

    @Test(
        "the picture's place in its preview follows from both shapes",
        arguments: [
            ((4000, 3000), (160, 120), .all), ((4032, 3024), (320, 240), .all), ((3000, 4000), (120, 160), .all),
            // 3:2 and 16:9 between bars. A pixel of each edge is left out.
            ((6000, 4000), (160, 120), .boxed(columns: 0..<160, rows: 8..<112)),
            ((1920, 1080), (160, 120), .boxed(columns: 0..<160, rows: 16..<104)),
            ((3000, 3000), (160, 120), .boxed(columns: 21..<139, rows: 0..<120)),
            // The picture was turned since, or nothing is left.
            ((3000, 4000), (160, 120), nil), ((4000, 3000), (120, 160), nil), ((20_000, 10), (160, 120), nil),
            ((0, 10), (160, 120), nil),
        ] as [((Int, Int), (Int, Int), PreviewFrame.Content?)])
    func content(picture: (Int, Int), preview: (Int, Int), content: PreviewFrame.Content?) {
        #expect(frame(picture.0, picture.1).content(width: preview.0, height: preview.1) == content)
    }

    @Test("a preview of the picture's shape keeps its own size and carries the picture's size")
    func plain() throws {
        let thumbnail = try render(.quadrants(160, 120), of: frame(4000, 3000))
        #expect(thumbnail.width == 160 && thumbnail.height == 120)
        #expect(thumbnail.sourceWidth == 4000 && thumbnail.sourceHeight == 3000)
        #expect(thumbnail.mediaType == "image/jpeg" && !thumbnail.thumbHash.isEmpty)
        #expect(thumbnail.decoded().differs(20, 20, from: TestPicture.red) <= 10)
    }

    @Test("an intact preview is passed on unchanged, and a heavy one is encoded again")
    func passed() throws {
        let preview = Encode.jpeg(.quadrants(160, 120))
        #expect(try renderer.render(preview, of: frame(4000, 3000), quality: 75).bytes == preview)
        let heavy = preview + [UInt8](repeating: 0, count: PreviewRenderer.maximumPassed)
        #expect(try renderer.render(heavy, of: frame(4000, 3000), quality: 75).bytes.count < heavy.count / 2)
    }

    @Test("a preview is shown upright in all eight orientations")
    func orientations() throws {
        for orientation in Orientation.allCases {
            let stored = TestPicture.quadrants(160, 120).stored(orientation: Int(orientation.rawValue))
            let size = orientation.swapsSides ? (3000, 4000) : (4000, 3000)
            let thumbnail = try render(stored, of: frame(size.0, size.1, orientation))
            #expect(thumbnail.width == 160 && thumbnail.height == 120, "\(orientation)")
            #expect(thumbnail.sourceWidth == 4000 && thumbnail.sourceHeight == 3000, "\(orientation)")
            thumbnail.expectCorners(TestPicture.corners, "\(orientation)", tolerance: 10)
        }
    }

    @Test("dark bars are cropped before the preview is turned")
    func letterbox() throws {
        let preview = boxed(.quadrants(160, 107), in: 160, 120)
        let thumbnail = try render(preview, of: frame(6000, 4000))
        #expect(thumbnail.width == 160 && thumbnail.height == 104)
        let seen = thumbnail.decoded()
        #expect(seen.differs(20, 1, from: TestPicture.red) <= 12)
        #expect(seen.differs(140, 102, from: TestPicture.yellow) <= 12)
        let turned = try render(preview, of: frame(6000, 4000, .right))
        #expect(turned.width == 104 && turned.height == 160)
        #expect(turned.sourceWidth == 4000 && turned.sourceHeight == 6000)
    }

    @Test("a preview of another shape without dark bars is refused")
    func stale() throws {
        #expect(throws: RenderError.self) { try render(.quadrants(160, 120), of: frame(6000, 4000)) }
        #expect(throws: RenderError.self) {
            try render(boxed(.quadrants(160, 107), in: 160, 120, bar: [90, 90, 90, 255]), of: frame(6000, 4000))
        }
        #expect(throws: RenderError.self) { try render(.quadrants(160, 120), of: frame(3000, 4000)) }
    }

    @Test("a preview that is large, damaged or not a JPEG is refused")
    func unusable() throws {
        #expect(throws: RenderError.self) { try render(.quadrants(1200, 900), of: frame(4000, 3000)) }
        let whole = Encode.jpeg(.chirp(160, 120))
        for bytes in [Array(whole.prefix(whole.count / 2)), Encode.png(.quadrants(160, 120)), []] {
            #expect(throws: RenderError.self) { try renderer.render(bytes, of: frame(4000, 3000), quality: 75) }
        }
    }
}
