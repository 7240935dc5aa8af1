import CImageCodecs
import Glibc
import Media
import TestSupport
import Testing

/// TIFF as editors, printers, scanners and laboratories write it.
@Suite(.timeLimit(.minutes(2)), .enabled(if: PictureKind.tiff.isBuiltIn))
struct TIFFTests {
    typealias Tags = [Int: TIFFFile.Value]

    let renderer = PictureRenderer()
    let box = ThumbnailSize(width: 60, height: 40)

    private static let bigEndian: [UInt8] = [0x4D, 0x4D, 0, 42]
    private static let lzw = Fixture.bytes("lzw.tif")
    private static let strips = file(TIFFFile.picture(.quadrants(), rows: 8))
    private static let big = TIFFFile(
        magic: [0x49, 0x49, 43, 0], isBig: true, directories: [TIFFFile.picture(.quadrants(), rows: 7)]
    ).bytes

    private static func file(_ tags: Tags...) -> [UInt8] {
        TIFFFile(directories: [tags.reduce(into: [:]) { $0.merge($1) { $1 } }]).bytes
    }

    /// The colours of a picture as samples of any depth.
    private static func scaled(_ bits: Int) -> ([UInt8]) -> [UInt64] {
        let maximum = Double((1 << bits) - 1)
        return { color in color.prefix(3).map { UInt64((Double($0) / 255 * maximum).rounded()) } }
    }

    private static func inks(_ bits: Int) -> ([UInt8]) -> [UInt64] {
        let scaled = scaled(bits)
        return { color in scaled(color.map { 255 - $0 }) + [0] }
    }

    private static func float(_ value: Float) -> UInt64 { UInt64(value.bitPattern) }

    /// CIE L*a*b* of an sRGB colour for white D50, by the published matrix and lcms2's formula.
    private static func lab(_ color: [UInt8]) -> cmsCIELab {
        let linear = color.prefix(3).map { byte in
            let value = Double(byte) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let matrix = [
            [0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169], [0.0139322, 0.0971045, 0.7141733],
        ]
        let place = matrix.map { row in zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 } }
        var xyz = cmsCIEXYZ(X: place[0], Y: place[1], Z: place[2])
        var lab = cmsCIELab()
        cmsXYZ2Lab(cmsD50_XYZ(), &lab, &xyz)
        return lab
    }

    private static func lab(
        _ name: String, _ photometric: Int, _ bits: Int, isPlanar: Bool = false, _ store: (cmsCIELab) -> [Double]
    ) -> NamedFile {
        let tags = TIFFFile.picture(.quadrants(), photometric: photometric, bits: bits, isPlanar: isPlanar) {
            store(lab($0)).map { UInt64(Int64($0.rounded()) & (bits == 16 ? 0xFFFF : 0xFF)) }
        }
        return NamedFile(name, file(tags))
    }

    private static let wholeFiles: [NamedFile] = {
        let deep = TIFFFile.picture(.quadrants(), bits: 16, scaled(16))
        let tall = TIFFFile.picture(.quadrants(), rows: 80)
        let bigTags = TIFFFile.picture(.quadrants(), rows: 7)
        var files = [
            NamedFile("one strip", file(tall)), NamedFile("strips of 8 rows", strips), NamedFile("16 bits", file(deep)),
            NamedFile("16 bits, big-endian", TIFFFile(magic: bigEndian, directories: [deep]).bytes),
            NamedFile("BigTIFF", big),
            NamedFile(
                "big-endian BigTIFF",
                TIFFFile(magic: [0x4D, 0x4D, 0, 43], isBig: true, directories: [bigTags]).bytes),
        ]
        files += ["lzw", "zip", "jpeg", "tiled", "palette", "cmyk"].map { NamedFile($0, Fixture.bytes("\($0).tif")) }
        for orientation in 2...8 {
            let tags = TIFFFile.picture(TestPicture.quadrants().stored(orientation: orientation))
            files.append(NamedFile("orientation \(orientation)", file(tags, [0x112: .shorts([orientation])])))
        }
        files += [
            lab("CIE L*a*b* of 8 bits, planar", 8, 8, isPlanar: true) { [$0.L * 2.55, $0.a, $0.b] },
            lab("CIE L*a*b* of 16 bits", 8, 16) { [$0.L * 655.35, $0.a * 256, $0.b * 256] },
            lab("ICC L*a*b* of 8 bits", 9, 8) { [$0.L * 2.55, $0.a + 128, $0.b + 128] },
            lab("ICC L*a*b* of 16 bits", 9, 16) { [$0.L * 652.8, ($0.a + 128) * 256, ($0.b + 128) * 256] },
        ]
        for (bits, isPlanar) in [(8, true), (12, false), (16, true)] {
            let tags = TIFFFile.picture(
                .quadrants(), photometric: 5, bits: bits, rows: 80, isPlanar: isPlanar, inks(bits))
            files.append(NamedFile("inks of \(bits) bits, planes: \(isPlanar)", file(tags)))
        }
        for bits in [10, 14] {
            files.append(NamedFile("\(bits) bits", file(TIFFFile.picture(.quadrants(), bits: bits, scaled(bits)))))
        }
        let floats = TIFFFile.picture(.quadrants(), bits: 32, format: 3) { $0.prefix(3).map { float(Float($0) / 255) } }
        return files + [NamedFile("floating point", file(floats))]
    }()

