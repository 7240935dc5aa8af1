import Foundation
import Media
import TestSupport
import Testing

@Suite("Huge numbers in hostile files", .timeLimit(.minutes(1))) struct HostileNumbersTests {
    /// A HEIC of 40 x 30 pixels without data.
    private func heic(
        _ width: Int = 40, _ height: Int = 30, locations: [UInt8] = [], associations: [UInt8] = [],
        references: [UInt8] = []
    ) -> [UInt8] {
        let start: [UInt8] = [0, 0, 0, 0]
        let properties =
            HEIFFile.box("ipco", HEIFFile.size(width, height)) + HEIFFile.box("ipma", start + [0, 0, 0, 1, 0, 1, 1, 1])
            + HEIFFile.box("ipma", start + associations)
        let meta =
            start + HEIFFile.box("pitm", start + [0, 1]) + HEIFFile.box("iprp", properties)
            + HEIFFile.box("iloc", start + locations) + HEIFFile.box("iref", start + references)
        return HEIFFile.box("ftyp", Array("heic".utf8) + start) + HEIFFile.box("meta", meta)
    }

    @Test("the header of a HEIC with four billion empty extents is read")
    func extents() throws {
        let items = (0..<65_535).flatMap { _ in [0, 1, 0, 0, 0xFF, 0xFF] as [UInt8] }
        let bytes = heic(locations: [0, 0, 0xFF, 0xFF] + items)
        #expect(try PictureHeader(bytes).width == 40)
        #expect(FileHead(FilePieces(bytes))?.height == 30)
    }

    @Test("the header of a HEIC with four billion missing references is read")
    func references() throws {
        let boxes = (0..<65_535).flatMap { _ in HEIFFile.box("auxl", [0, 2, 0xFF, 0xFF]) }
        #expect(try !PictureHeader(heic(references: boxes)).hasAlpha)
    }

    @Test("the header of a HEIC with 60,000 references to one item and half a million properties is read")
    func auxiliaries() throws {
        let properties = (0..<2_000).flatMap { _ in [0, 2, 255] + [UInt8](repeating: 1, count: 255) }
        let targets = (0..<60_000).flatMap { _ in [0, 1] as [UInt8] }
        let bytes = heic(
            associations: HEIFFile.big(2_000, 4) + properties,
            references: HEIFFile.box("auxl", [0, 2] + HEIFFile.big(60_000, 2) + targets))
        #expect(try !PictureHeader(bytes).hasAlpha)
    }

    @Test(
        "a picture whose size overflows is refused, here and in a worker",
        arguments: [(0xFFFF_FFFF, 0xFFFF_FFFF), (0xFFFF_FFFF, 1), (0x8000_0000, 0x7FFF_FFFF)])
    func sides(_ width: Int, _ height: Int) async {
        let bytes = heic(width, height)
        #expect(throws: RenderError.broken("\(width) x \(height) pixels")) { try PictureHeader(bytes) }
        let renderer = Renderer(WorkerConfiguration(executable: workerExecutable()))
        await #expect(throws: RenderError.broken("\(width) x \(height) pixels")) {
            try await renderer.render(bytes, size: ThumbnailSize(width: 96, height: 64))
        }
        await renderer.shutdown()
    }

    @Test("a file's size is limited to 0 to 2⁶⁰ bytes", arguments: [Int.min, -1, .max])
    func sizes(_ count: Int) {
        let file = FilePieces(descriptor: -1, count: count)
        #expect(file.count == (count < 0 ? 0 : 1 << 60))
        #expect(QuickTimeHeader(file) == nil && FileHead(file) == nil && VideoFile.excerpt(of: file) == nil)
    }

    @Test("a video whose header claims more than 64 MiB has no excerpt", arguments: [65 << 20, 1 << 40, Int.max])
    func film(_ length: Int) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(
            "1.mov",
            HEIFFile.box("ftyp", Array("qt  ".utf8)) + [0, 0, 0, 1] + Array("moov".utf8)
                + HEIFFile.big(length, 8))
        let file = open(path, O_RDONLY)
        defer { close(file) }
        #expect(VideoFile.excerpt(of: FilePieces(descriptor: file, count: .max)) == nil)
    }

    @Test(
        "a worker's reply with an impossible size or another media type is malformed",
        arguments: [
            (96, 64, 960, 640, "image/jpeg", true), (96, 64, 960, 640, "image/webp", true),
            (Int.min, 64, 960, 640, "image/jpeg", false), (96, 0, 960, 640, "image/jpeg", false),
            (96, 64, .max, .max, "image/jpeg", false), (96, 64, 960, 640, "text/html", false),
        ])
    func reply(_ width: Int, _ height: Int, _ ofWidth: Int, _ ofHeight: Int, _ type: String, isTaken: Bool) {
        var frame = FrameWriter()
        for number in [width, height, ofWidth, ofHeight, .min, .max] { frame.number(number) }
        frame.text(type)
        for _ in 0..<3 { frame.blob([]) }
        var reader = FrameReader(Array(frame.bytes.dropFirst(4)))
        #expect((Thumbnail(&reader) != nil) == isTaken)
    }
}
