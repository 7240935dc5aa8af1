import Media
import Numbers
import TestSupport
import Testing

/// The same facts in every kind of file.
@Suite struct FileHeadTests {
    private static let exposure: [Int: TIFFFile.Value] = [
        0x829A: .rationals([(1, 250)]), 0x829D: .rationals([(28, 10)]), 0x8827: .shorts([400, 0]),
        0x9003: .text("2019:07:31 14:03:22"), 0x9011: .text("+02:00"), 0x920A: .rationals([(35, 1)]),
        0x9291: .text("25"), 0xA434: .text("Lens 35mm f/2.8"),
    ]
    private static let place: [Int: TIFFFile.Value] = [
        1: .text("S"), 2: .rationals([(33, 1), (51, 1), (3_600, 100)]), 3: .text("E"),
        4: .rationals([(151, 1), (12, 1), (0, 1)]), 5: .bytes([1], type: 1), 6: .rationals([(25, 2)]),
        7: .rationals([(12, 1), (3, 1), (2_150, 100)]), 0x1D: .text("2019:07:31 12:03:21"),
    ]

    private static func tiff(
        bigEndian: Bool = false, isBig: Bool = false, _ more: [Int: TIFFFile.Value] = [:],
        exif: [Int: TIFFFile.Value] = exposure,
        gps: [Int: TIFFFile.Value] = place
    ) -> [UInt8] {
        var main: [Int: TIFFFile.Value] = [
            0x010E: .text("Grüße"), 0x010F: .text("Maker"), 0x0110: .text("Model"), 0x0112: .shorts([1]),
            0x0132: .text("2020:01:13 00:00:00"), 0x4746: .shorts([4]), 0x8769: .directories([exif]),
            0x8825: .directories([gps]),
        ]
        main.merge(more) { $1 }
        return TIFFFile(
            magic: bigEndian ? [0x4D, 0x4D, 0, isBig ? 43 : 42] : [0x49, 0x49, isBig ? 43 : 42, 0], isBig: isBig,
            directories: [main]
        ).bytes
    }

