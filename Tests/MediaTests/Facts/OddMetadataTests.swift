import Media
import TestSupport
import Testing

/// Metadata in forms that differ from their standards.
@Suite struct OddMetadataTests {
    private static func exif(
        _ main: [Int: TIFFFile.Value] = [:], exif: [Int: TIFFFile.Value] = [:], gps: [Int: TIFFFile.Value] = [:]
    ) throws -> ExifMetadata {
        let below: [Int: TIFFFile.Value] = [0x8769: .directories([exif]), 0x8825: .directories([gps])]
        let bytes = TIFFFile(directories: [main.merging(below) { $1 }]).bytes
        return try #require(ExifMetadata(chunk: bytes))
    }

    @Test("camera names of type UNDEFINED, and camera names in the EXIF directory, are read")
    func names() throws {
        let make = TIFFFile.Value.bytes(Array("Maker\0".utf8), type: 7)
        let model = TIFFFile.Value.bytes(Array("M1\0".utf8), type: 7)
        let undefined = try Self.exif([0x010F: make, 0x0110: model])
        let misplaced = try Self.exif(
            exif: [0x010F: .text("Maker"), 0x0110: .text("M1"), 0x9003: .text("2019:07:12")])
        for found in [undefined, misplaced] {
            #expect(found.camera.make == "Maker" && found.camera.model == "M1")
        }
        let both = try Self.exif([0x010F: .text("First")], exif: [0x010F: .text("Second")])
        #expect(both.camera.make == "First")
    }

    @Test("binary bytes give no camera name")
    func binary() throws {
        let found = try Self.exif([
            0x010F: .bytes([1, 2, 3, 255, 254, 253], type: 7), 0x0110: .bytes([0, 65], type: 7),
        ])
        #expect(found.camera.make == nil && found.camera.model == nil)
    }

    @Test(
        "GPS coordinates are read from text",
        arguments: ["47, 22, 12", "47 22 12", "47/1,22/1,12/1", "47, 22.2", "47.37"])
    func place(text: String) throws {
        let found = try Self.exif(gps: [1: .text("S"), 2: .text(text), 3: .text("E"), 4: .text("8, 32, 24")])
        let location = try #require(found.location)
        #expect(abs(location.latitude + 47.37) < 1e-6 && abs(location.longitude - 8.54) < 1e-6)
    }

    @Test(
        "malformed GPS text is ignored",
        arguments: ["", "x", "91", "47, 60", "47, 0, 60", "-47", "1/0", "1, 2, 3, 4", "1.2.3", "/", "-", "0/0"])
    func noPlace(text: String) throws {
        let found = try Self.exif(gps: [1: .text("N"), 2: .text(text), 3: .text("E"), 4: .text("8, 32, 24")])
        #expect(found.location == nil)
    }

    @Test("a date in an unusual form is read to the millisecond")
    func date() throws {
        let found = try Self.exif(exif: [0x9003: .text("2019:7:12 14:03"), 0x9291: .text("25")])
        #expect(found.taken?.text == "2019-07-12T14:03:00.25")
    }

    @Test(
        "a fraction of a second is read from its first digits, and is 0 if malformed",
        arguments: [
            ("1", 100), ("25 ", 250), (" 5", 500), ("007", 7), ("123456789", 123), ("", 0), ("  ", 0), ("x5", 0),
            (".5", 0), ("-5", 0),
        ])
    func fraction(text: String, milliseconds: Int) throws {
        let found = try Self.exif(exif: [0x9003: .text("2019:07:12 14:03:22"), 0x9291: .text(text)])
        #expect(found.taken?.millisecond == milliseconds && found.taken?.second == 22)
    }

    @Test("EXIF in HEIC is read without its four bytes of offset", arguments: [true, false], [true, false])
    func heic(hasPrefix: Bool, bigEndian: Bool) throws {
        let tiff = Segments.tiff(orientation: 6, bigEndian: bigEndian)
        var file = HEIFFile.heic(CodedPicture.HEVC.quadrants)
        let prefix: [UInt8] = hasPrefix ? Array("Exif\0\0".utf8) : []
        file.items.append(HEIFFile.Item(type: "Exif", data: prefix + tiff, properties: []))
        let head = try #require(FileHead(FilePieces(file.bytes)))
        #expect(head.exif?.orientation == .right && head.width == 120)
    }

    private static let keyword = Array("XML:com.adobe.xmp\0".utf8)
    private static let packet = Array(#"<x:xmpmeta><rdf:Description xmp:Rating="4"/></x:xmpmeta>"#.utf8)

    private static let picture = Encode.png(.quadrants(60, 40))

    private static func png(_ chunks: [UInt8]) throws -> FileHead {
        try #require(FileHead(FilePieces(Array(picture.prefix(33)) + chunks + picture.dropFirst(33))))
    }

    @Test("XMP is read from a PNG's text chunks, compressed or not")
    func texts() throws {
        let packed = Segments.zlib(Self.packet)
        let language = Array("en\0XMP\0".utf8)
        let chunks: [(type: String, contents: [UInt8])] = [
            ("iTXt", [0, 0, 0, 0] + Self.packet), ("iTXt", [1, 0, 0, 0] + packed),
            ("iTXt", [1, 0] + language + packed), ("zTXt", [0] + packed), ("tEXt", Self.packet),
        ]
        for (type, contents) in chunks {
            let whole = Self.keyword + contents
            #expect(try Self.png(Segments.chunk(type, whole)).xmp?.rating == 4, "\(type)")
            for count in 0..<whole.count { _ = try Self.png(Segments.chunk(type, Array(whole.prefix(count)))) }
        }
    }

    @Test("XMP is not read if it inflates to over a megabyte or follows five compressed texts")
    func bombs() throws {
        let long = Self.packet + [UInt8](repeating: 0x20, count: 1 << 20)
        let bomb = Segments.chunk("iTXt", Self.keyword + [1, 0, 0, 0] + Segments.zlib(long))
        #expect(try Self.png(bomb).xmp == nil)
        let packet = Segments.chunk("zTXt", Self.keyword + [0] + Segments.zlib(Self.packet))
        #expect(try Self.png((0..<4).flatMap { _ in bomb } + packet).xmp?.rating == 4)
        #expect(try Self.png((0..<5).flatMap { _ in bomb } + packet).xmp == nil)
    }
}
