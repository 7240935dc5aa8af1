import Glibc

/// The little that is wanted of an XMP packet (ISO 16684-1): when the picture was taken, its stars, its description, and
/// where the video of a motion photo lies.
///
/// The packet is scanned, not parsed: the names are looked for with the prefixes that all writers use, as attributes and as
/// elements.
package struct XMPMetadata: Sendable, Equatable {
    package var taken: DateTaken?
    /// 0 ... 5 stars.
    package var rating: Int?
    package var description: String?
    /// Of a picture that says a video lies behind it in its file: how many bytes before the end it may begin.
    package var videoLengths: [Int] = []

    /// Bytes of a packet that are looked at.
    package static let longest = 1 << 20
    /// Bytes of a description that are kept.
    static let longestDescription = 2_000
    /// Places of a name that are looked at.
    private static let mostPlaces = 8

    package init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        let packet = Packet(bytes: bytes, range: range.clamped(to: bytes.indices).prefix(Self.longest))
        for name in ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate", "xap:CreateDate"] {
            // Some write EXIF's own form.
            taken = packet.first(name) { DateTaken(iso: $0) ?? DateTaken(exif: $0) }
            if taken != nil { break }
        }
        for name in ["xmp:Rating", "xap:Rating"] where rating == nil {
            rating = packet.first(name) { Double($0).flatMap { Int(exactly: $0) }.flatMap { 0...5 ~= $0 ? $0 : nil } }
        }
        description = packet.first("dc:description") { $0.isEmpty ? nil : $0 }
        let isMotionPhoto = ["GCamera:MotionPhoto", "Camera:MotionPhoto", "GCamera:MicroVideo"].contains { name in
            packet.first(name) { $0 == "1" ? true : nil } ?? false
        }
        if isMotionPhoto {
            videoLengths = ["GCamera:MicroVideoOffset", "Item:Length"].flatMap { packet.all($0) { Int($0) } }
        }
    }

    private struct Packet {
        let bytes: [UInt8]
        let range: Range<Int>

        /// The first value of a property that means something.
        func first<Value>(_ name: String, _ read: (String) -> Value?) -> Value? { all(name, most: 1, read).first }

        /// The values of a property that mean something.
        func all<Value>(_ name: String, most: Int = XMPMetadata.mostPlaces, _ read: (String) -> Value?) -> [Value] {
            let key = Array(name.utf8)
            var place = range.lowerBound
            var values: [Value] = []
            for _ in 0..<XMPMetadata.mostPlaces where values.count < most {
                guard let found = find(key, from: place) else { break }
                place = found + key.count
                guard found > range.lowerBound else { continue }
                let value =
                    bytes[found - 1] == UInt8(ascii: "<") ? element(key, from: place) : attribute(from: place)
                if let value, let read = read(XMPMetadata.text(bytes[value])) { values.append(read) }
            }
            return values
        }

        /// The text in quotes behind `=`.
        private func attribute(from place: Int) -> Range<Int>? {
            guard let equals = next(place), bytes[equals] == UInt8(ascii: "="), let quote = next(equals + 1),
                bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'")
            else { return nil }
            return bytes[(quote + 1)..<range.upperBound].firstIndex(of: bytes[quote]).map { quote + 1..<$0 }
        }

        /// The text of an element, or of the first entry of the list in it.
        private func element(_ key: [UInt8], from place: Int) -> Range<Int>? {
            guard place < range.upperBound, [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ">")].contains(bytes[place]),
                let end = find(Array("</".utf8) + key, from: place),
                var start = bytes[place..<end].firstIndex(of: UInt8(ascii: ">")).map({ $0 + 1 })
            else { return nil }
            var stop = end
            if let item = find(Array("<rdf:li".utf8), from: start), item < end {
                guard let close = bytes[item..<end].firstIndex(of: UInt8(ascii: ">")),
                    bytes[close - 1] != UInt8(ascii: "/"), let last = find(Array("</rdf:li".utf8), from: close),
                    last <= end
                else { return nil }
                (start, stop) = (close + 1, last)
            }
            return start..<stop
        }

        /// The next byte that is no space.
        private func next(_ place: Int) -> Int? {
            bytes[min(place, range.upperBound)..<range.upperBound].firstIndex { $0 > 0x20 }
        }

        /// Looks for the key's colon first: few other bytes of a packet are one.
        private func find(_ key: [UInt8], from place: Int) -> Int? {
            guard let colon = key.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return bytes.withUnsafeBytes { all in
                guard let base = all.baseAddress else { return nil }
                var next = place + colon
                while next < range.upperBound, let found = memchr(base + next, 0x3A, range.upperBound - next) {
                    next = UnsafeRawPointer(found) - base
                    let start = next - colon
                    if start + key.count <= range.upperBound, memcmp(base + start, key, key.count) == 0 { return start }
                    next += 1
                }
                return nil
            }
        }
    }

    /// Text without the space around it, its entities resolved; no more than a description may have.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let raw = String(decoding: bytes.prefix(longestDescription), as: UTF8.self)
        var text = ""
        var rest = raw[...]
        while let ampersand = rest.firstIndex(of: "&") {
            text += rest[..<ampersand]
            rest = rest[ampersand...]
            guard let end = rest.prefix(12).firstIndex(of: ";"),
                let character = XMLEntity.character(rest[rest.index(after: ampersand)..<end])
            else {
                text += "&"
                rest = rest.dropFirst()
                continue
            }
            text.append(character)
            rest = rest[rest.index(after: end)...]
        }
        text += rest
        return text.cleaned
    }
}

extension String {
    /// Without control characters, what is no UTF-8, and the space around it.
    var cleaned: String {
        let kept = filter { character in
            character != "\u{FFFD}" && (character.isNewline || (character.unicodeScalars.first?.value ?? 0) >= 0x20)
        }
        let start = kept.drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// The entities that XML has of its own, and characters by number.
package enum XMLEntity {
    /// Returns what an entity stands for, by what is between `&` and `;`; `nil` where it is no such entity.
    package static func character(_ name: Substring) -> Character? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.first == "#" else { return nil }
            let digits = name.dropFirst()
            let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap(Unicode.Scalar.init).map(Character.init)
        }
    }
}
