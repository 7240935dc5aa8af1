import Media
import TestSupport
import Testing

@Suite("Facts in a video's header") struct QuickTimeHeaderTests {
    private func header(_ movie: Movie) -> QuickTimeHeader? { QuickTimeHeader(FilePieces(movie.bytes)) }

    /// 2019-07-12 12:03:22 UTC.
    private static let seconds = 1_562_933_002

    @Test(
        "the movie's creation time is UTC, and a time of 0 or before 1970 is ignored",
        arguments: [false, true])
    func created(isLong: Bool) throws {
        var movie = Movie()
        movie.isLong = isLong
        #expect(header(movie)?.taken == nil)
        movie.created = Movie.since1904(Self.seconds)
        let taken = try #require(header(movie)?.taken)
        #expect(taken.text == "2019-07-12T12:03:22" && taken.offset == 0)
        movie.created = Self.seconds
        #expect(header(movie) != nil && header(movie)?.taken == nil)
    }

    @Test(
        "Apple's date with its offset overrides the movie's time, and its identifier is read",
        arguments: ["2019-07-12T14:03:22+0200", "2019-07-12T14:03:22+02:00"])
    func apple(date: String) throws {
        var movie = Movie()
        movie.created = Movie.since1904(1_700_000_000)
        movie.creationDate = date
        movie.contentIdentifier = "0F6B2A5E-1C7D"
        for isLong in [false, true] {
            movie.isLong = isLong
            let found = try #require(header(movie))
            #expect(found.taken?.text == "2019-07-12T14:03:22" && found.taken?.offset == 120)
            #expect(found.contentIdentifier == "0F6B2A5E-1C7D")
        }
        movie.creationDate = "yesterday"
        #expect(header(movie)?.taken?.year == 2023)
    }

    @Test("a truncated video gives a date of its own year or none, and other files have no header")
    func broken() {
        var movie = Movie()
        movie.creationDate = "2019-07-12T14:03:22-0330"
        movie.contentIdentifier = "0F6B2A5E-1C7D"
        let bytes = movie.bytes
        #expect(header(movie)?.taken?.offset == -210)
        for length in 0..<bytes.count {
            let taken = QuickTimeHeader(FilePieces(Array(bytes.prefix(length))))?.taken
            #expect(taken?.year ?? 2019 == 2019, "\(length)")
        }
        #expect(QuickTimeHeader(FilePieces(Picture.jpeg(10, 10))) == nil)
        #expect(QuickTimeHeader(FilePieces([UInt8](repeating: 0, count: 4_096))) == nil)
        #expect(
            QuickTimeHeader(FilePieces([0, 0, 0, 1] + Array("moov".utf8) + [UInt8](repeating: 255, count: 8))) == nil)
    }

    @Test(
        "Apple's content identifier is read from EXIF in both byte orders, and only from Apple's notes",
        arguments: [false, true])
    func identifier(bigEndian: Bool) {
        var camera = CameraFile()
        camera.bigEndian = bigEndian
        func found() -> String? {
            FileHead(FilePieces(camera.bytes(around: Picture.jpeg(10, 10))))?.exif?.contentIdentifier
        }
        #expect(found() == nil)
        camera.contentIdentifier = "0F6B2A5E-1C7D"
        #expect(found() == "0F6B2A5E-1C7D")
        #expect(AppleMakerNote.contentIdentifier(Array("Nikon\0".utf8) + [UInt8](repeating: 0, count: 60)) == nil)
        #expect(AppleMakerNote.contentIdentifier(Array("Apple iOS\0".utf8)) == nil)
        let beyond = Array("Apple iOS\0\0\u{1}MM".utf8) + [0, 1, 0, 0x11, 0, 2, 0, 0, 0, 60, 255, 255, 255, 255]
        #expect(AppleMakerNote.contentIdentifier(beyond) == nil)
    }

    @Test(
        "the duration is read from four or eight bytes, and is unknown if all bits are set", arguments: [false, true])
    func duration(isLong: Bool) {
        var movie = Movie()
        movie.isLong = isLong
        #expect(header(movie)?.duration == nil)
        movie.duration = 65_500
        #expect(header(movie)?.duration == 65.5)
        movie.duration = 0xFFFF_FFFF
        #expect((header(movie)?.duration == nil) == !isLong)
        #expect(QuickTimeHeader(FilePieces(Movie.quadrants))?.duration == 0.2)
    }

    @Test("a motion photo is recognized only if its video is in the file")
    func motionPhoto() {
        let video = Movie().bytes
        let packet = #"<x GCamera:MotionPhoto="1"><y Item:Length="\#(video.count)"/></x>"#
        let picture = Segments.insert(
            0xE1, Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8), intoJPEG: Picture.jpeg(30, 20))
        #expect(FileHead(FilePieces(picture + video))?.video == picture.count..<picture.count + video.count)
        // A program cut off the video and left the XMP.
        #expect(FileHead(FilePieces(picture))?.video == nil)
        #expect(FileHead(FilePieces(Picture.jpeg(30, 20) + video))?.video == nil)
        var sources = FactSources()
        sources.head = FileHead(FilePieces(picture + video))
        #expect(sources.facts(latestYear: 2027) { _ in 0 }.motion == .embedded)
    }

    @Test(
        "a video's UTC time is shown in the zone implied by its file name",
        arguments: [0, 90])
    func utc(seconds: Int) {
        var movie = Movie()
        movie.created = Movie.since1904(1_563_057_000 + seconds)
        movie.duration = 90_000
        var sources = FactSources()
        sources.path = "VID_20190714_003000.mp4"
        sources.head = FileHead(FilePieces(movie.bytes))
        let facts = sources.facts(latestYear: 2027) { _ in 60 }
        #expect(facts.takenSource == .quicktime && facts.taken?.offset == 120 && facts.offsetSource == .name)
        movie.creationDate = "2019-07-14T00:30:00+0200"
        sources.head = FileHead(FilePieces(movie.bytes))
        #expect(sources.facts(latestYear: 2027) { _ in 60 }.offsetSource == nil)
    }

    @Test("a Live Photo's video dates its picture if the picture has no date")
    func date() {
        var movie = Movie()
        movie.creationDate = "2019-07-12T14:03:22+0200"
        var sources = FactSources()
        sources.path = "2015-05-15.jpg"
        sources.video = header(movie).map { ($0, .mov) }
        let facts = sources.facts(latestYear: 2027) { _ in 0 }
        #expect(facts.taken?.year == 2019 && facts.takenSource == .quicktime && facts.motion == .mov)
    }
}
