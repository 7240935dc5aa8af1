/// Writes the stars of a picture into an XMP packet (ISO 16684-1), and leaves all else in it as it is, byte for byte.
package enum XMPSidecar {
    /// Why a packet cannot be written into.
    package enum Failure: Error, Equatable {
        /// It is no XML that could be followed to its end, or not UTF-8.
        case notXML
        /// It has nothing that describes a picture.
        case noDescription
    }

    private static let rating = ["xmp:Rating", "xap:Rating"].map { Array($0.utf8) }
    private static let description = Array("rdf:Description".utf8)
    private static let namespace = "http://ns.adobe.com/xap/1.0/"

    /// A packet with these stars.
    ///
    /// - Parameters:
    ///   - stars: 0 ... 5.
    ///   - packet: the one that is there; `nil` for a new one.
    package static func rated(_ stars: Int, _ packet: [UInt8]? = nil) throws(Failure) -> [UInt8] {
        let stars = Array(String(min(max(stars, 0), 5)).utf8)
        guard let packet else { return new(stars) }
        guard String(validating: packet, as: UTF8.self) != nil else { throw .notXML }
        var tags = Tags(packet)
        var values: [Range<Int>] = []
        var place: (offset: Int, declares: Bool)?
        while let tag = try tags.next() {
            values += tag.attributes.filter { rating.contains(Array(packet[$0.name])) }.map(\.value)
            let name = Array(packet[tag.name])
            if rating.contains(name), let value = tags.text(of: tag) { values.append(value) }
            if name == description, place == nil {
                let xmlns = Array("xmlns:xmp".utf8)
                let declared = tag.attributes.first { packet[$0.name].elementsEqual(xmlns) }
                // The name means something else here.
                if let declared, !packet[declared.value].elementsEqual(namespace.utf8) { throw .noDescription }
                place = (tag.name.upperBound, declared != nil)
            }
        }
        var written = packet
        if values.isEmpty {
            guard let place else { throw .noDescription }
            let declaration = place.declares ? "" : " xmlns:xmp=\"\(namespace)\""
            written.insert(
                contentsOf: Array(declaration.utf8) + Array(" xmp:Rating=\"".utf8) + stars + [UInt8(ascii: "\"")],
                at: place.offset)
        }
        for value in values.reversed() { written.replaceSubrange(value, with: stars) }
        return written
    }

    private static func new(_ stars: [UInt8]) -> [UInt8] {
        Array(
            """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:xmp="\(namespace)" xmp:Rating="\(String(decoding: stars, as: UTF8.self))"/>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """.utf8)
    }
}

/// The tags of an XML document, in order. Comments and processing instructions are skipped.
private struct Tags {
    struct Tag {
        var name: Range<Int>
        var attributes: [(name: Range<Int>, value: Range<Int>)] = []
        var isClosed = false
        /// Behind its `>`.
        var end = 0
    }

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The next tag that begins an element; `nil` at the end.
    mutating func next() throws(XMPSidecar.Failure) -> Tag? {
        while let start = bytes[place...].firstIndex(of: UInt8(ascii: "<")) {
            if let end = try skipped(start) { place = end } else { return try tag(start + 1) }
        }
        return nil
    }

    /// The text of an element that has nothing else in it, without the space around it.
    func text(of tag: Tag) -> Range<Int>? {
        guard !tag.isClosed, let end = bytes[tag.end...].firstIndex(of: UInt8(ascii: "<")) else { return nil }
        guard bytes[end...].dropFirst().first == UInt8(ascii: "/") else { return nil }
        let text = bytes[tag.end..<end]
        guard let first = text.firstIndex(where: { $0 > 0x20 }), let last = text.lastIndex(where: { $0 > 0x20 }) else {
            return tag.end..<end
        }
        return first..<last + 1
    }

    /// Where what begins here ends, if that is no tag that begins an element.
    private func skipped(_ start: Int) throws(XMPSidecar.Failure) -> Int? {
        for (opening, closing) in [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>"), ("<!", ">"), ("</", ">")]
        where bytes[start...].starts(with: opening.utf8) {
            let closing = Array(closing.utf8)
            var place = start + opening.utf8.count
            while place + closing.count <= bytes.count {
                if bytes[place..<place + closing.count].elementsEqual(closing) { return place + closing.count }
                place += 1
            }
            throw .notXML
        }
        return nil
    }

    private mutating func tag(_ start: Int) throws(XMPSidecar.Failure) -> Tag {
        place = start
        var tag = Tag(name: name())
        guard !tag.name.isEmpty else { throw .notXML }
        while true {
            skipSpace()
            guard place < bytes.count else { throw .notXML }
            if bytes[place] == UInt8(ascii: ">") { break }
            if bytes[place] == UInt8(ascii: "/") {
                tag.isClosed = true
                place += 1
                continue
            }
            let name = name()
            skipSpace()
            guard !name.isEmpty, !tag.isClosed, place < bytes.count, bytes[place] == UInt8(ascii: "=") else {
                throw .notXML
            }
            place += 1
            skipSpace()
            guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'"),
                let end = bytes[(place + 1)...].firstIndex(of: bytes[place])
            else { throw .notXML }
            tag.attributes.append((name, place + 1..<end))
            place = end + 1
        }
        place += 1
        tag.end = place
        return tag
    }

    private mutating func skipSpace() { while place < bytes.count, bytes[place] <= 0x20 { place += 1 } }

    private mutating func name() -> Range<Int> {
        let start = place
        let ends = Set("=/><\"'".utf8)
        while place < bytes.count, bytes[place] > 0x20, !ends.contains(bytes[place]) { place += 1 }
        return start..<place
    }
}
