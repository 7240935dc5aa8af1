import Demo
import Media
import TestSupport
import Testing

/// A video's facts are read whether or not this build shows videos.
@Suite struct VideoFileTests {
    @Test("size and rotation come from the track's header", arguments: 0..<4)
    func header(quarters: Int) throws {
        let header = try PictureHeader(Movie.quadrants(turned: quarters))
        #expect(header.kind == .video && header.width == 64 && header.height == 48)
        #expect(header.orientation == [Orientation.up, .right, .down, .left][quarters])
        let head = try #require(FileHead(FilePieces(Movie.quadrants(turned: quarters))))
        #expect(head.kind == .video && head.width == header.uprightWidth && head.height == header.uprightHeight)
        #expect(head.film?.picture?.width == 64)
    }

    @Test("the excerpt of a long video holds its header and the beginning of the film")
    func excerpt() throws {
        let apart = 30 << 20
        let file = FilePieces(Movie.quadrants(apart: apart))
        let excerpt = try #require(VideoFile.excerpt(of: file))
        #expect(excerpt.count < 9 << 20)
        let video = try VideoFile(excerpt)
        #expect(video.bytes.count + video.gap.count == file.count)
        // The excerpt's bytes keep their offsets, and the gap is empty.
        let parts = FilePieces(video.bytes, gap: video.gap)
        let header = try #require(QuickTimeHeader(file)?.place)
        for (start, count) in [(0, 2_000), (header.lowerBound, header.count)] {
            #expect(parts.bytes(at: start, count) == file.bytes(at: start, count))
        }
        #expect(parts.bytes(at: video.gap.lowerBound - 2, 9).count == 2)
        #expect(parts.bytes(at: video.gap.lowerBound + 1, 9).isEmpty)
        #expect(try PictureHeader(excerpt).width == 64)
        // Nothing of a short video is left out.
        #expect(VideoFile.excerpt(of: FilePieces(Movie.quadrants)) == Movie.quadrants)
        #expect(VideoFile.excerpt(of: FilePieces([0, 0, 0, 8] + Array("wide".utf8))) == nil)
    }

    @Test("a hostile gap in an excerpt is refused")
    func hostileGap() throws {
        func box(_ numbers: [UInt8]) -> [UInt8] { [0, 0, 0, 24] + Array("gap ".utf8) + numbers + Movie.quadrants }
        for start in [UInt8.max, 0] {
            for length in [UInt8.max, 0x3F, 0] {
                let numbers = [start, 0, 0, 0, length, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0]
                #expect(throws: RenderError.self) {
                    try PictureRenderer().render(box(numbers), size: ThumbnailSize(width: 8, height: 8))
                }
            }
        }
    }

    @Test("a file with only sound is refused")
    func sound() throws {
        var bytes = Movie.quadrants
        func handler(_ type: String) -> [UInt8] {
            Array("hdlr".utf8) + [UInt8](repeating: 0, count: 8) + Array(type.utf8)
        }
        let pictures = try #require(bytes.firstRange(of: handler("vide")))
        bytes.replaceSubrange(pictures, with: handler("soun"))
        #expect(throws: RenderError.unsupported("a video without pictures")) { try PictureHeader(bytes) }
    }
}

@Suite(.timeLimit(.minutes(2)), .enabled(if: PictureKind.video.isBuiltIn))
struct VideoTests {
    private let box = ThumbnailSize(width: 64, height: 64)

    private static let colors: [[UInt8]] = [[220, 30, 30], [30, 200, 30], [30, 30, 220], [220, 220, 30]]

    @Test("the first frame is shown upright", arguments: 0..<4)
    func turned(quarters: Int) throws {
        let thumbnail = try PictureRenderer().render(Movie.quadrants(turned: quarters), size: box)
        let order = [[0, 1, 2, 3], [2, 0, 3, 1], [3, 2, 1, 0], [1, 3, 0, 2]][quarters]
        thumbnail.expectCorners(order.map { Self.colors[$0] }, tolerance: 30)
    }

    @Test("an excerpt shows the same frame, and a truncated video is incomplete")
    func excerpt() throws {
        let bytes = Movie.quadrants(apart: 30 << 20)
        let excerpt = try #require(VideoFile.excerpt(of: FilePieces(bytes)))
        try PictureRenderer().render(excerpt, size: box).expectCorners(Self.colors, tolerance: 30)
        #expect(throws: RenderError.truncated("the video's header is missing")) {
            try PictureRenderer().render(Array(Movie.quadrants.prefix(600)), size: box)
        }
    }

    @Test("an unsupported codec is refused")
    func coding() throws {
        var bytes = Movie.quadrants
        let entry = try #require(bytes.firstRange(of: Array("avc1mp41".utf8))?.upperBound)
        let coding = try #require(bytes[entry...].firstRange(of: Array("avc1".utf8)))
        bytes.replaceSubrange(coding, with: Array("cvid".utf8))
        #expect(throws: RenderError.self) { try PictureRenderer().render(bytes, size: box) }
    }

    @Test("a worker decodes videos with one thread")
    func worker() async throws {
        let renderer = try await Renderer.sandboxed()
        try await renderer.render(Movie.quadrants, size: box).expectCorners(Self.colors, tolerance: 30)
        try await renderer.expectOneThread()
    }
}
