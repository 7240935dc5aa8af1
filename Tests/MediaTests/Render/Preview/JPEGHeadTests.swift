import Media
import Numbers
import TestSupport
import Testing

@Suite struct JPEGHeadTests {
    private let preview = Encode.jpeg(.quadrants(160, 120))
    private let picture = Encode.jpeg(.quadrants(400, 300))

    private func file(_ change: (inout CameraFile) -> Void = { _ in }) -> [UInt8] {
        var camera = CameraFile()
        camera.preview = preview
        change(&camera)
        return camera.bytes(around: picture)
    }

    @Test("one read gives size, orientation, preview, time and camera in both byte orders", arguments: [true, false])
    func everything(bigEndian: Bool) throws {
        let bytes = file {
            $0.bigEndian = bigEndian
            $0.orientation = 6
            $0.make = "  Maker\u{1} "
            $0.model = "M1"
            $0.fraction = "25 "
            $0.offset = "-03:30"
        }
        let head = try #require(JPEGHead(bytes))
        #expect(head.width == 400 && head.height == 300)
        #expect(head.uprightWidth == 300 && head.uprightHeight == 400)
        #expect(head.orientation == .right)
        #expect(try Array(bytes[#require(head.preview)]) == preview)
        #expect(head.make == "Maker" && head.model == "M1")
        let taken = try #require(head.taken)
        #expect(taken == DateTaken(exif: "2019:07:12 14:03:22", fraction: "25", offset: "-03:30"))
        #expect(taken.millisecond == 250 && taken.offset == -210)
        #expect(head.nextPiece == nil)
    }

    @Test("JFIF and comments may precede EXIF")
    func jfif() throws {
        let jfif = Segments.insert(0xFE, Array("a comment".utf8), intoJPEG: file())
        let bytes = Segments.insert(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0], intoJPEG: jfif)
        let head = try #require(JPEGHead(bytes))
        #expect(try Array(bytes[#require(head.preview)]) == preview)
        #expect(head.width == 400)
    }

    @Test("a JPEG without EXIF has a size, and another file has no head")
    func plain() throws {
        let head = try #require(JPEGHead(picture))
        #expect(head.width == 400 && head.height == 300 && head.orientation == .up)
        #expect(head.preview == nil && head.taken == nil && head.make.isEmpty && head.model.isEmpty)
        #expect(JPEGHead(Encode.png(.quadrants())) == nil)
        #expect(JPEGHead([]) == nil)
    }

    @Test("a distant frame header is read in pieces, and no piece is read twice")
    func pieces() throws {
        // Colour profiles and maker notes of 200 kB lie between EXIF and the frame.
        var bytes = picture
        for _ in 0..<3 { bytes = Segments.insert(0xE2, [UInt8](repeating: 0xFF, count: 65_000), intoJPEG: bytes) }
        var camera = CameraFile()
        camera.preview = preview
        bytes = camera.bytes(around: bytes)
        var head = try #require(JPEGHead(Array(bytes.prefix(JPEGHead.length))))
        #expect(head.width == 0 && PreviewFrame(head) == nil)
        #expect(head.preview != nil)
        var pieces = 0
        var last = 0
        while let next = head.nextPiece {
            #expect(next > last)
            last = next
            head.read(Array(bytes.dropFirst(next).prefix(JPEGHead.pieceLength)))
            pieces += 1
        }
        #expect(pieces <= 3)
        #expect(head.width == 400 && head.height == 300)
        // The same file, cut at different places.
        for length in [bytes.count / 2, 70_001, 70_000, 69_999, 3_000] {
            var head = try #require(JPEGHead(Array(bytes.prefix(length))))
            while let next = head.nextPiece { head.read(Array(bytes.dropFirst(next).prefix(32))) }
            #expect(head.width == 400, "\(length)")
        }
    }

    @Test("a truncated file gives its known facts, and reading ends with an empty piece")
    func cut() throws {
        let bytes = file()
        for length in 3..<bytes.count {
            var head = try #require(JPEGHead(Array(bytes.prefix(length))))
            if let next = head.nextPiece {
                #expect(next >= 2)
                head.read([])
                #expect(head.nextPiece == nil)
            }
            if let preview = head.preview { #expect(preview.upperBound <= length) }
        }
    }

    @Test("an invalid orientation counts as upright", arguments: [0, 9, 36_865])
    func orientations(value: Int) throws {
        #expect(JPEGHead(file { $0.orientation = value })?.orientation == .up)
    }

    @Test("a preview outside its segment, or one that is not a JPEG, is ignored")
    func strayPreviews() throws {
        let bytes = file()
        let head = try #require(JPEGHead(bytes))
        let place = try #require(head.preview)
        var other = bytes
        other[place.lowerBound] = 0
        #expect(JPEGHead(other)?.preview == nil)
        // The preview's length and offset are the last two numbers before it.
        for (field, value) in [(-8, 0xFFFF_FFFF), (-8, 66_000), (-8, 0), (-20, 0), (-20, 0x7FFF_FFFF)] {
            var other = bytes
            let at = place.lowerBound + field
            for i in 0..<4 { other[at + i] = UInt8(truncatingIfNeeded: value >> (8 * i)) }
            #expect(JPEGHead(other)?.preview == nil, "\(field), \(value)")
        }
    }

    @Test("a directory that points to itself is read once")
    func circle() throws {
        var bytes = file()
        // The offset of the next directory, behind the four entries of the first.
        let next = 4 + 2 + 6 + 6 + 8 + 2 + 4 * 12
        for i in 0..<4 { bytes[next - 6 + i] = i == 0 ? 8 : 0 }
        let head = try #require(JPEGHead(bytes))
        #expect(head.preview == nil && head.model == "Painted 12")
    }

    @Test("no mutated camera file crashes the reader or gives a preview outside the file", arguments: 1...20)
    func mutations(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = file { $0.bigEndian = seed % 2 == 0 }
        for _ in 0..<200 {
            var other = bytes
            for _ in 0..<1 + random.below(6) { other[2 + random.below(400)] = UInt8(truncatingIfNeeded: random.next()) }
            guard var head = JPEGHead(other) else { continue }
            var pieces = 0
            while let next = head.nextPiece, pieces < JPEGHead.maximumPieces {
                head.read(Array(other.dropFirst(next).prefix(1 + random.below(64))))
                pieces += 1
            }
            if let preview = head.preview {
                #expect(other.indices.contains(preview.lowerBound) && preview.upperBound <= other.count)
            }
            #expect(head.make.utf8.count <= 64 && head.model.utf8.count <= 64)
        }
    }
}

