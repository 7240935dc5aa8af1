import CImageCodecs
import Media
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct OrientationTests {
    /// Expects the same upright picture from each of its eight stored forms.
    private func check(_ width: Int, _ height: Int, _ encode: (TestPicture, Int) -> [UInt8]) throws {
        let renderer = PictureRenderer()
        let upright = TestPicture.quadrants(width, height)
        for orientation in 1...8 {
            let bytes = encode(upright.stored(orientation: orientation), orientation)
            let thumbnail = try renderer.render(bytes, size: ThumbnailSize(width: 60, height: 40))
            thumbnail.expectCorners(TestPicture.corners, "\(orientation)", tolerance: 12)
        }
    }

    @Test("JPEG of all eight orientations is shown upright", arguments: [(120, 80), (121, 83), (480, 331)])
    func jpeg(width: Int, height: Int) throws {
        try check(width, height) { Segments.exif(Encode.jpeg($0, sampling: TJSAMP_420), orientation: $1) }
    }

    @Test("progressive JPEG of all eight orientations is shown upright")
    func progressive() throws {
        try check(240, 161) { Segments.exif(Encode.jpeg($0, progressive: true), orientation: $1) }
    }

    @Test("PNG of all eight orientations is shown upright")
    func png() throws {
        try check(121, 80) {
            Segments.insert("eXIf", Segments.tiff(orientation: $1, bigEndian: false), intoPNG: Encode.png($0))
        }
    }

    @Test("PNG with EXIF behind the picture is shown upright, even with JPEG's prefix")
    func pngLate() throws {
        try check(121, 80) {
            let png = Encode.png($0)
            let exif = Segments.chunk("eXIf", Array("Exif\0\0".utf8) + Segments.tiff(orientation: $1))
            return Array(png.dropLast(12)) + exif + png.suffix(12)
        }
        let png = Encode.png(.quadrants())
        let first = Segments.insert("eXIf", Segments.tiff(orientation: 6), intoPNG: png)
        let both = Array(first.dropLast(12)) + Segments.chunk("eXIf", Segments.tiff(orientation: 3)) + first.suffix(12)
        #expect(try PictureHeader(both).orientation == .right)
        // The first EXIF is enough if the file's end has not arrived.
        #expect(try PictureHeader(Array(both.prefix(both.count / 2))).orientation == .right)
    }

    @Test("an orientation only in XMP is ignored, as in browsers")
    func xmp() throws {
        let packet = #"<rdf:Description xmlns:tiff="http://ns.adobe.com/tiff/1.0/" tiff:Orientation="6"/>"#
        let xmp = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        let jpeg = Segments.insert(0xE1, xmp, intoJPEG: Encode.jpeg(.quadrants()))
        try PictureRenderer().expectQuadrants(jpeg, "XMP")
        let head = try #require(JPEGHead(jpeg))
        #expect(head.xmp != nil && head.uprightWidth == 120)
        // EXIF's orientation applies whatever XMP says.
        #expect(try PictureHeader(Segments.exif(jpeg, orientation: 8)).orientation == .left)
    }
}
