import Media
import TestSupport
import Testing

@Suite("Place, camera and local time of a video") struct VideoFactsTests {
    typealias Location = PictureFacts.Location

    private func facts(_ movie: Movie) -> PictureFacts {
        var sources = FactSources()
        sources.head = FileHead(FilePieces(movie.bytes))
        return sources.facts(latestYear: 2027) { _ in 60 }
    }

    private static let zurich = Location(latitude: 47.37, longitude: 8.54, altitude: 408)

    @Test(
        "place, camera and local time are read from Android's user data of the movie or track",
        arguments: [false, true])
    func android(inTrack: Bool) {
        var movie = Movie()
        movie.created = Movie.since1904(1_562_940_202)
        let boxes = [
            Movie.text("xyz", "+47.3700+008.5400+408.000/"), Movie.text("day", "2019-07-12T16:03:22+0200"),
            Movie.text("mod", "Phone 1"),
        ]
        if inTrack { movie.trackData = boxes } else { movie.userData = boxes }
        let found = facts(movie)
        #expect(found.location == Self.zurich && found.camera.model == "Phone 1")
        #expect(found.taken?.text == "2019-07-12T16:03:22" && found.taken?.offset == 120 && found.offsetSource == nil)
    }

    @Test("Apple's keys for place, camera and local time override user data", arguments: [false, true])
    func apple(isLong: Bool) {
        var movie = Movie()
        movie.isLong = isLong
        movie.created = Movie.since1904(1_562_940_202)
        movie.creationDate = "2019-07-12T16:03:22+0200"
        movie.texts = [("model", "Phone 2"), ("location.ISO6709", "+47.3700+008.5400+408.000/")]
        movie.userData = [
            Movie.text("xyz", "+10-020/"), Movie.text("day", "2001-01-01T00:00:00+0000"), Movie.text("mak", "Other"),
            Movie.text("mod", "Other"),
        ]
        let found = facts(movie)
        #expect(found.location == Self.zurich)
        #expect(found.camera == PictureFacts.Camera(make: "Apple", model: "Phone 2"))
        #expect(found.taken?.text == "2019-07-12T16:03:22" && found.taken?.offset == 120)
    }

    @Test("iTunes boxes are read from user data and from its list")
    func iTunes() {
        var movie = Movie()
        let boxes = [
            Movie.text("xyz", "+47.3700+008.5400+408.000/", asData: true), Movie.text("mod", "Phone 3", asData: true),
        ]
        for userData in [boxes, [Movie.list(boxes.flatMap(\.self))]] {
            movie.userData = userData
            #expect(facts(movie).location == Self.zurich && facts(movie).camera.model == "Phone 3")
        }
    }

    @Test(
        "the place of a 3GPP file is read behind its name in UTF-8 or UTF-16",
        arguments: [[], Array("Zürich".utf8), [0xFE, 0xFF, 0, 0x5A, 0, 0xFC, 0]] as [[UInt8]])
    func loci(name: [UInt8]) {
        var movie = Movie()
        // One zero ends the name. The next byte is the role of the place.
        movie.userData = [Movie.place(-33 << 16 | 0x8000, 151 << 16, -(2 << 16), name: name + [0])]
        #expect(facts(movie).location == Location(latitude: -32.5, longitude: 151, altitude: -2))
        movie.userData = [Movie.place(0, 0, 0, name: name + [0])]
        #expect(facts(movie).location == nil)
        movie.userData = [Movie.place(91 << 16, 0, 0, name: name + [0])]
        #expect(facts(movie).location == nil)
    }

    @Test(
        "ISO 6709 coordinates are read, and malformed or impossible ones are ignored",
        arguments: [
            ("+47.3700+008.5400/", Location(latitude: 47.37, longitude: 8.54)),
            ("-33.5000+151.2000-002.000", Location(latitude: -33.5, longitude: 151.2, altitude: -2)),
            ("+40-075CRSWGS_84/", Location(latitude: 40, longitude: -75)),
            ("+4730.0-00830.6/", Location(latitude: 47.5, longitude: -8.51)),
            ("+473000+0083036.0+8850CRSWGS_84/", Location(latitude: 47.5, longitude: 8.51, altitude: 8850)),
            ("+47.5+8.5/", Location(latitude: 47.5, longitude: 8.5)),
            ("+00.0000+008.5000/", Location(latitude: 0, longitude: 8.5)),
            ("+00.0000+000.0000/", nil), ("+00.0000+000.0000+000.000/", nil), ("+91.0+000.0/", nil),
            ("+47.0+181.0/", nil), ("+4760.0+00800.0/", nil), ("+470+00800/", nil), ("47.37+8.54", nil),
            ("+47.37", nil), ("+47.37/", nil), ("++", nil), ("+.5+.5", nil), ("", nil),
        ] as [(String, Location?)])
    func iso6709(text: String, place: Location?) {
        var movie = Movie()
        movie.userData = [Movie.text("xyz", text)]
        #expect(facts(movie).location == place)
    }

    @Test(
        "a local time in user data overrides the movie's UTC time, and a date or UTC time does not",
        arguments: [
            ("2019-07-12T16:03:22+0200", "2019-07-12T16:03:22", 120),
            ("2019-07-12T16:03:22-03", "2019-07-12T16:03:22", -180),
            ("2019-07-12T16:03:22.25+02:00", "2019-07-12T16:03:22.25", 120),
            ("2019-07-12T16:03:22", "2019-07-12T16:03:22", nil),
            ("2019-07-12", "2019-07-12T15:03:22", 60), ("2019-07-12T07:00:00Z", "2019-07-12T15:03:22", 60),
            ("2019", "2019-07-12T15:03:22", 60), ("2019-07", "2019-07-12T15:03:22", 60),
        ] as [(String, String, Int?)])
    func day(text: String, taken: String, offset: Int?) {
        var movie = Movie()
        movie.created = Movie.since1904(1_562_940_202)
        movie.userData = [Movie.text("day", text)]
        #expect(facts(movie).taken?.text == taken && facts(movie).taken?.offset == offset)
    }

    @Test("a full date in user data is used if the movie has no time")
    func dayAlone() {
        var movie = Movie()
        movie.userData = [Movie.text("day", "2019-07-12")]
        #expect(facts(movie).taken?.text == "2019-07-12T00:00:00" && facts(movie).takenSource == .quicktime)
        for text in ["2019", "2019-07"] {
            movie.userData = [Movie.text("day", text)]
            #expect(facts(movie).takenSource != .quicktime)
        }
    }

    @Test("the facts of truncated or mutated user data are in their ranges")
    func broken() {
        var movie = Movie()
        let boxes = [
            Movie.text("xyz", "+47.3700+008.5400+408.000/"),
            Movie.text("day", "2019-07-12T16:03:22+0200", asData: true),
            Movie.place(1, 2, 3, name: Array("name".utf8)), Movie.list(Movie.text("mod", "Phone", asData: true)),
        ]
        for box in boxes {
            for length in 0..<box.count {
                movie.userData = [Array(box.prefix(length))]
                #expect(facts(movie).arePlausible)
            }
            for place in box.indices {
                var other = box
                other[place] = 255
                movie.userData = [other]
                #expect(facts(movie).arePlausible)
            }
        }
    }
}