@Suite struct DateTakenTests {
    @Test(
        "invalid times are refused",
        arguments: [
            "0000:00:00 00:00:00", "    :  :     :  :  ", "2019:02:29 10:00:00", "2019:13:01 10:00:00",
            "2019:07:12 25:00:00", "2019:07:12 14:60:00", "1899:07:12 10:00:00", "2100:01:01 00:00:00", "2019:07",
            "2019", "2019:07:12 14", "2019:07:123", "2019-07T14:03:22", "2019-07 14:03:22", "12/07/2019 14:03:22",
            "20190712", "2019:7:12 x:1", "",
        ])
    func nonsense(text: String) { #expect(DateTaken(exif: text) == nil) }

    @Test(
        "dates in the forms of different programs are read",
        arguments: [
            ("2019:07:12  4:05:06", "2019-07-12T04:05:06", nil), ("2019:7:2 4:05:06 ", "2019-07-02T04:05:06", nil),
            ("2019: 7: 2 14:03:22", "2019-07-02T14:03:22", nil), ("2019:07:12 14:03", "2019-07-12T14:03:00", nil),
            ("2019:07:12", "2019-07-12T00:00:00", nil), ("2019:07:12   :  :  ", "2019-07-12T00:00:00", nil),
            ("2019:07:12 24:03:22", "2019-07-12T00:03:22", nil), ("2019/07/12 14:03:22", "2019-07-12T14:03:22", nil),
            ("2019.07.12 14.03.22", "2019-07-12T14:03:22", nil), ("2019:07:12 14:03:22A", "2019-07-12T14:03:22", nil),
            ("2019-07-12T14:03:22.25+02:00", "2019-07-12T14:03:22.25", 120),
            ("2019-07-12T14:03 -03:30", "2019-07-12T14:03:00", -210),
            ("2019:07:12 14:03:22Z", "2019-07-12T14:03:22", 0),
        ] as [(String, String, Int?)])
    func variants(text: String, time: String, offset: Int?) throws {
        let date = try #require(DateTaken(exif: text))
        #expect(date.text == time && date.offset == offset)
    }

    @Test("separate fraction and offset fields override those in the text")
    func precedence() throws {
        let text = "2019-07-12T14:03:22.25+02:00"
        let date = try #require(DateTaken(exif: text, fraction: "5  ", offset: "-03:30"))
        #expect(date.millisecond == 500 && date.offset == -210)
        let blank = try #require(DateTaken(exif: text, fraction: "  ", offset: "   :  "))
        #expect(blank.millisecond == 250 && blank.offset == 120)
    }

    @Test("days after the twelfth, leap days and leap seconds are read")
    func real() throws {
        let date = try #require(DateTaken(exif: "2020:02:29 23:59:60"))
        #expect((date.year, date.month, date.day) == (2020, 2, 29))
        #expect((date.hour, date.minute, date.second) == (23, 59, 59))
        #expect(DateTaken(exif: "2019-07-31T14:03:22")?.day == 31)
    }

    @Test(
        "time zone offsets are read in minutes, and malformed ones are ignored",
        arguments: [
            ("+02:00", 120), ("-03:30", -210), ("+14:00", 840), ("+14:30", nil), ("   :  ", nil), ("2:00", nil),
        ]
            as [(String, Int?)])
    func offsets(text: String, minutes: Int?) {
        #expect(DateTaken(exif: "2019:07:12 14:03:22", offset: text)?.offset == minutes)
    }
}
