import Catalog
import Foundation
import Media
import Testing

@Suite(.timeLimit(.minutes(1))) struct ArrangementTests {
    let source = ArrangementSource(
        Photographs([
            .init(name: "IMG_10.JPG", folder: "Bled", taken: "2019-07-12T14:03:22", bytes: 30, camera: "Canon EOS R"),
            .init(name: "img_9.jpg", folder: "Bled", taken: "2019-07-12T14:03:22", bytes: 10, camera: "Canon EOS R"),
            .init(name: "Málaga.heic", folder: "Bled/Day 2", taken: "2019-08-01", bytes: 20, camera: "Apple iPhone 6s"),
            .init(name: "old.tif", folder: "Scans", bytes: 90, rating: 5),
            .init(name: "P1.NEF", folder: "Scans", taken: "2003-01-31T23:59:59", camera: "NIKON D70", lens: "18-70mm"),
        ]).catalog)

    private func names(_ arrangement: Arrangement) -> [String] { source.arranged(arrangement).names }

    private func sections(_ arrangement: Arrangement) -> [String] {
        source.arranged(arrangement).sections.map { "\($0.title): \($0.from)+\($0.count)" }
    }

    private func names(_ filter: (inout ItemFilter) -> Void) -> [String] {
        var arrangement = Arrangement()
        filter(&arrangement.filter)
        return names(arrangement)
    }

    @Test("suggestions cover years, months, cameras and lenses with their picture counts")
    func suggestions() {
        func suggested(_ text: String) -> [String] {
            source.suggestions(for: text).map { "\($0.kind) \($0.value): \($0.count)" }
        }
        #expect(suggested("canon") == ["camera Canon EOS R: 2"])
        #expect(suggested("eos r") == ["camera Canon EOS R: 2"])
        #expect(suggested("18-70") == ["lens 18-70mm: 1"])
        #expect(suggested("Jul") == ["month 2019-07: 2"])
        #expect(suggested("2019") == ["year 2019: 3", "month 2019-08: 1", "month 2019-07: 2"])
        #expect(suggested("july 2019") == ["month 2019-07: 2"] && suggested("2019-07") == suggested("july 2019"))
        // Dates match from the start of a word, names match anywhere.
        #expect(suggested("19") == [] && suggested("one") == ["camera Apple iPhone 6s: 1"])
        #expect(suggested("canon 2019") == [] && suggested(" ") == [])
        for suggestion in ["2019", "jul", "n", "d70", "mm"].flatMap(source.suggestions) {
            let shown = names { filter in
                switch suggestion.kind {
                case .year, .month:
                    filter.takenFrom = WallPeriod(suggestion.value)
                    filter.takenTo = WallPeriod(suggestion.value)
                case .camera: filter.camera = suggestion.value
                case .lens: filter.lens = suggestion.value
                }
            }
            #expect(shown.count == suggestion.count)
        }
    }

    @Test("the three most frequent cameras are suggested")
    func manyCameras() {
        let cameras = (1...9).flatMap { number in [String](repeating: "Canon \(number)", count: number) }
        let many = ArrangementSource(Photographs(cameras.map { .init(name: "a.jpg", camera: $0) }).catalog)
        #expect(many.suggestions(for: "canon").map(\.value) == ["Canon 9", "Canon 8", "Canon 7"])
    }

    @Test("a folder of mostly dated pictures is shown by date, newest first")
    func defaults() {
        #expect(source.catalog.defaultArrangement == Arrangement(sort: .taken, order: .descending, group: .month))
        let half = Photographs([.init(name: "a.jpg", taken: "2019"), .init(name: "b.jpg")]).catalog
        #expect(half.datedCount == 1 && half.defaultArrangement == nil)
        #expect(source.arranged(Arrangement(sort: .name)).catalog.defaultArrangement == nil)
    }

    @Test("pictures sort by each key in both directions, and unknown values come last")
    func orders() {
        #expect(
            names(Arrangement(sort: .taken)) == ["Málaga.heic", "img_9.jpg", "IMG_10.JPG", "P1.NEF", "old.tif"])
        #expect(
            names(Arrangement(sort: .taken, order: .ascending))
                == ["P1.NEF", "IMG_10.JPG", "img_9.jpg", "Málaga.heic", "old.tif"])
        #expect(names(Arrangement(sort: .size)) == ["old.tif", "IMG_10.JPG", "Málaga.heic", "img_9.jpg", "P1.NEF"])
        #expect(names(Arrangement(sort: .name)) == ["img_9.jpg", "IMG_10.JPG", "Málaga.heic", "old.tif", "P1.NEF"])
        #expect(names(Arrangement(sort: .path)) == ["IMG_10.JPG", "img_9.jpg", "Málaga.heic", "old.tif", "P1.NEF"])
        #expect(names(Arrangement(sort: .path, order: .descending)).first == "P1.NEF")
        // No picture has this fact, so all keep their order.
        #expect(names(Arrangement(sort: .added)) == names(Arrangement(sort: .path)))
    }

    @Test("pictures taken within one second sort by its fractions")
    func burst() {
        let burst = ArrangementSource(
            Photographs([
                .init(name: "a.jpg", taken: "2019-07-12T14:03:22", millisecond: 900),
                .init(name: "b.jpg", taken: "2019-07-12T14:03:23"),
                .init(name: "c.jpg"),
                .init(name: "m.jpg", taken: "2019-07-12T14:03:22", millisecond: 500),
                .init(name: "n.jpg", taken: "2019-07-12T14:03:22", millisecond: 500),
                .init(name: "z.jpg", taken: "2019-07-12T14:03:22", millisecond: 100),
            ]).catalog)
        let ascending = burst.arranged(Arrangement(sort: .taken, order: .ascending))
        #expect(ascending.names == ["z.jpg", "m.jpg", "n.jpg", "a.jpg", "b.jpg", "c.jpg"])
        #expect(ascending.factColumns?.millisecond == [100, 500, 500, 900, 0, 0])
        let descending = burst.arranged(Arrangement(sort: .taken, group: .day))
        #expect(descending.names == ["b.jpg", "a.jpg", "n.jpg", "m.jpg", "z.jpg", "c.jpg"])
    }

    @Test(
        "sections group by day, month, year or folder, with undated pictures last")
    func groups() {
        #expect(sections(Arrangement(sort: .name)) == ["Photographs: 0+5"])
        #expect(
            sections(Arrangement(sort: .taken, group: .day))
                == ["1 August 2019: 0+1", "12 July 2019: 1+2", "31 January 2003: 3+1", "No date: 4+1"])
        #expect(
            sections(Arrangement(sort: .taken, order: .ascending, group: .month))
                == ["January 2003: 0+1", "July 2019: 1+2", "August 2019: 3+1", "No date: 4+1"])
        #expect(sections(Arrangement(sort: .name, group: .year)) == ["2019: 0+3", "2003: 3+1", "No date: 4+1"])
        #expect(
            names(Arrangement(sort: .name, group: .year))
                == ["img_9.jpg", "IMG_10.JPG", "Málaga.heic", "P1.NEF", "old.tif"])
        #expect(
            sections(Arrangement(sort: .size, group: .folder)) == ["Bled: 0+2", "Bled/Day 2: 2+1", "Scans: 3+2"])
        #expect(names(Arrangement(sort: .size, group: .folder)).first == "IMG_10.JPG")
    }

    private static let canons = ["IMG_10.JPG", "img_9.jpg"]
    private static let malaga = ["Málaga.heic"]
    /// Search texts with the names each one finds.
    private static let searches: [(String, [String])] = [
        ("iphone", malaga), ("canon", canons), ("18-70mm", ["P1.NEF"]), ("apple málaga", malaga),
        ("2019", ["IMG_10.JPG", "img_9.jpg", "Málaga.heic"]), ("July", canons), ("jul", canons), ("july 2019", canons),
        ("2019-07", canons), ("2019-07-12", canons), ("2019-07-1", canons), ("12 july 2019", canons),
        ("July 12, 2019", canons), ("12 july", canons), ("july 201", canons), ("july 2", canons),
        ("jul canon 9", ["img_9.jpg"]), ("canon july 2019", canons), ("bled 2019 iphone", malaga),
        ("31 january", ["P1.NEF"]), ("2003 nikon scans", ["P1.NEF"]),
        // All words must match one picture, and a day next to a month must be a day of that month.
        ("iphone july 2019", []), ("13 july 2019", []), ("2019-07-13", []), ("canon 2003", []), ("july scans", []),
        // A number alone is not a day. A single letter or digit is not a date.
        ("12", []), ("31", []), ("j", canons), ("2", malaga),
        // Case and accents do not matter.
        ("img", canons), ("IMG_1", ["IMG_10.JPG"]), ("malaga", malaga), ("MÁLAGA bled", malaga),
        ("scans", ["old.tif", "P1.NEF"]), ("img scans", []), ("img jpg bled", canons),
    ]

    @Test("each word of a search may match a name, folder, camera, lens or date", arguments: searches)
    func oneSearch(text: String, found: [String]) {
        #expect(names { $0.text = text } == found)
    }

    @Test("a search typed letter by letter finds the same as one typed at once, with all suggested pictures")
    func typed() {
        let texts = [
            "canon eos", "july 2019", "2019-07-12", "12 july 2019", "july 12, 2019", "nikon d70", "18-70mm", "20 july",
            "mar", "img_10.jpg", "málaga heic", "scans old",
        ]
        for text in texts.flatMap({ text in (1...text.count).map { String(text.prefix($0)) } }) {
            var arrangement = Arrangement()
            arrangement.filter.text = text
            let typed = names(arrangement)
            #expect(typed == ArrangementSource(source.catalog).arranged(arrangement).names, "\(text)")
            let count = source.suggestions(for: text).map(\.count).max() ?? 0
            #expect(typed.count >= count, "\(text)")
        }
    }

    @Test("a date search matches names with its words and only pictures of that day")
    func datesInNames() {
        let source = ArrangementSource(
            Photographs([
                .init(name: "12 july.jpg"), .init(name: "IMG_0012.jpg", taken: "2021-07-13"),
                .init(name: "IMG_0013.jpg", taken: "2021-07-12"),
            ]).catalog)
        var filter = ItemFilter()
        filter.text = "12 july"
        #expect(source.arranged(Arrangement(filter: filter)).names == ["12 july.jpg", "IMG_0013.jpg"])
        // Typed letter by letter, a number becomes a day once its month follows.
        for text in ["12", "12 j", "12 ju", "12 july", "12 julyx", "12 july 2021"] {
            filter.text = text
            let typed = source.arranged(Arrangement(filter: filter)).names
            #expect(typed == ArrangementSource(source.catalog).arranged(Arrangement(filter: filter)).names, "\(text)")
        }
    }

    @Test("letters with strokes and ligatures match their plain spelling")
    func spelling() {
        for (name, typed) in [
            ("Łódź", "lodz"), ("Straße", "strasse"), ("Tromsø", "tromso"), ("Æbler_œuf", "aebler oeuf"),
        ] {
            #expect(String(decoding: SearchText.folded(name), as: UTF8.self) == typed)
            #expect(SearchText.folded(name.decomposedStringWithCanonicalMapping) == Array(typed.utf8))
        }
    }

    @Test("each filter keeps the pictures it names, and filters combine")
    func filters() {
        #expect(names { $0.takenFrom = WallPeriod("2019-07-12") }.count == 3)
        #expect(names { $0.takenTo = WallPeriod("2019-07") }.count == 3)
        #expect(names { $0.takenTo = WallPeriod("2003-01-31") } == ["P1.NEF"])
        #expect(names { $0.folder = "Bled" } == ["IMG_10.JPG", "img_9.jpg", "Málaga.heic"])
        #expect(names { $0.folder = "Bled/Day 2" } == ["Málaga.heic"])
        #expect(names { $0.folder = "Ble" } == [])
        #expect(names { $0.camera = "eos" } == ["IMG_10.JPG", "img_9.jpg"])
        #expect(names { $0.lens = "18-70" } == ["P1.NEF"])
        #expect(names { $0.hasFiveStars = true } == ["old.tif"])
        #expect(names { $0.kinds = [.raw, .heic] } == ["Málaga.heic", "P1.NEF"])
        #expect(names { ($0.camera, $0.text, $0.takenFrom) = ("canon", "9", WallPeriod("2019")) } == ["img_9.jpg"])
    }

    @Test("an arrangement maps each item to its original and back")
    func places() throws {
        var arrangement = Arrangement(sort: .taken, group: .day)
        for filter in [nil, "img"] {
            arrangement.filter.text = filter
            let arranged = source.arranged(arrangement)
            for place in 0..<arranged.itemCount {
                let original = try #require(arranged.original(place))
                #expect(arranged.place(ofOriginal: original) == place)
                #expect(arranged.index(of: try #require(arranged.item(place)).locator) == place)
                #expect(arranged.facts(place) == source.catalog.facts(original))
                #expect(arranged.factColumns?.taken[place] == source.catalog.factColumns?.taken[original])
            }
            #expect(arranged.item(arranged.itemCount) == nil && arranged.original(-1) == nil)
            #expect(arranged.place(ofOriginal: 5) == nil)
        }
        #expect(source.arranged(arrangement).place(ofOriginal: 3) == nil)
    }

    @Test("a search without results has no items and no sections")
    func nothing() {
        var arrangement = Arrangement(sort: .taken, group: .month)
        arrangement.filter.text = "nowhere"
        let arranged = source.arranged(arrangement)
        #expect(arranged.itemCount == 0 && arranged.sections.isEmpty && arranged.item(0) == nil)
        #expect(
            ArrangementSource(Photographs([]).catalog).arranged(Arrangement(sort: .taken, group: .day)).itemCount == 0)
    }
}
