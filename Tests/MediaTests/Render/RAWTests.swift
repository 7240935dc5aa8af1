import Media
import TestSupport
import Testing

/// RAW files without sensor data: directories and previews as cameras write them.
@Suite(.timeLimit(.minutes(1))) struct RAWTests {
    let renderer = PictureRenderer()
    static let upright = TestPicture.quadrants(600, 400)
    /// Stored as by a turned camera.
    static let full = Encode.jpeg(upright.stored(orientation: 6))
    static let medium = Encode.jpeg(TestPicture.flat(160, 240, TestPicture.blue))
    /// 4:3 with bars, as in the preview of a 3:2 picture.
    static let letterboxed = Encode.jpeg(TestPicture.flat(160, 120, [0, 0, 0, 255]))
    static let sensor: [Int: TIFFFile.Value] = [
        0x100: .longs([6000]), 0x101: .longs([4000]), 0x103: .shorts([34713]), 0x106: .shorts([32803]),
        0x111: .data([[UInt8](repeating: 7, count: 5000)]), 0x117: .longs([5000]),
    ]

    private static func jpegTags(_ jpeg: [UInt8]) -> [Int: TIFFFile.Value] {
        [0x201: .data([jpeg]), 0x202: .longs([jpeg.count])]
    }

    private static func stripTags(_ jpeg: [UInt8], _ compression: Int) -> [Int: TIFFFile.Value] {
        [0x103: .shorts([compression]), 0x111: .data([jpeg]), 0x117: .longs([jpeg.count])]
    }

    static let files: [(name: String, bytes: [UInt8])] = {
        let turned: [Int: TIFFFile.Value] = [0x112: .shorts([6])]
        func joined(_ tags: [Int: TIFFFile.Value]...) -> [Int: TIFFFile.Value] {
            tags.reduce(into: [:]) { $0.merge($1) { $1 } }
        }
        var dng = joined(turned, [0xC612: .bytes([1, 4, 0, 0], type: 1), 0xFE: .longs([1])])
        dng[0x14A] = .directories([sensor, stripTags(full, 7), stripTags(medium, 7)])
        var nef = joined(turned, [0x100: .longs([160]), 0x101: .longs([120])])
        nef[0x14A] = .directories([jpegTags(full), sensor, jpegTags(medium)])
        // The settings' offset counts from the note's beginning. The note's directory begins at 12.
        let note = olympusNote(full)
        let orf = TIFFFile(
            magic: Array("IIRO".utf8),
            directories: [joined(turned, [0x8769: .directories([[0x927C: .bytes(note)]])]), jpegTags(medium)])
        return [
            (
                "CR2",
                TIFFFile(
                    preamble: Array("CR\u{2}\0\0\0\0\0".utf8),
                    directories: [joined(turned, stripTags(full, 6)), jpegTags(medium), jpegTags(letterboxed), sensor]
                ).bytes
            ),
            ("NEF", TIFFFile(magic: [0x4D, 0x4D, 0, 42], directories: [nef, jpegTags(letterboxed)]).bytes),
            (
                "ARW",
                TIFFFile(
                    directories: [
                        joined(
                            turned, jpegTags(full), [0x14A: .directories([joined(sensor, [0x103: .shorts([32767])])])]),
                        jpegTags(medium),
                    ]).bytes
            ),
            ("DNG", TIFFFile(directories: [dng]).bytes),
            ("ORF", orf.bytes),
            (
                "RW2",
                TIFFFile(
                    magic: [0x49, 0x49, 0x55, 0], directories: [joined(turned, [0x2E: .bytes(full)]), jpegTags(medium)]
                ).bytes
            ),
            ("RAF", raf(Segments.exif(full, orientation: 6))),
            ("CR3", cr3(orientation: 6)),
        ]
    }()

    private static func olympusNote(_ jpeg: [UInt8]) -> [UInt8] {
        let head = Array("OLYMPUS\0II\u{3}\0".utf8)
        func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
            Segments.littleEndian(tag, 2) + Segments.littleEndian(type, 2) + Segments.littleEndian(1, 4)
                + Segments.littleEndian(value, 4)
        }
        let settings = 12 + 2 + 12 + 4, preview = settings + 2 + 24 + 4
        return head + [1, 0] + entry(0x2020, 13, settings) + [0, 0, 0, 0]
            + [2, 0] + entry(0x101, 4, preview) + entry(0x102, 4, jpeg.count) + [0, 0, 0, 0] + jpeg
    }

    private static func raf(_ jpeg: [UInt8]) -> [UInt8] {
        var head = Array("FUJIFILMCCD-RAW 0201FF389501X-T2".utf8)
        head += [UInt8](repeating: 0, count: 84 - head.count) + Segments.bigEndian(148) + Segments.bigEndian(jpeg.count)
        return head + [UInt8](repeating: 0, count: 148 - head.count) + jpeg + [UInt8](repeating: 9, count: 3000)
    }

    private static func cr3(orientation: Int) -> [UInt8] {
        func uuid(_ digits: String) -> [UInt8] {
            let nibbles = digits.compactMap(\.hexDigitValue)
            return stride(from: 0, to: 32, by: 2).map { UInt8(nibbles[$0] * 16 + nibbles[$0 + 1]) }
        }
        let box = HEIFFile.box
        let ftyp = box("ftyp", Array("crx ".utf8) + [0, 0, 0, 1] + Array("crx isom".utf8))
        let thumbnail = box(
            "THMB", [0, 0, 0, 0, 0, 160, 0, 120] + Segments.bigEndian(letterboxed.count) + [0, 1, 0, 0] + letterboxed)
        let canon = box(
            "uuid",
            uuid("85c0b687820f11e08111f4ce462b6a48") + box("CMT1", Segments.tiff(orientation: orientation)) + thumbnail)
        let preview = box(
            "uuid",
            uuid("eaf42b5e1c984b88b9fbb7dc406e4d16") + [0, 0, 0, 0, 0, 0, 0, 1]
                + box(
                    "PRVW",
                    [0, 0, 0, 0, 0, 1, 0, 160, 0, 240, 0, 1] + Segments.bigEndian(medium.count) + medium))
        func movie(_ offset: Int) -> [UInt8] {
            let table =
                box("stsz", [0, 0, 0, 0] + Segments.bigEndian(full.count) + [0, 0, 0, 1])
                + box("co64", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0] + Segments.bigEndian(offset))
            return box("moov", canon + box("trak", box("mdia", box("minf", box("stbl", table)))))
        }
        let start = ftyp.count + movie(0).count + preview.count + 8
        return ftyp + movie(start) + preview + box("mdat", full + [UInt8](repeating: 3, count: 4000))
    }

    @Test("the largest preview is shown, turned as the camera was held", arguments: files.map(\.name))
    func large(name: String) throws {
        let bytes = try #require(Self.files.first { $0.name == name }).bytes
        #expect(try PictureKind(bytes) == .raw)
        let thumbnail = try renderer.render(bytes, size: ThumbnailSize(width: 300, height: 200))
        #expect(thumbnail.sourceWidth == 600 && thumbnail.sourceHeight == 400)
        #expect(thumbnail.width == 300 && thumbnail.height == 200)
        thumbnail.expectCorners(TestPicture.corners, name, tolerance: 12)
    }

    @Test("the smallest sufficient preview is decoded, but none with bars", arguments: files.map(\.name))
    func small(name: String) throws {
        let bytes = try #require(Self.files.first { $0.name == name }).bytes
        let thumbnail = try renderer.render(bytes, size: ThumbnailSize(width: 120, height: 80))
        #expect(thumbnail.sourceWidth == 600 && thumbnail.width == 120 && thumbnail.height == 80)
        if name == "RAF" {
            thumbnail.expectCorners(TestPicture.corners, name, tolerance: 12)
        } else {
            #expect(thumbnail.decoded().differs(60, 40, from: TestPicture.blue) <= 10)
        }
    }

    @Test(
        "an excerpt renders like the whole file and is little larger than the preview", arguments: files.map(\.name)
    )
    func excerpt(name: String) throws {
        let bytes = try #require(Self.files.first { $0.name == name }).bytes
        for size in [ThumbnailSize(width: 120, height: 80), ThumbnailSize(width: 500, height: 0)] {
            let excerpt = try #require(try RAWPicture(FilePieces(bytes)).excerpt(for: (size.width, size.height)))
            #expect(try renderer.render(excerpt, size: size) == renderer.render(bytes, size: size))
            if size.width == 120, name != "RAF" { #expect(excerpt.count < Self.medium.count + 200) }
        }
    }

    @Test("a file without a preview is refused, and one that ends before its preview is incomplete")
    func without() throws {
        let bare = TIFFFile(directories: [[0xC612: .bytes([1, 4, 0, 0], type: 1), 0x14A: .directories([Self.sensor])]])
        #expect(throws: RenderError.unsupported("RAW without a preview")) { try PictureHeader(bare.bytes) }
        let raf = try #require(Self.files.first { $0.name == "RAF" }).bytes
        #expect(throws: RenderError.truncated("the RAW file ends before its preview")) {
            try PictureHeader(Array(raf.prefix(1000)))
        }
    }

    @Test("a plain TIFF is not a RAW file, and circular directories are read once")
    func circles() throws {
        #expect(try PictureKind(TIFFFile(directories: [TIFFFile.picture(.quadrants())]).bytes) == .tiff)
        // The next directory and the directories below are the first one again.
        var bytes = TIFFFile(directories: [[0x14A: .longs([8, 8, 8]), 0xC612: .bytes([1, 4, 0, 0], type: 1)]]).bytes
        let next = 8 + 2 + 24
        bytes.replaceSubrange(next..<next + 4, with: [8, 0, 0, 0])
        #expect(throws: RenderError.unsupported("RAW without a preview")) { try PictureHeader(bytes) }
    }
}