    @Test("every depth, byte order, coding and colour space is shown upright in its colours", arguments: wholeFiles)
    func colors(file: NamedFile) throws {
        try renderer.expectQuadrants(file.bytes, file.name, tolerance: file.name == "jpeg" ? 20 : 12)
    }

    /// Samples of one colour, and the colour in which they are shown.
    struct Flat: Sendable {
        var photometric: Int
        var bits: Int
        var format = 1
        var samples: [UInt64]
        var more: Tags = [:]
        var shown: [Int]
        var tolerance = 0
    }

    private static let flats: [Flat] = {
        func grey(_ bits: Int, _ sample: UInt64, _ shown: Int, format: Int = 3, _ more: Tags = [:]) -> Flat {
            Flat(
                photometric: 1, bits: bits, format: format, samples: [sample], more: more,
                shown: [shown, shown, shown, 255])
        }
        func palette(_ unit: Int) -> Flat {
            let red = Array(repeating: 0, count: 7) + [200 * unit] + Array(repeating: 0, count: 248)
            let others = Array(repeating: 100 * unit, count: 512)
            // Colours are multiplied by their alpha and divided again.
            return Flat(
                photometric: 3, bits: 8, samples: [7, 90], more: [320: .shorts(red + others), 338: .shorts([2])],
                shown: [200, 100, 100, 90], tolerance: 2)
        }
        func alpha(_ kind: Int, _ color: Float) -> Flat {
            Flat(
                photometric: 2, bits: 32, format: 3, samples: [color, color, color, 0.5].map(float),
                more: [0x152: .shorts([kind])], shown: [204, 204, 204, 128], tolerance: 2)
        }
        return [
            Flat(photometric: 8, bits: 8, samples: [255, 0, 0], shown: [255, 255, 255, 255]),
            // An L* of 50 is 119 in sRGB.
            Flat(photometric: 8, bits: 16, samples: [0x8000, 0, 0], shown: [119, 119, 119, 255], tolerance: 1),
            palette(1), palette(257), alpha(1, 0.4), alpha(2, 0.8),
            Flat(photometric: 5, bits: 16, samples: [0, 0, 0, 0x8000], shown: [127, 127, 127, 255]),
            Flat(photometric: 0, bits: 10, samples: [818], shown: [51, 51, 51, 255]),
            grey(10, 818, 204, format: 1), grey(12, 3276, 204, format: 1), grey(32, 0xC000_0000, 191, format: 1),
            grey(16, 0x3A00, 191), grey(32, float(0.75), 191), grey(64, (0.75).bitPattern, 191),
            // Values are clipped, and the file may state its own range.
            grey(32, float(-3), 0), grey(32, float(7), 255), grey(32, float(.infinity), 255), grey(32, float(.nan), 0),
            grey(32, float(220), 153, [340: .floats([100]), 341: .floats([300])]),
        ]
    }()

    @Test("samples of any depth and format have the colour that editors show", arguments: flats)
    func colors(flat: Flat) throws {
        let tags = TIFFFile.picture(
            .flat(91, 60, [0, 0, 0, 255]), photometric: flat.photometric, bits: flat.bits, format: flat.format
        ) { _ in flat.samples }
        let seen = try renderer.pixels(Self.file(tags, flat.more), size: box).rgba.prefix(4)
        #expect(zip(seen, flat.shown).allSatisfy { abs(Int($0) - $1) <= flat.tolerance }, "\(Array(seen))")
    }

    @Test(
        "a large picture is reduced while it is decoded, with the same result as afterwards", arguments: [1, 16, 77])
    func reduced(rows: Int) throws {
        let picture = TestPicture.chirp(701, 467)
        let tiff = try renderer.pixels(Self.file(TIFFFile.picture(picture, rows: rows)), size: box)
        let png = try renderer.pixels(Encode.png(picture, alpha: false), size: box)
        #expect(tiff.width == png.width && tiff.height == png.height)
        #expect(zip(tiff.rgba, png.rgba).allSatisfy { abs(Int($0) - Int($1)) <= 8 })
    }

