import Media
import TestSupport
import Testing

extension TestPicture {
    /// The colours of ``quadrants``: red and green above blue and yellow.
    static let corners = [red, green, blue, yellow]

    /// Quadrants whose right half is transparent.
    static let halfClear = TestPicture(width: 120, height: 80) { x, _ in x < 60 ? red : [30, 200, 40, 0] }

    /// Expects each colour at its place.
    func expect(
        _ colors: [[UInt8]], at places: [(Int, Int)], _ name: String, tolerance: Int, location: SourceLocation
    ) {
        for (place, color) in zip(places, colors) {
            #expect(
                differs(place.0, place.1, from: color) <= tolerance,
                "\(name) at \(place): \(pixel(place.0, place.1))", sourceLocation: location)
        }
    }
}

extension Thumbnail {
    /// Expects the colours of the four quarters: top left, top right, bottom left, bottom right.
    func expectCorners(
        _ colors: [[UInt8]] = TestPicture.corners, _ name: String = "", tolerance: Int = 16,
        location: SourceLocation = #_sourceLocation
    ) {
        let seen = decoded()
        #expect(seen.width == width && seen.height == height, "\(name)", sourceLocation: location)
        let right = seen.width * 3 / 4, bottom = seen.height * 3 / 4
        let places = [
            (seen.width / 4, seen.height / 4), (right, seen.height / 4), (seen.width / 4, bottom), (right, bottom),
        ]
        seen.expect(colors, at: places, name, tolerance: tolerance, location: location)
    }
}

extension PictureRenderer {
    private var box: ThumbnailSize { ThumbnailSize(width: 60, height: 40) }

    /// Renders a file of `TestPicture.quadrants()` to 60 x 40 pixels, and expects each colour in its quadrant.
    ///
    /// - Parameter pixelTolerance: the tolerance before the thumbnail is encoded, which adds to the differences.
    func expectQuadrants(
        _ bytes: [UInt8], _ name: String, tolerance: Int = 12, pixelTolerance: Int = 255,
        location: SourceLocation = #_sourceLocation
    ) throws {
        let thumbnail = try render(bytes, size: box)
        #expect(
            thumbnail.width == 60 && thumbnail.height == 40 && !thumbnail.isDamaged, "\(name)", sourceLocation: location
        )
        let places = [(14, 9), (44, 9), (14, 29), (44, 29)]
        let seen = thumbnail.decoded()
        #expect(seen.width == 60 && seen.height == 40, "\(name)", sourceLocation: location)
        seen.expect(TestPicture.corners, at: places, name, tolerance: tolerance, location: location)
        guard pixelTolerance < 255 else { return }
        let pixels = try self.pixels(bytes, size: box)
        TestPicture(width: pixels.width, height: pixels.height, rgba: pixels.rgba)
            .expect(TestPicture.corners, at: places, name, tolerance: pixelTolerance, location: location)
    }

    /// Renders a file of `TestPicture.halfClear` as WebP, and expects its right half to stay transparent.
    func expectHalfClear(_ bytes: [UInt8], _ name: String = "", location: SourceLocation = #_sourceLocation) throws {
        let seen = try render(bytes, size: box, options: RenderOptions(format: .webp)).decoded()
        #expect(
            seen.pixel(12, 10)[3] == 255 && seen.pixel(48, 10)[3] == 0, "\(name)", sourceLocation: location)
        #expect(seen.differs(12, 10, from: TestPicture.red) <= 20, "\(name)", sourceLocation: location)
    }

    /// Returns the reason why a picture is refused.
    func refusal(_ bytes: [UInt8]) -> String {
        do throws(RenderError) {
            _ = try render(bytes, size: box)
            return "rendered"
        } catch {
            return "\(error)"
        }
    }

    /// Expects the first bytes of a picture to be refused until more of the picture arrives.
    func expectIncomplete(
        _ bytes: [UInt8], cutAt counts: [Int], _ name: String = "", location: SourceLocation = #_sourceLocation
    ) {
        for count in counts {
            let error = #expect(throws: RenderError.self, "\(name), \(count)", sourceLocation: location) {
                try self.render(Array(bytes.prefix(count)), size: self.box)
            }
            #expect(
                error?.retryable == true, "\(name), \(count): \(error.map { "\($0)" } ?? "")",
                sourceLocation: location)
        }
    }
}

/// A file with a name, as the argument of a test.
struct NamedFile: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }

    var testDescription: String { name }
}
