import PhotoFacts
import Pictures
import Testing
import Trace

@Suite("Stars written into XMP") struct XMPSidecarTests {
    private func rated(_ stars: Int, _ packet: String? = nil) throws -> String {
        String(decoding: try XMPSidecar.rated(stars, packet.map { Array($0.utf8) }), as: UTF8.self)
    }

    @Test("a new packet says the stars and nothing else")
    func new() throws {
        let packet = try rated(5)
        #expect(XMPMetadata(Array(packet.utf8)).rating == 5)
        #expect(
            packet.contains(#"xmlns:xmp="http://ns.adobe.com/xap/1.0/""#) && packet.hasSuffix("<?xpacket end=\"w\"?>\n")
        )
        #expect(try rated(0, packet) == packet.replacing("Rating=\"5\"", with: "Rating=\"0\""))
    }

    @Test(
        "what is there is written over where it stands, and all else stays",
        arguments: [
            (#"<rdf:Description xmp:Rating="3" a:b="1"/>"#, #"<rdf:Description xmp:Rating="5" a:b="1"/>"#),
            (
                #"<rdf:Description xap:Rating = '-1'>x</rdf:Description>"#,
                #"<rdf:Description xap:Rating = '5'>x</rdf:Description>"#
            ),
            (
                "<rdf:Description><xmp:Rating> 2\n</xmp:Rating></rdf:Description>",
                "<rdf:Description><xmp:Rating> 5\n</xmp:Rating></rdf:Description>"
            ),
            ("<a><xmp:Rating></xmp:Rating></a>", "<a><xmp:Rating>5</xmp:Rating></a>"),
            (
                #"<!-- <rdf:Description> --><rdf:Description a='>' xmlns:xmp="http://ns.adobe.com/xap/1.0/"><b>Grüße ☀ <![CDATA[<c]]></b></rdf:Description>"#,
                #"<!-- <rdf:Description> --><rdf:Description xmp:Rating="5" a='>' xmlns:xmp="http://ns.adobe.com/xap/1.0/"><b>Grüße ☀ <![CDATA[<c]]></b></rdf:Description>"#
            ),
            (
                #"<r><rdf:Description a="1"/><rdf:Description b="2"/></r>"#,
                #"<r><rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="5" a="1"/><rdf:Description b="2"/></r>"#
            ),
        ])
    func existing(packet: String, expected: String) throws {
        #expect(try rated(5, packet) == expected)
        #expect(try rated(5, expected) == expected)
        #expect(XMPMetadata(Array(expected.utf8)).rating == 5)
    }

    @Test(
        "what is no XMP is refused as it is",
        arguments: [
            "", "stars: 3", "<a>", #"<rdf:Description a="1"#, "<rdf:Description a=1/>", "<!-- <rdf:Description/>",
            #"<rdf:Description xmlns:xmp="urn:other"/>"#,
        ])
    func refused(packet: String) { #expect(throws: XMPSidecar.Failure.self) { try rated(5, packet) } }

    @Test("a packet in another encoding is refused, and none that is cut or mutated makes the writer trap")
    func mutations() throws {
        #expect(throws: XMPSidecar.Failure.notXML) { try XMPSidecar.rated(5, [0xFE, 0xFF, 0, 0x3C]) }
        let whole = Array(
            #"<?xpacket?><x><!--c--><rdf:Description a='1' xmp:Rating="3"><xmp:Rating>1</xmp:Rating></rdf:Description></x>"#
                .utf8)
        for length in 0...whole.count { _ = try? XMPSidecar.rated(5, Array(whole.prefix(length))) }
        var random = SeededRandom(seed: 5)
        for _ in 0..<2_000 {
            var other = whole
            for _ in 0..<1 + random.below(6) {
                other[random.below(other.count)] = UInt8(truncatingIfNeeded: random.next()) & 0x7F
            }
            _ = try? XMPSidecar.rated(5, other)
        }
    }
}
