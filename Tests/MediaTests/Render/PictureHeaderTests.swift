import CImageCodecs
import Media
import TestSupport
import Testing

@Suite struct PictureHeaderTests {
    let picture = TestPicture.quadrants(121, 79)

    @Test("every format's kind and size are read")
    func sizes() throws {
        let files: [(PictureKind, [UInt8])] = [
            (.jpeg, Encode.jpeg(picture)), (.png, Encode.png(picture)), (.webp, Encode.webp(picture)),
            (.webp, Encode.webp(picture, lossless: true)), (.gif, Encode.gif(picture)),
        ]
        for (kind, bytes) in files {
            let header = try PictureHeader(bytes)
            #expect(header.kind == kind)
            #expect(header.width == 121 && header.height == 79, "\(kind)")
            #expect(!header.isProgressive && !header.isAnimated, "\(kind)")
        }
    }

    @Test("progressive and interlaced pictures are recognized")
    func progressive() throws {
        #expect(try PictureHeader(Encode.jpeg(picture, progressive: true)).isProgressive)
        #expect(try PictureHeader(RealPictures.progressiveJPEG).isProgressive)
        #expect(try PictureHeader(RealPictures.interlacedPNG).isProgressive)
        #expect(try PictureHeader(Encode.gif(picture, interlaced: true)).isProgressive)
    }

    @Test("animations are recognized")
    func animated() throws {
        #expect(try PictureHeader(Encode.gif(picture, second: picture)).isAnimated)
        #expect(try PictureHeader(RealPictures.animatedWebP).isAnimated)
        let animation = Segments.insert("acTL", [0, 0, 0, 2, 0, 0, 0, 0], intoPNG: Encode.png(picture))
        #expect(try PictureHeader(animation).isAnimated)
    }

    @Test("all eight orientations are read in both byte orders, and swap width and height from the fifth on")
    func orientations() throws {
        let jpeg = Encode.jpeg(picture)
        for orientation in Orientation.allCases {
            for bigEndian in [true, false] {
                let bytes = Segments.exif(jpeg, orientation: Int(orientation.rawValue), bigEndian: bigEndian)
                let header = try PictureHeader(bytes)
                #expect(header.orientation == orientation)
                #expect(header.uprightWidth == (orientation.rawValue >= 5 ? 79 : 121))
            }
        }
    }

    @Test("an invalid orientation or offset in EXIF is ignored", arguments: [0, 9, 200])
    func lyingExif(orientation: Int) throws {
        #expect(try PictureHeader(Segments.exif(Encode.jpeg(picture), orientation: orientation)).orientation == .up)
        var tiff = Segments.tiff(orientation: 6)
        tiff[7] = 0xF0
        let farAway = Segments.insert(0xE1, Array("Exif\0\0".utf8) + tiff, intoJPEG: Encode.jpeg(picture))
        #expect(try PictureHeader(farAway).orientation == .up)
    }

    @Test("the size is read from the first 700 bytes")
    func prefix() throws {
        for bytes in [Encode.jpeg(picture), Encode.png(picture), Encode.webp(picture), Encode.gif(picture)] {
            let whole = try PictureHeader(bytes)
            let enough = try #require((0...bytes.count).first { (try? PictureHeader(Array(bytes.prefix($0)))) != nil })
            let early = try PictureHeader(Array(bytes.prefix(enough)))
            #expect(early.width == whole.width && early.height == whole.height)
            #expect(enough < 700)
            #expect(throws: RenderError.self) { try PictureHeader(Array(bytes.prefix(enough - 1))) }
        }
    }

    @Test("a file that is not a picture is refused with a guess at its format")
    func strangers() {
        func reason(_ bytes: [UInt8]) -> String {
            do {
                _ = try PictureHeader(bytes)
                return "a picture"
            } catch {
                return "\(error)"
            }
        }
        #expect(reason([]) == "not a picture: the file is empty")
        #expect(reason(Array("<!DOCTYPE html><html>".utf8)) == "not a picture: looks like HTML")
        #expect(reason(Array("\n  <html lang=en>".utf8)) == "not a picture: looks like HTML")
        #expect(reason(Array("<svg xmlns=''/>".utf8)) == "not supported: SVG")
        #expect(reason(Array("{\"error\": 404}".utf8)) == "not a picture: looks like JSON")
        #expect(reason([0, 0, 0, 32] + Array("ftypavif".utf8)) == "incomplete: the AVIF header is incomplete")
        #expect(reason([0, 0, 0, 32] + Array("ftypisom".utf8)) == "incomplete: the video's header is missing")
        #expect(reason([0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]) == "incomplete: the TIFF header is incomplete")
        #expect(reason(Array("8BPS".utf8)) == "not supported: Photoshop")
        #expect(reason(Array("hello".utf8)) == "not a picture: unknown format")
    }

    @Test("a size of zero is refused")
    func zero() {
        var jpeg = Encode.jpeg(picture)
        if let frame = jpeg.indices.dropLast(9).first(where: { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 }) {
            jpeg.replaceSubrange(frame + 5..<frame + 9, with: [0, 0, 0, 0])
        }
        #expect(throws: RenderError.broken("0 x 0 pixels")) { try PictureHeader(jpeg) }
        let png = Segments.emptyPNG(width: 0, height: 5)
        #expect(throws: RenderError.broken("0 x 5 pixels")) { try PictureHeader(png) }
    }
}
