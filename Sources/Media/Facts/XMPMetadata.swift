/// The required part of an XMP packet (ISO 16684-1): when, where and with which camera the picture was taken, its stars, its description,
/// and the position of a motion photo's video.
///
/// The packet is searched, not parsed: names are expected with the prefixes that all writers use, as attributes or as elements.
package struct XMPMetadata: Sendable, Equatable {
    package var taken: DateTaken?
    /// 0 ... 5 stars.
    package var rating: Int?
    package var description: String?
    package var camera = PictureFacts.Camera()
    package var exposure = PictureFacts.Exposure()
    package var location: PictureFacts.Location?
    /// Number of bytes before the file's end at which a motion photo's video may begin. Empty if the packet does not mention a video.
    package var videoLengths: [Int] = []

    /// Maximum number of bytes to read of a packet.
    package static let longest = 1 << 20
    /// Maximum number of bytes of a description to store.
    static let longestDescription = 2_000
    /// Maximum number of occurrences of a name to examine.
    private static let maximumPlaces = 8

    package init(_ bytes: [UInt8]) { self.init(bytes, bytes.indices) }

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        let range = range.clamped(to: bytes.indices).prefix(Self.longest)
        let wide = Self.fromUTF16(bytes[range])
        let packet = Packet(xml: wide.map { XMLText($0, $0.indices) } ?? XMLText(bytes, range))
        for name in [
            "exif:DateTimeOriginal", "photoshop:DateCreated", "exif:DateTimeDigitized", "xmp:CreateDate",
            "xap:CreateDate",
        ] {
            // Some programs write the form of EXIF.
            taken = packet.first(name) { DateTaken(iso: $0) ?? DateTaken(exif: $0) }
            if taken != nil { break }
        }
        for name in ["xmp:Rating", "xap:Rating"] where rating == nil {
            rating = packet.first(name) { Double($0).flatMap { Int(exactly: $0) }.flatMap { 0...5 ~= $0 ? $0 : nil } }
        }
        description = packet.first("dc:description") { $0.isEmpty ? nil : $0 }
        let longest = TIFFDirectory.longestText
        func text(_ names: String...) -> String? {
            for name in names {
                let found = packet.first(name) { $0.isEmpty ? nil : String($0.prefix(bytes: longest)) }
                if let found { return found }
            }
            return nil
        }
        camera = PictureFacts.Camera(
            make: text("tiff:Make"), model: text("tiff:Model"), lens: text("exifEX:LensModel", "aux:Lens"))
        exposure.seconds = packet.first("exif:ExposureTime", Self.positive)
        exposure.aperture = packet.first("exif:FNumber", Self.positive)
        exposure.focalLength = packet.first("exif:FocalLength", Self.positive)
        for name in ["exif:ISOSpeedRatings", "exifEX:PhotographicSensitivity"] where exposure.iso == nil {
            exposure.iso = packet.first(name) { Int($0).flatMap { 1...9_999_999 ~= $0 ? $0 : nil } }
        }
        if let latitude = packet.first("exif:GPSLatitude", { Self.degrees($0, "NS", maximum: 90) }),
            let longitude = packet.first("exif:GPSLongitude", { Self.degrees($0, "EW", maximum: 180) }),
            latitude != 0 || longitude != 0
        {
            let isBelow = packet.first("exif:GPSAltitudeRef") { $0 } == "1"
            let altitude = packet.first("exif:GPSAltitude", Self.number).map { isBelow ? -$0 : $0 }
            location = PictureFacts.Location(latitude: latitude, longitude: longitude, altitude: altitude)
        }
        let isMotionPhoto = ["GCamera:MotionPhoto", "Camera:MotionPhoto", "GCamera:MicroVideo"].contains { name in
            packet.first(name) { $0 == "1" ? true : nil } ?? false
        }
        if isMotionPhoto {
            videoLengths = ["GCamera:MicroVideoOffset", "Item:Length"].flatMap { packet.all($0) { Int($0) } }
        }
    }

    /// Parses `1/250`, `2.8` or `28/10`. Returns `nil` if the text is not a number, or if the number is above a thousand million.
    static func number(_ text: String) -> Double? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map { Double($0) }
        guard let above = parts[0], let below = parts.count == 2 ? parts[1] : 1 else { return nil }
        let number = above / below
        return abs(number) <= 1e9 ? number : nil
    }

    private static func positive(_ text: String) -> Double? { number(text).flatMap { $0 > 0 ? $0 : nil } }

    /// Parses degrees, minutes and seconds such as `48,51.5025N` or `48,51,30N` (XMP Specification, part 2, `GPSCoordinate`).
    ///
    /// - Parameter signs: final letter of a positive value, followed by the final letter of a negative value.
    private static func degrees(_ text: String, _ signs: String, maximum: Double) -> Double? {
        guard let sign = text.last, signs.contains(sign) else { return nil }
        let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard 1...3 ~= parts.count else { return nil }
        var value = 0.0
        for (part, unit) in zip(parts, [1.0, 60, 3600]) {
            guard let part, part >= 0, unit == 1 || part < 60 else { return nil }
            value += part / unit
        }
        guard value <= maximum else { return nil }
        return sign == signs.last ? -value : value
    }

    /// Converts a packet in UTF-16 to UTF-8. Returns `nil` if the packet is not UTF-16.
    private static func fromUTF16(_ packet: ArraySlice<UInt8>) -> [UInt8]? {
        let beginning = Array(packet.prefix(2))
        let isBigEndian = beginning == [0xFE, 0xFF] || beginning == [0, 0x3C]
        guard isBigEndian || beginning == [0xFF, 0xFE] || beginning == [0x3C, 0] else { return nil }
        let units = stride(from: packet.startIndex, to: packet.endIndex - 1, by: 2).map { place in
            let (first, second) = (UInt16(packet[place]), UInt16(packet[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    private struct Packet {
        let xml: XMLText
        private var bytes: [UInt8] { xml.bytes }
        private var range: Range<Int> { xml.range }

        func first<Value>(_ name: String, _ read: (String) -> Value?) -> Value? { all(name, maximum: 1, read).first }

        func all<Value>(_ name: String, maximum: Int = XMPMetadata.maximumPlaces, _ read: (String) -> Value?) -> [Value]
        {
            let key = Array(name.utf8)
            var place = range.lowerBound
            var values: [Value] = []
            for _ in 0..<XMPMetadata.maximumPlaces where values.count < maximum {
                guard let found = xml.find(key, from: place) else { break }
                place = found + key.count
                guard found > range.lowerBound else { continue }
                let value =
                    bytes[found - 1] == UInt8(ascii: "<") ? element(key, from: place) : attribute(from: place)
                if let value, let read = read(XMPMetadata.text(bytes[value])) { values.append(read) }
            }
            return values
        }

        /// Returns the range of the quoted text after `=`.
        private func attribute(from place: Int) -> Range<Int>? {
            guard let equals = next(place), bytes[equals] == UInt8(ascii: "="), let quote = next(equals + 1),
                bytes[quote] == UInt8(ascii: "\"") || bytes[quote] == UInt8(ascii: "'")
            else { return nil }
            return bytes[(quote + 1)..<range.upperBound].firstIndex(of: bytes[quote]).map { quote + 1..<$0 }
        }

        /// Returns the range of an element's text. If the element contains a list, this is the text of its first entry.
        private func element(_ key: [UInt8], from place: Int) -> Range<Int>? {
            guard place < range.upperBound, [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ">")].contains(bytes[place]),
                let end = xml.find(Array("</".utf8) + key, from: place),
                var start = bytes[place..<end].firstIndex(of: UInt8(ascii: ">")).map({ $0 + 1 })
            else { return nil }
            var stop = end
            if let item = xml.find(Array("<rdf:li".utf8), from: start), item < end {
                guard let close = bytes[item..<end].firstIndex(of: UInt8(ascii: ">")),
                    bytes[close - 1] != UInt8(ascii: "/"), let last = xml.find(Array("</rdf:li".utf8), from: close),
                    last <= end
                else { return nil }
                (start, stop) = (close + 1, last)
            }
            return start..<stop
        }

        /// Returns the position of the next byte that is not a space.
        private func next(_ place: Int) -> Int? {
            bytes[min(place, range.upperBound)..<range.upperBound].firstIndex { $0 > 0x20 }
        }
    }

    /// Decodes text: resolves entities and removes surrounding space. Reads no more bytes than a description may have.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: XMLText.resolved(bytes.prefix(longestDescription)), as: UTF8.self).cleaned
    }
}
