import Media
import TestSupport
import Testing

extension PictureRenderer {
    /// Renders a file of `TestPicture.quadrants()` to 60 x 40 pixels, and expects each colour in its quadrant.
    func expectQuadrants(
        _ bytes: [UInt8], _ name: String, tolerance: Int = 12, location: SourceLocation = #_sourceLocation
    ) throws {
        let thumbnail = try render(bytes, size: ThumbnailSize(width: 60, height: 40))
        #expect(
            thumbnail.width == 60 && thumbnail.height == 40 && !thumbnail.isDamaged, "\(name)", sourceLocation: location
        )
        let seen = thumbnail.decoded()
        let places = [
            (14, 9, TestPicture.red), (44, 9, TestPicture.green), (14, 29, TestPicture.blue),
            (44, 29, TestPicture.yellow),
        ]
        for (x, y, color) in places {
            #expect(
                seen.differs(x, y, from: color) <= tolerance, "\(name) at \(x), \(y): \(seen.pixel(x, y))",
                sourceLocation: location)
        }
    }
}
