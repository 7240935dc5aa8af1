import Media
import Testing

@Suite struct XMPMetadataTests {
    private func packet(_ attributes: String, _ elements: String = "") -> XMPMetadata {
        XMPMetadata(
            Array(
                """
                <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
                <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description \(attributes)>
                \(elements)</rdf:Description></rdf:RDF></x:xmpmeta>
                """.utf8))
    }

    @Test("date and rating are read from attributes and from elements")
    func forms() {
        let attributes = packet(#"exif:DateTimeOriginal = '2019-07-31T14:03:22+02:00' xmp:Rating="4""#)
        let elements = packet(
            "",
            """
            <exif:DateTimeOriginal>2019-07-31T14:03:22+02:00</exif:DateTimeOriginal>
            <xmp:Rating>4</xmp:Rating>
            """)
        for found in [attributes, elements] {
            #expect(found.taken == DateTaken(iso: "2019-07-31T14:03:22+02:00") && found.rating == 4)
            #expect(found.description == nil)
        }
    }

    @Test("a camera's name is limited in bytes, even if one letter has many accents")
    func accents() {
        let model = packet("tiff:Model=\"e\(String(repeating: "\u{301}", count: 1_000))\"").camera.model
        #expect(model?.utf8.count == 63 && model?.unicodeScalars.first == "e")
    }

    private static let all = """
        tiff:Make="Maker" tiff:Model="Model" aux:Lens="Lens 35mm f/2.8" exif:ExposureTime="1/250" exif:FNumber="28/10"
        exif:FocalLength="35" exif:GPSLatitude="33,51.6S" exif:GPSLongitude="151,12,0E" exif:GPSAltitudeRef="1"
        exif:GPSAltitude="125/10"
        """

    @Test(
        "camera, lens, exposure and place are read",
        arguments: ["ISOSpeedRatings", "PhotographicSensitivity"])
    func camera(sensitivity: String) throws {
        let prefix = sensitivity.hasPrefix("ISO") ? "exif" : "exifEX"
        let list = "<\(prefix):\(sensitivity)><rdf:Seq><rdf:li>400</rdf:li></rdf:Seq></\(prefix):\(sensitivity)>"
        let found = packet(Self.all, list)
        #expect(found.camera == .init(make: "Maker", model: "Model", lens: "Lens 35mm f/2.8"))
        #expect(found.exposure == .init(seconds: 0.004, aperture: 2.8, iso: 400, focalLength: 35))
        let location = try #require(found.location)
        #expect(abs(location.latitude + 33.86) < 1e-9 && abs(location.longitude - 151.2) < 1e-9)
        #expect(location.altitude == -12.5)
    }

    @Test(
        "malformed coordinates are ignored",
        arguments: ["33,51.6", "N", "91,0N", "33,60N", "33,-1N", "1,2,3,4N", "33,51.6E", "nanN", "infN", ",N", ""])
    func noPlace(latitude: String) {
        #expect(packet("exif:GPSLatitude=\"\(latitude)\" exif:GPSLongitude=\"10,0E\"").location == nil)
    }

    @Test(
        "malformed exposure times are ignored", arguments: ["0", "-1/250", "1/0", "1/", "/", "", "x", "inf", "1/nan"])
    func noExposure(text: String) { #expect(packet("exif:ExposureTime=\"\(text)\"").exposure.seconds == nil) }

    @Test(
        "UTF-16 is read in both byte orders, with or without a byte order mark", arguments: [true, false],
        [true, false])
    func utf16(isBigEndian: Bool, hasMark: Bool) {
        let text =
            (hasMark ? "\u{FEFF}" : "")
            + "<x:xmpmeta><rdf:Description \(Self.all) dc:description=\"Grüße\"/></x:xmpmeta>"
        let bytes = text.utf16.flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
            return isBigEndian ? [high, low] : [low, high]
        }
        let found = XMPMetadata(bytes)
        #expect(found.camera.model == "Model" && found.description == "Grüße" && found.location != nil)
        _ = XMPMetadata(Array(bytes.dropLast()))
    }

    @Test("the date of the original ranks before the date created and the file's date")
    func order() {
        let all = #"photoshop:DateCreated="2018-01-13" xmp:CreateDate="2017-01-13""#
        #expect(packet(all + #" exif:DateTimeOriginal="2019-01-13""#).taken?.year == 2019)
        #expect(packet(all).taken?.year == 2018)
        #expect(packet(#"xmp:CreateDate="2017-01-13""#).taken?.year == 2017)
        #expect(packet(#"exif:DateTimeOriginal="2021:08:19 18:48:53A""#).taken?.text == "2021-08-19T18:48:53")
        // A year or a month alone is not a date.
        for text in ["2019-01", "2019", "2019-01T10:00:00"] {
            #expect(packet("photoshop:DateCreated=\"\(text)\"").taken == nil, "\(text)")
        }
        // An invalid date does not hide the next one.
        #expect(packet(all + #" exif:DateTimeOriginal="0000-00-00""#).taken?.year == 2018)
    }

    @Test("a description is the first language's text with its entities decoded, up to 2,000 characters")
    func description() {
        let found = packet(
            "",
            """
            <dc:description><rdf:Alt><rdf:li xml:lang="x-default"> Tom &amp; &#x4A;erry &lt;3 </rdf:li>
            <rdf:li xml:lang="de">Nein</rdf:li></rdf:Alt></dc:description>
            """)
        #expect(found.description == "Tom & Jerry <3")
        #expect(packet("", "<dc:description><rdf:Alt><rdf:li/></rdf:Alt></dc:description>").description == nil)
        let long = String(repeating: "a", count: 5_000)
        #expect(packet("dc:description=\"\(long)\"").description?.count == 2_000)
    }

    @Test(
        "a rating is 0 to 5, and other values are ignored",
        arguments: [("5", 5), ("0", 0), ("3.0", 3), ("-1", nil), ("9", nil), ("x", nil)])
    func rating(text: String, stars: Int?) { #expect(packet("xmp:Rating=\"\(text)\"").rating == stars) }

    @Test("the length of a motion photo's video is read in both of Google's forms")
    func motion() {
        let former = packet(#"GCamera:MicroVideo="1" GCamera:MicroVideoVersion="1" GCamera:MicroVideoOffset="1234""#)
        #expect(former.videoLengths == [1_234])
        let items = """
            <Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Semantic="Primary" Item:Length="0"/></rdf:li>
            <rdf:li><Container:Item Item:Semantic="MotionPhoto" Item:Length="99"/></rdf:li></rdf:Seq></Container:Directory>
            """
        #expect(packet(#"GCamera:MotionPhotoVersion="1" GCamera:MotionPhoto="1""#, items).videoLengths == [0, 99])
        #expect(packet(#"GCamera:MotionPhoto="0""#, items).videoLengths == [] && packet("", items).videoLengths == [])
    }

    @Test("a packet cut at any byte gives its own rating or none")
    func cut() {
        let whole = Array(
            #"<a xmp:Rating="4" dc:description="x&amp;y"><exif:DateTimeOriginal>2019-07-31</exif:DateTimeOriginal>"#
                .utf8)
        for length in 0...whole.count {
            #expect(XMPMetadata(Array(whole.prefix(length))).rating ?? 4 == 4, "\(length)")
        }
        #expect(XMPMetadata(whole).taken?.day == 31)
        #expect(XMPMetadata([]) == XMPMetadata(Array("x".utf8)))
    }
}
