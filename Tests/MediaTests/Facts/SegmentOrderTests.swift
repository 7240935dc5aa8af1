import Media
import TestSupport
import Testing

/// Metadata behind other segments of a JPEG.
@Suite struct SegmentOrderTests {
    private static let packet = Array(
        #"http://ns.adobe.com/xap/1.0/\#0<x:xmpmeta><rdf:Description xmp:Rating="4"/></x:xmpmeta>"#.utf8)
    private static let preview = Encode.jpeg(.quadrants(160, 120))

    private static var camera: CameraFile {
        var camera = CameraFile()
        camera.orientation = 6
        camera.preview = preview
        return camera
    }

    /// A JPEG with other segments before, between and behind EXIF and XMP.
    private static func file(behind padding: [Int], exif: [UInt8] = camera.exif) -> [UInt8] {
        var bytes = Encode.jpeg(.quadrants(60, 40))
        bytes = Segments.insert(0xE2, [UInt8](repeating: 1, count: 300), intoJPEG: bytes)
        bytes = Segments.insert(0xE1, packet, intoJPEG: bytes)
        bytes = Segments.insert(0xE2, [UInt8](repeating: 1, count: 300), intoJPEG: bytes)
        bytes = Segments.insert(0xE1, exif, intoJPEG: bytes)
        for count in padding.reversed() {
            bytes = Segments.insert(0xE6, [UInt8](repeating: 0xFF, count: count), intoJPEG: bytes)
        }
        return bytes
    }

    @Test(
        "EXIF, its preview and XMP are found behind any number of other segments",
        arguments: [[], [60_000], [65_000], [65_000, 4_600], [60_000, 60_000], [65_000, 65_000, 12_000]])
    func behind(padding: [Int]) throws {
        let bytes = Self.file(behind: padding)
        let head = try #require(FileHead(FilePieces(bytes)))
        #expect(head.width == 40 && head.height == 60 && head.orientation == .right)
        #expect(head.exif?.taken?.text == "2019-07-12T14:03:22" && head.exif?.camera.model == "Painted 12")
        #expect(head.xmp?.rating == 4)
        #expect(try Array(bytes[#require(head.preview)]) == Self.preview)
    }

    @Test("a segment is read whole wherever the file's first piece ends in it")
    func cutAnywhere() throws {
        let exif = Self.camera.exif + [UInt8](repeating: 0, count: 50_000)
        for place in [-3, 0, 1, 2, 3, 4, 9, 10, 11, 200, 40_000] {
            // EXIF begins `place` bytes before the end of the first piece, behind two segments.
            let padding = JPEGHead.length - 2 - 8 - place
            let bytes = Self.file(behind: [padding / 2, padding - padding / 2], exif: exif)
            let head = try #require(FileHead(FilePieces(bytes)))
            #expect(head.exif?.taken != nil && head.xmp?.rating == 4 && head.orientation == .right, "\(place)")
            #expect(try Array(bytes[#require(head.preview)]) == Self.preview, "\(place)")
            #expect(head.height == 60, "\(place)")
        }
    }

    @Test("IPTC is read behind other segments, and extended XMP is not read as XMP")
    func others() throws {
        let sets: [UInt8] = [0x1C, 2, 55, 0, 8] + Array("20190731".utf8)
        let history = Array("8BIM".utf8) + [4, 0x22, 0, 0, 0, 0, 0x75, 0x30] + [UInt8](repeating: 0, count: 30_000)
        let date = Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, UInt8(sets.count)] + sets
        var bytes = Segments.insert(
            0xED, Array("Photoshop 3.0\0".utf8) + history + date, intoJPEG: Encode.jpeg(.quadrants(60, 40)))
        let extended = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Self.packet
        for _ in 0..<2 {
            let padding = [UInt8](repeating: 0x20, count: 60_000)
            bytes = Segments.insert(0xE1, extended + padding, intoJPEG: bytes)
        }
        let head = try #require(FileHead(FilePieces(bytes)))
        #expect(head.iptc?.text == "2019-07-31T00:00:00" && head.xmp == nil && head.width == 60)
    }

    @Test("the beginning of a download gives its facts, and a whole segment replaces its first part")
    func beginning() throws {
        let bytes = Self.file(behind: [])
        let exif = Self.camera.exif.count
        // The beginning ends in the preview.
        var head = try #require(JPEGHead(Array(bytes.prefix(exif - 100))))
        #expect(head.model == "Painted 12" && head.preview == nil && head.orientation == .right)
        #expect(head.nextPiece == 2 && head.nextLength >= exif + 4)
        head.read(Array(bytes.dropFirst(2).prefix(head.nextLength)))
        #expect(try Array(bytes[#require(head.preview)]) == Self.preview && head.width == 60 && head.nextPiece == nil)
        // The beginning ends before the texts. The next piece is at least as long as the known part.
        head = try #require(JPEGHead(Array(bytes.prefix(60))))
        #expect(head.model.isEmpty)
        head.read(Array(bytes.dropFirst(2).prefix(head.nextLength)))
        #expect(head.model == "Painted 12")
    }

    @Test("reading ends with short pieces and with a truncated file")
    func ends() throws {
        let bytes = Self.file(behind: [65_000, 4_000])
        for length in [1, 4, 7, 100, JPEGHead.pieceLength] {
            var head = try #require(JPEGHead(Array(bytes.prefix(JPEGHead.length))))
            var pieces = 0
            while let next = head.nextPiece, pieces < 1_000 {
                head.read(Array(bytes.dropFirst(next).prefix(length)))
                pieces += 1
            }
            #expect(pieces < 1_000)
            if let preview = head.preview { #expect(Array(bytes[preview]) == Self.preview) }
        }
        for count in stride(from: 68_900, to: bytes.count, by: 53) {
            let head = try #require(FileHead(FilePieces(Array(bytes.prefix(count)))))
            if let preview = head.preview { #expect(preview.upperBound <= count) }
        }
    }
}