    private static let xmp = Array(
        #"<x exif:DateTimeOriginal="2011-11-11T11:11:11" xmp:Rating="2" dc:description="From XMP"/>"#.utf8)

    private static func exifOfJPEG(_ tiff: [UInt8]) -> [UInt8] {
        Segments.insert(0xE1, Array("Exif\0\0".utf8) + tiff, intoJPEG: Encode.jpeg(.quadrants(60, 40)))
    }

    private static func riff(_ webp: [UInt8], _ type: String, _ data: [UInt8]) -> [UInt8] {
        webp + Array(type.utf8) + Segments.littleEndian(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }

    private static func heif(_ file: HEIFFile, _ tiff: [UInt8]) -> [UInt8] {
        var file = file
        file.items.append(
            HEIFFile.Item(type: "Exif", data: [0, 0, 0, 6] + Array("Exif\0\0".utf8) + tiff, properties: []))
        return file.bytes
    }

    private static let files: [(name: String, bytes: [UInt8], kind: PictureKind)] = {
        let png = Encode.png(.quadrants(60, 40))
        var picture = TIFFFile.picture(.quadrants(60, 40))
        picture[0x4746] = .shorts([4])
        return [
            ("JPEG", exifOfJPEG(tiff()), .jpeg),
            ("JPEG, the other byte order", exifOfJPEG(tiff(bigEndian: true)), .jpeg),
            ("PNG", Segments.insert("eXIf", tiff(), intoPNG: png), .png),
            (
                "PNG, behind the picture", Array(png.dropLast(12)) + Segments.chunk("eXIf", tiff()) + png.suffix(12),
                .png
            ),
            ("WebP", riff(Encode.webp(.quadrants(60, 40)), "EXIF", tiff()), .webp),
            ("HEIC", heif(.heic(CodedPicture.HEVC.quadrants), tiff()), .heic),
            ("AVIF", heif(.avif(CodedPicture.AV1.quadrants), tiff(bigEndian: true)), .avif),
            ("TIFF", tiff(picture), .tiff),
            ("BigTIFF", tiff(isBig: true, picture), .tiff),
            ("BigTIFF, the other byte order", tiff(bigEndian: true, isBig: true, picture), .tiff),
        ]
    }()

    @Test("metadata of a HEIC is found behind the picture's data", arguments: [0, 1 << 20])
    func metadataAfterData(padding: Int) throws {
        var file = HEIFFile.heic(CodedPicture.HEVC.quadrants)
        file.items[0].data += [UInt8](repeating: 0, count: padding)
        file.items.append(
            .init(type: "Exif", data: [0, 0, 0, 0] + Segments.tiff(orientation: 6), properties: []))
        file.beginsWithData = true
        let head = try #require(FileHead(FilePieces(file.bytes)))
        #expect(head.kind == .heic && head.width == 120 && head.height == 80 && head.exif != nil)
        // Without the metadata at its end the file has no head.
        #expect(FileHead(FilePieces(Array(file.bytes.prefix(padding + 100)))) == nil)
    }

    @Test(
        "date, camera, exposure, place, description and rating are read from every kind of file",
        arguments: files.indices)
    func everyKind(index: Int) throws {
        let file = Self.files[index]
        let head = try #require(FileHead(FilePieces(file.bytes)), "\(file.name)")
        #expect(head.kind == file.kind)
        var sources = FactSources()
        sources.head = head
        let facts = sources.facts(latestYear: 2027) { _ in 0 }
        #expect(facts.taken?.text == "2019-07-31T14:03:22.25" && facts.taken?.offset == 120, "\(file.name)")
        #expect(facts.takenSource == .exif)
        #expect(facts.camera == .init(make: "Maker", model: "Model", lens: "Lens 35mm f/2.8"))
        #expect(facts.exposure == .init(seconds: 0.004, aperture: 2.8, iso: 400, focalLength: 35))
        let location = try #require(facts.location)
        #expect(abs(location.latitude + 33.86) < 1e-9 && abs(location.longitude - 151.2) < 1e-9)
        #expect(location.altitude == -12.5)
        #expect(facts.description == "Grüße" && facts.rating == 4)
        #expect(facts.width == (file.kind == .heic || file.kind == .avif ? 120 : 60))
        #expect(facts.height == (file.kind == .heic || file.kind == .avif ? 80 : 40))
        #expect(facts.mediaType == file.kind.mediaType)
        #expect(head.exif?.gpsTime?.text == "2019-07-31T12:03:21.5" && head.exif?.gpsTime?.offset == 0)
    }

    private static let packet = Array(
        #"<x:xmpmeta><rdf:Description tiff:Model="Model" exif:DateTimeOriginal="2019-07-31T14:03:22" xmp:Rating="4"/></x:xmpmeta>"#
            .utf8)

    /// A GIF with blocks before its only frame.
    private static func gif(_ blocks: [UInt8]) -> [UInt8] {
        Array("GIF89a".utf8) + [60, 0, 40, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255] + blocks
            + [0x2C, 0, 0, 0, 0, 60, 0, 40, 0, 0, 2, 1, 0, 0, 0x3B]
    }

    @Test("XMP is read from TIFF, GIF, PNG and WebP, behind other blocks too")
    func packets() throws {
        var picture = TIFFFile.picture(.quadrants(60, 40))
        picture[0x02BC] = .bytes(Self.packet, type: 1)
        let block = [0x21, 0xFF, 11] + Array("XMP DataXMP".utf8) + Self.packet + [1]
        let trailer = (0...255).reversed().map { UInt8($0) } + [0]
        let comment: [UInt8] = [0x21, 0xFE, 3, 1, 2, 3, 2, 1, 2, 0]
        let text = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + Self.packet
        let png = Encode.png(.quadrants(60, 40))
        for bytes in [
            TIFFFile(magic: Array("II*\0".utf8), directories: [picture]).bytes, Self.gif(comment + block + trailer),
            Self.riff(Encode.webp(.quadrants(60, 40)), "XMP ", Self.packet),
            Array(png.dropLast(12)) + Segments.chunk("iTXt", text) + png.suffix(12),
        ] {
            let head = try #require(FileHead(FilePieces(bytes)))
            #expect(head.xmp?.camera.model == "Model" && head.xmp?.rating == 4, "\(head.kind)")
            #expect(head.xmp?.taken?.text == "2019-07-31T14:03:22", "\(head.kind)")
        }
    }

    /// A raw profile as ImageMagick writes it.
    private static func rawProfile(_ kind: String, _ bytes: [UInt8], isCompressed: Bool = false, count: Int? = nil)
        -> [UInt8]
    {
        let digits = bytes.map { String(format: "%02x", $0) }.joined()
        let lines = stride(from: 0, to: digits.count, by: 72).map { start in
            String(Array(digits)[start..<min(start + 72, digits.count)])
        }
        let text = Array(
            "\n\(kind)\n\(String(format: "%8d", count ?? bytes.count))\n\(lines.joined(separator: "\n"))\n".utf8)
        let keyword = Array("Raw profile type \(kind)\0".utf8)
        guard isCompressed else { return Segments.chunk("tEXt", keyword + text) }
        return Segments.chunk("zTXt", keyword + [0] + Segments.zlib(text))
    }

    @Test("ImageMagick's raw profiles in a PNG are read, and their orientation is ignored", arguments: [false, true])
    func rawProfiles(isCompressed: Bool) throws {
        let main: [Int: TIFFFile.Value] = [0x0110: .text("Model"), 0x0112: .shorts([6])]
        let tiff = TIFFFile(magic: Array("II*\0".utf8), directories: [Self.exposure.merging(main) { $1 }]).bytes
        let png = Encode.png(.quadrants(60, 40))
        func head(_ chunks: [UInt8]) throws -> FileHead {
            try #require(FileHead(FilePieces(Array(png.dropLast(12)) + chunks + png.suffix(12))))
        }
        func profile(_ kind: String, _ bytes: [UInt8], count: Int? = nil) -> [UInt8] {
            Self.rawProfile(kind, bytes, isCompressed: isCompressed, count: count)
        }
        for kind in ["exif", "APP1"] {
            let head = try head(profile(kind, Array("Exif\0\0".utf8) + tiff))
            #expect(head.exif?.taken?.text == "2019-07-31T14:03:22.25" && head.exif?.camera.model == "Model")
            // Browsers do not turn it either.
            #expect(head.width == 60 && head.height == 40 && head.orientation == .up)
        }
        #expect(try head(profile("xmp", Self.packet)).xmp?.rating == 4)
        let address = Array("http://ns.adobe.com/xap/1.0/\0".utf8)
        #expect(try head(profile("APP1", address + Self.packet)).xmp?.rating == 4)
        let resources = Array(Self.photoshop(Self.iptc([(55, "20190731")])).dropFirst("Photoshop 3.0\0".utf8.count))
        #expect(try head(profile("iptc", resources)).iptc?.text == "2019-07-31T00:00:00")
        // A wrong count, another kind, and a file cut at every byte.
        #expect(try head(profile("exif", tiff, count: tiff.count + 1)).exif == nil)
        #expect(try head(profile("icc", tiff)).exif == nil)
        let whole = Array(png.dropLast(12)) + profile("exif", tiff)
        // The last line's end and the checksum may be missing.
        for count in png.count - 12..<whole.count - 8 {
            #expect(FileHead(FilePieces(Array(whole.prefix(count))))?.exif == nil)
        }
    }

    @Test("a raw profile that inflates to more than a megabyte is not read") func profileBomb() throws {
        let png = Encode.png(.quadrants(60, 40))
        let text = Array("\nexif\n 4000000\n".utf8) + [UInt8](repeating: 0x30, count: 8_000_000)
        let bomb = Segments.chunk("zTXt", Array("Raw profile type exif\0\0".utf8) + Segments.zlib(text))
        let head = try #require(FileHead(FilePieces(Array(png.dropLast(12)) + bomb + png.suffix(12))))
        #expect(head.exif == nil && head.width == 60)
    }

    @Test("at most five raw profiles are read, not counting unknown kinds", arguments: [4, 5])
    func profileBombs(count: Int) throws {
        let png = Encode.png(.quadrants(60, 40))
        let other = Segments.chunk("zTXt", Array("Raw profile type x\0\0".utf8) + Segments.zlib([0x30]))
        let chunks =
            (0..<500).flatMap { _ in other } + (0..<count).flatMap { _ in Self.rawProfile("exif", [1], count: 9) }
            + Self.rawProfile("xmp", Self.packet)
        let head = try #require(FileHead(FilePieces(Array(png.dropLast(12)) + chunks + png.suffix(12))))
        #expect(head.xmp?.rating == (count == 4 ? 4 : nil))
    }

    @Test("a file stops after 65,536 pieces in memory, or after 4,096 pieces read by another process")
    func pieces() {
        let read = FilePieces([], count: 1) { _, _ in [7] }
        for (file, count) in [(FilePieces([7]), 65_536), (read, 4_096)] {
            #expect((0..<count).allSatisfy { _ in file.bytes(at: 0, 1) == [7] })
            let copy = file
            #expect(copy.bytes(at: 0, 1).isEmpty)
        }
    }

    @Test("a reader visits up to 65,536 chunks of a PNG in memory", arguments: [(65_000, true), (65_536, false)])
    func steps(count: Int, isFound: Bool) throws {
        let png = Encode.png(.quadrants(60, 40))
        let chunks = (0..<count).flatMap { _ in Segments.chunk("prIv", []) }
        let text = Segments.chunk("tEXt", Array("XML:com.adobe.xmp\0".utf8) + Self.packet)
        let head = try #require(FileHead(FilePieces(Array(png.prefix(33)) + chunks + text + png.dropFirst(33))))
        #expect(head.xmp?.rating == (isFound ? 4 : nil))
    }

    @Test("exposure tags in the first directory are read if there is no EXIF directory")
    func misplaced() throws {
        let tiff = TIFFFile(
            magic: Array("II*\0".utf8), directories: [Self.exposure.merging([0x0110: .text("Model")]) { $1 }])
        let exif = try #require(FileHead(FilePieces(Self.exifOfJPEG(tiff.bytes)))?.exif)
        #expect(exif.taken?.text == "2019-07-31T14:03:22.25" && exif.camera.model == "Model")
        #expect(exif.exposure == .init(seconds: 0.004, aperture: 2.8, iso: 400, focalLength: 35))
    }

    /// Data sets of IPTC's second record.
    private static func iptc(_ sets: [(UInt8, String)]) -> [UInt8] {
        sets.flatMap { [0x1C, 2, $0.0, 0, UInt8($0.1.utf8.count)] + Array($0.1.utf8) }
    }

    private static func photoshop(_ sets: [UInt8]) -> [UInt8] {
        func resource(_ number: UInt8, _ name: String, _ data: [UInt8]) -> [UInt8] {
            let name = [UInt8(name.utf8.count)] + Array(name.utf8)
            return Array("8BIM".utf8) + [4, number] + name + (name.count % 2 == 1 ? [0] : []) + [
                0, 0, 0, UInt8(data.count),
            ] + data
                + (data.count % 2 == 1 ? [0] : [])
        }
        return Array("Photoshop 3.0\0".utf8) + resource(0x25, "odd", [1, 2, 3]) + resource(0x04, "", sets)
    }

    static let iptcDates: [(sets: [(UInt8, String)], text: String?, offset: Int?)] = [
        ([(5, "Title"), (55, "20190731"), (60, "140322+0200")], "2019-07-31T14:03:22", 120),
        ([(55, "20190731"), (60, "140322")], "2019-07-31T14:03:22", nil),
        ([(55, "2019-07-31"), (60, "14:03:22+02:00")], "2019-07-31T14:03:22", 120),
        ([(62, "20190731"), (63, "140322-0330")], "2019-07-31T14:03:22", -210),
        ([(55, "20190731")], "2019-07-31T00:00:00", nil), ([(55, "20190732")], nil, nil), ([(55, "2019")], nil, nil),
        ([(60, "140322")], nil, nil), ([(55, "00000000"), (62, "20180101")], "2018-01-01T00:00:00", nil),
    ]

    @Test("IPTC's day and time are read from JPEG and TIFF", arguments: iptcDates.indices)
    func iptc(index: Int) throws {
        let (sets, text, offset) = Self.iptcDates[index]
        let data = Self.iptc(sets)
        var picture = TIFFFile.picture(.quadrants(60, 40))
        picture[0x83BB] = .bytes(data, type: 7)
        let jpeg = Segments.insert(0xED, Self.photoshop(data), intoJPEG: Encode.jpeg(.quadrants(60, 40)))
        for bytes in [jpeg, TIFFFile(magic: Array("II*\0".utf8), directories: [picture]).bytes] {
            var sources = FactSources()
            sources.head = FileHead(FilePieces(bytes))
            let facts = sources.facts(latestYear: 2027) { _ in 0 }
            #expect((facts.takenSource == .iptc) == (text != nil))
            #expect(text == nil || facts.taken?.text == text && facts.taken?.offset == offset)
        }
        for count in jpeg.indices where count < 200 {
            #expect(PictureFacts.arePlausible(Array(jpeg.prefix(count))), "\(count)")
        }
    }

    @Test("single values of a sidecar override EXIF")
    func values() throws {
        var sources = FactSources()
        sources.head = FileHead(FilePieces(Self.exifOfJPEG(Self.tiff())))
        var sidecar = XMPMetadata([])
        sidecar.camera.lens = "Sidecar"
        sidecar.location = .init(latitude: 1, longitude: 2)
        sidecar.exposure.iso = 50
        sources.sidecar = sidecar
        let facts = sources.facts(latestYear: 2027) { _ in 0 }
        #expect(facts.camera == .init(make: "Maker", model: "Model", lens: "Sidecar"))
        #expect(facts.exposure == .init(seconds: 0.004, aperture: 2.8, iso: 50, focalLength: 35))
        #expect(facts.location?.latitude == 1)
    }

    @Test("width and height are swapped if EXIF turns the picture, but not in HEIC")
    func turned() throws {
        let turned: [Int: TIFFFile.Value] = [0x0112: .shorts([6])]
        let jpeg = try #require(FileHead(FilePieces(Self.exifOfJPEG(Self.tiff(turned)))))
        #expect(jpeg.width == 40 && jpeg.height == 60 && jpeg.orientation == .right)
        let webp = Self.riff(Encode.webp(.quadrants(60, 40)), "EXIF", Self.tiff(turned))
        #expect(FileHead(FilePieces(webp))?.width == 40)
        let heic = try #require(FileHead(FilePieces(Self.heif(.heic(CodedPicture.HEVC.quadrants), Self.tiff(turned)))))
        #expect(heic.width == 120)
    }

    @Test(
        "a UTC time is shown in the zone implied by the file name, or in the server's zone",
        arguments: [
            ("Screenshot_20190714-003000.jpg", 120, PictureFacts.OffsetSource.name),
            ("Screenshot_20190714-003004.jpg", 120, .name), ("20190714_041500.jpg", 345, .name),
            ("20190713_083000.jpg", -840, .name), ("Screenshot_20190714-003008.jpg", 60, .server),
            ("20190714_123000.jpg", 840, .name), ("20190714_131500.jpg", 60, .server), ("1.jpg", 60, .server),
            ("PXL_20190713_223000000.jpg", 60, .server), ("IMG-20190714-WA0001.jpg", 60, .server),
        ])
    func utc(path: String, offset: Int, source: PictureFacts.OffsetSource) {
        var sources = FactSources()
        sources.path = path
        sources.archived = FactSources.ArchivedFacts()
        // 13 July 2019, 22:30 UTC.
        sources.archived?.taken = 1_563_057_000
        let facts = sources.facts(latestYear: 2027) { _ in 60 }
        #expect(facts.taken?.offset == offset && facts.offsetSource == source && facts.takenSource == .sidecar)
        #expect(facts.taken?.wallSeconds == 1_563_057_000 + Int64(offset) * 60)
        sources.archived = nil
        let named = sources.facts(latestYear: 2027) { _ in 60 }
        #expect(named.offsetSource == (path.hasPrefix("PXL") || path == "1.jpg" ? .server : nil))
    }

    @Test("the date's sources rank: sidecar, EXIF, XMP, GPS, archive, name, last change, file")
    func order() throws {
        func head(_ exif: [Int: TIFFFile.Value], _ gps: [Int: TIFFFile.Value], xmp: Bool) -> FileHead? {
            var jpeg = Self.exifOfJPEG(Self.tiff(exif: exif, gps: gps))
            if xmp {
                jpeg = Segments.insert(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Self.xmp, intoJPEG: jpeg)
            }
            return FileHead(FilePieces(jpeg))
        }
        var sources = FactSources()
        sources.path = "2015-05-15.jpg"
        sources.modified = 1_700_000_000_000_000_000
        sources.archived = FactSources.ArchivedFacts()
        sources.archived?.taken = 1_400_000_000
        sources.sidecar = XMPMetadata(Array(#"<x xmp:CreateDate="2001-01-31"/>"#.utf8))
        sources.head = head(Self.exposure, Self.place, xmp: true)
        func next() -> (PictureFacts.DateSource?, Int?) {
            let facts = sources.facts(latestYear: 2027) { _ in 60 }
            return (facts.takenSource, facts.taken?.year)
        }
        #expect(next() == (.sidecar, 2001))
        sources.sidecar = nil
        #expect(next() == (.exif, 2019))
        sources.head = head([:], Self.place, xmp: true)
        #expect(next() == (.xmp, 2011))
        sources.head = head([:], Self.place, xmp: false)
        #expect(next() == (.gps, 2019))
        sources.head = head([:], [:], xmp: false)
        #expect(next() == (.sidecar, 2014))
        sources.archived = nil
        #expect(next() == (.name, 2015))
        sources.path = "1.jpg"
        #expect(next() == (.exif, 2020))
        sources.head = nil
        #expect(next() == (.file, 2023))
        #expect(sources.facts(latestYear: 2027) { _ in 60 }.taken?.offset == 60)
    }

    @Test("a RAW file's facts are read with and without a preview", arguments: [true, false])
    func raw(hasPreview: Bool) throws {
        let preview = Encode.jpeg(.quadrants(60, 40))
        var tags: [Int: TIFFFile.Value] = [
            0x010F: .text("Maker"), 0x0112: .shorts([6]), 0xC612: .bytes([1, 4, 0, 0], type: 1),
            0x8769: .directories([Self.exposure]),
        ]
        if hasPreview { tags.merge([0x201: .data([preview]), 0x202: .longs([preview.count])]) { $1 } }
        let bytes = TIFFFile(directories: [tags]).bytes
        let head = try #require(FileHead(FilePieces(bytes)))
        #expect(head.kind == .raw && head.exif?.taken?.text == "2019-07-31T14:03:22.25")
        #expect(head.exif?.camera.make == "Maker" && head.exif?.exposure.iso == 400)
        #expect(head.width == (hasPreview ? 40 : 0) && head.height == (hasPreview ? 60 : 0))
        #expect(head.preview.map { Array(bytes[$0]) } == (hasPreview ? preview : nil))
    }

    @Test("rating and description come from the sidecar, then XMP, then EXIF")
    func words() throws {
        let jpeg = Segments.insert(
            0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Self.xmp, intoJPEG: Self.exifOfJPEG(Self.tiff()))
        var sources = FactSources()
        sources.head = FileHead(FilePieces(jpeg))
        var facts = sources.facts(latestYear: 2027) { _ in 0 }
        #expect(facts.rating == 2 && facts.description == "From XMP" && facts.taken?.year == 2019)
        sources.sidecar = XMPMetadata(Array(#"<x xmp:Rating="5"/>"#.utf8))
        facts = sources.facts(latestYear: 2027) { _ in 0 }
        #expect(facts.rating == 5 && facts.description == "From XMP" && facts.taken?.year == 2019)
    }

    @Test("impossible places, times, numbers and names are ignored")
    func nonsense() throws {
        let exif: [Int: TIFFFile.Value] = [
            0x829A: .rationals([(1, 0)]), 0x829D: .rationals([(0, 1)]), 0x8827: .shorts([0]), 0xA434: .text("----"),
        ]
        let places: [[Int: TIFFFile.Value]] = [
            [2: .rationals([(91, 1), (0, 1), (0, 1)]), 4: .rationals([(1, 1), (0, 1), (0, 1)])],
            [2: .rationals([(0, 1), (0, 1), (0, 1)]), 4: .rationals([(0, 1), (0, 1), (0, 1)])],
            [2: .rationals([(0, 0), (0, 0), (0, 0)]), 4: .rationals([(0, 0), (0, 0), (0, 0)])],
            [7: .rationals([(25, 1), (0, 1), (0, 1)]), 0x1D: .text("2019:07:31")],
        ]
        for place in places {
            let bytes = Self.tiff(
                [0x010E: .text("OLYMPUS DIGITAL CAMERA         "), 0x4746: .shorts([99])], exif: exif, gps: place)
            let found = try #require(ExifMetadata(chunk: bytes))
            #expect(found.location == nil && found.gpsTime == nil && found.description == nil && found.rating == nil)
            #expect(found.exposure == PictureFacts.Exposure() && found.camera.lens == nil && found.taken == nil)
        }
    }

    @Test("a TIFF with huge sides, counts and offsets has sides of up to 2³¹ pixels, or none")
    func hugeNumbers() {
        for value in [0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, -1] {
            for isBig in [false, true] {
                // The reader compares the proportions of a reduced picture.
                var small = TIFFFile.picture(.quadrants(6, 4))
                small.merge([0xFE: .longs([1]), 0x100: .longs([value - 1]), 0x101: .longs([value])]) { $1 }
                var main = TIFFFile.picture(.quadrants(60, 40))
                main.merge([0x100: .longs([value]), 0x101: .longs([value]), 0x14A: .directories([small])]) { $1 }
                let bytes = TIFFFile(magic: [0x49, 0x49, isBig ? 43 : 42, 0], isBig: isBig, directories: [main]).bytes
                #expect(PictureFacts.arePlausible(bytes))
                // Overwrites the first directory's offset, its number of entries, and words of the entries.
                for place in stride(from: 4, to: 240, by: 2) {
                    var other = bytes
                    for index in place..<min(place + (isBig ? 8 : 4), other.count) {
                        other[index] = UInt8(truncatingIfNeeded: value >> (8 * (index - place)))
                    }
                    #expect(PictureFacts.arePlausible(other), "\(value), \(isBig), \(place)")
                    let header = try? PictureHeader(other)
                    #expect(1...Int(Int32.max) ~= header?.width ?? 1, "\(value), \(isBig), \(place)")
                }
            }
        }
    }

    /// A video with everything that its reader knows.
    private static let film: [UInt8] = {
        var movie = Movie()
        movie.creationDate = "2019-07-12T14:03:22-0330"
        movie.contentIdentifier = "0F6B2A5E-1C7D"
        movie.userData = [
            Movie.text("xyz", "+47.3700+008.5400+408.000/"), Movie.place(1, 2, 3, name: Array("name".utf8)),
            Movie.text("day", "2019-07-12T16:03:22+0200", asData: true),
            Movie.list(Movie.text("mod", "Phone", asData: true)),
        ]
        return movie.bytes
    }()

    @Test("the facts of a mutated or truncated file are in their ranges", arguments: 0...files.count)
    func mutations(index: Int) {
        let bytes = index < Self.files.count ? Self.files[index].bytes : Self.film
        var random = SeededRandom(seed: UInt64(index + 1))
        for round in 0..<300 {
            var other = bytes
            for _ in 0..<1 + random.below(8) {
                other[random.below(other.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            #expect(PictureFacts.arePlausible(other), "\(round)")
            let count = 1 + random.below(other.count)
            #expect(PictureFacts.arePlausible(Array(other.prefix(count))), "\(round), \(count) bytes")
        }
    }
}