    @Test("alpha and the size of a profile are read, and a linear profile applies to floating point samples")
    func channels() throws {
        let clear = TIFFFile.picture(.halfClear) { $0.map { UInt64($0) } }
        try renderer.expectHalfClear(Self.file(clear, [0x152: .shorts([2])]))
        let profile = Array("a profile of more than four bytes".utf8)
        let header = try PictureHeader(Self.file(TIFFFile.picture(.quadrants()), [0x8773: .bytes(profile)]))
        #expect(header.profile.count == 1 && header.profileBytes == 33)
        let linear = try ICCProfile.rgb(red: (0.64, 0.33), green: (0.30, 0.60), curve: cmsBuildGamma(nil, 1))
        let tags = TIFFFile.picture(.flat(91, 60, [0, 0, 0, 255]), bits: 32, format: 3) { _ in
            [UInt64](repeating: Self.float(0.2159), count: 3)
        }
        let seen = try renderer.pixels(Self.file(tags, [0x8773: .bytes(linear)]), size: box).rgba
        #expect(seen.prefix(3).allSatisfy { 126...130 ~= $0 }, "\(seen.prefix(3))")
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

    private static let damagedFiles: [NamedFile] = {
        func corrupted(_ name: String) -> NamedFile {
            var bytes = Fixture.bytes("\(name).tif")
            bytes.replaceSubrange(400..<416, with: repeatElement([0xFF, 0xD9], count: 8).joined())
            return NamedFile("corrupted \(name)", bytes)
        }
        func cut(_ name: String, _ bytes: [UInt8], _ percent: Int) -> NamedFile {
            NamedFile("\(percent)% of \(name)", Array(bytes.prefix(bytes.count * percent / 100)))
        }
        // One strip, a part of which can be read.
        let separated = file(TIFFFile.picture(.quadrants(), photometric: 5, bits: 16, rows: 80, inks(16)))
        return [
            cut("strips", strips, 70), cut("strips", strips, 99), cut("inks", separated, 70), corrupted("lzw"),
            corrupted("jpeg"), corrupted("cmyk"),
        ]
    }()

    @Test("a truncated or corrupted file is shown as far as it goes and marked as damaged", arguments: damagedFiles)
    func damaged(file: NamedFile) throws {
        let thumbnail = try renderer.render(file.bytes, size: box)
        #expect(thumbnail.isDamaged && thumbnail.width == 60)
        guard file.name.hasSuffix("strips") else { return }
        let seen = thumbnail.decoded()
        #expect(seen.differs(14, 9, from: TestPicture.red) <= 12)
        let below = file.name == "70% of strips" ? [255, 255, 255] : TestPicture.yellow
        #expect(seen.differs(44, file.name == "70% of strips" ? 36 : 29, from: below) <= 12)
    }

    @Test("a file that ends before its first pixels is refused and can be retried")
    func incomplete() {
        renderer.expectIncomplete(Self.strips, cutAt: [8, 60, 300])
        renderer.expectIncomplete(Self.big, cutAt: [8, 15, 16])
        #expect(renderer.refusal(Array(Self.big.prefix(60))) == "broken picture: TIFF without a picture")
    }

    @Test(
        "a file with contradictory tags is shown at its size, or refused as broken or too large",
        arguments: [
            [0x115: .shorts([65_535])], [0x115: .shorts([5])], [0x116: .longs([1 << 31])], [0x117: .longs([0])],
            [0x100: .longs([19_000]), 0x101: .longs([13_000])], [0x142: .longs([1 << 30]), 0x143: .longs([16])],
            [0x142: .longs([16]), 0x143: .longs([16])], [0x106: .shorts([8])], [0x11C: .shorts([2])],
        ] as [Tags])
    func hostile(change: Tags) {
        let bytes = Self.file(
            TIFFFile.picture(.quadrants(), photometric: 5, bits: 16, rows: 80, Self.inks(16)), change)
        do throws(RenderError) {
            let thumbnail = try renderer.render(bytes, size: box)
            #expect(thumbnail.width == 60 && [40, 41].contains(thumbnail.height))
        } catch {
            // A strip behind the file's end counts as missing.
            switch error {
            case .broken, .unsupported, .overLimit, .truncated: break
            default: Issue.record("\(error)")
            }
        }
    }

    @Test("an oversized or unsupported TIFF is refused with its reason")
    func refused() {
        let tags = TIFFFile.picture(.quadrants())
        let huge = Self.file(tags, [0x100: .longs([20_000]), 0x101: .longs([15_000])])
        #expect(renderer.refusal(huge) == "TIFF of 20000 x 15000 pixels is over the limit of 256 megapixels")
        let floats = Self.file(tags, [0x102: .shorts([24, 24, 24]), 0x153: .shorts([3, 3, 3])])
        #expect(renderer.refusal(floats).hasPrefix("not supported: TIFF: "))
        var limits = RenderLimits()
        limits.workerMemory = 64 << 10
        // LZW's strips cannot be cut.
        #expect(PictureRenderer(limits: limits).refusal(Self.lzw) == "TIFF: its strips are too large")
    }
}
