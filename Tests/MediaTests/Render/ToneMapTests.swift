import Media
import TestSupport
import Testing

/// High dynamic range on an ordinary screen. Expected values come from screenshots of Chromium 156 with an sRGB
/// profile.
@Suite(.timeLimit(.minutes(1))) struct ToneMapTests {
    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 64, height: 64)

    struct Example: Sendable {
        let transfer: UInt8
        var primaries: UInt8 = 9
        let codes: [UInt8]
        let shown: [UInt8]
    }

    private static func greys(_ transfer: UInt8, _ shown: [UInt8]) -> [Example] {
        let codes: [UInt8] = [0, 16, 40, 80, 100, 120, 130, 148, 170, 192, 220, 255]
        return zip(codes, shown).map { Example(transfer: transfer, codes: [$0, $0, $0], shown: [$1, $1, $1]) }
    }

    private static let greys =
        greys(16, [0, 1, 9, 48, 76, 114, 137, 187, 229, 255, 255, 255])
        + greys(18, [0, 3, 21, 57, 75, 92, 101, 120, 150, 189, 224, 255])

    private static let colors = [
        Example(transfer: 18, codes: [121, 131, 193], shown: [81, 103, 180]),
        Example(transfer: 18, codes: [201, 31, 77], shown: [232, 0, 58]),
        Example(transfer: 18, primaries: 1, codes: [121, 131, 193], shown: [96, 103, 174]),
        Example(transfer: 18, primaries: 12, codes: [201, 31, 77], shown: [201, 0, 56]),
        Example(transfer: 16, codes: [121, 131, 193], shown: [0, 88, 255]),
        Example(transfer: 16, primaries: 1, codes: [121, 131, 193], shown: [77, 93, 255]),
        Example(transfer: 16, primaries: 12, codes: [121, 131, 193], shown: [70, 91, 255]),
        Example(transfer: 16, primaries: 1, codes: [201, 31, 77], shown: [255, 2, 28]),
        // Standard dynamic range: only the primaries count.
        Example(transfer: 13, primaries: 12, codes: [121, 131, 193], shown: [119, 131, 198]),
        Example(transfer: 13, codes: [121, 131, 193], shown: [106, 131, 199]),
    ]

    private func png(_ picture: TestPicture, _ transfer: UInt8, _ primaries: UInt8) -> [UInt8] {
        Segments.insert(
            "cICP", [primaries, transfer, 0, 1], intoPNG: Encode.png(picture, alpha: picture.rgba[3] < 255))
    }

    @Test("PQ and HLG are shown as in Chromium", arguments: greys + colors)
    func chromium(example: Example) throws {
        let picture = TestPicture.flat(80, 80, example.codes + [255])
        let pixels = try renderer.pixels(png(picture, example.transfer, example.primaries), size: box).rgba
        for (seen, wanted) in zip(pixels, example.shown) {
            #expect(abs(Int(seen) - Int(wanted)) <= 2, "\(pixels.prefix(3)) for \(example)")
        }
    }

    @Test("alpha is unchanged by tone mapping")
    func alpha() throws {
        let picture = TestPicture.flat(80, 80, [148, 148, 148, 90])
        #expect(try Array(renderer.pixels(png(picture, 16, 9), size: box).rgba.prefix(4)) == [187, 187, 187, 90])
    }

    @Test("PQ and HLG are read from the colour box of HEIC and AVIF", arguments: [16, 18])
    func boxes(transfer: Int) throws {
        let colors = HEIFFile.nclx(primaries: 9, transfer: transfer)
        var avif = HEIFFile.avif(CodedPicture.AV1.quadrants)
        avif.items[0].properties[2] = colors
        let heic = HEIFFile.heic(CodedPicture.HEVC.quadrants, 120, 80, [colors])
        for file in [heic, avif] where file.brand == "heic" ? PictureKind.heic.isBuiltIn : PictureKind.avif.isBuiltIn {
            var plain = file
            plain.items[0].properties[2] = HEIFFile.nclx(primaries: 1)
            let codes = try renderer.pixels(plain.bytes, size: box)
            let picture = TestPicture(width: codes.width, height: codes.height, rgba: codes.rgba)
            let expected = try renderer.pixels(png(picture, UInt8(transfer), 9), size: box).rgba
            let seen = try renderer.pixels(file.bytes, size: box).rgba
            #expect(zip(seen, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(file.brand)")
        }
    }

    @Test(
        "the thumbnail in an HDR HEIC is refused as a preview",
        .enabled(if: PictureKind.heic.isBuiltIn))
    func preview() throws {
        let frame = PreviewFrame(width: 120, height: 80, orientation: .up)
        let colors = HEIFFile.nclx(primaries: 9, transfer: 16)
        let file = HEIFFile.heic(CodedPicture.HEVC.quadrants, 120, 80, [colors])
            .with(thumbnail: CodedPicture.HEVC.tile, 64, 64)
        #expect(throws: RenderError.unsupported("a preview of high dynamic range")) {
            try PreviewRenderer(limits: RenderLimits()).render(file.bytes, of: frame, quality: 75)
        }
    }
}
