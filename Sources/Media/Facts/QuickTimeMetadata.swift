/// The place, camera, local time and identifier of a film, as phones and cameras write them into the film's header: QuickTime's `udta`
/// (texts whose names begin with `©`), 3GPP's `loci` (TS 26.244, 8.2), and `meta` with Apple's keys or in the form of iTunes.
struct QuickTimeMetadata {
    /// Value of `com.apple.quicktime.creationdate`.
    private(set) var created: Moment?
    /// Value of `©day`.
    private(set) var day: Moment?
    private(set) var camera = PictureFacts.Camera()
    private(set) var location: PictureFacts.Location?
    /// Value of `com.apple.quicktime.content.identifier`.
    private(set) var contentIdentifier: String?

    /// A date in the form of ISO 8601.
    struct Moment {
        let date: DateTaken
        let isUTC: Bool
        /// Whether the text contains a time, not only a day.
        let hasTime: Bool

        /// Reads the forms of ISO 8601, and `2019-07-12T14:03:22+0200`, Apple's form of the offset.
        init?(_ text: String) {
            var iso = text
            let bytes = Array(text.utf8)
            // The sign must follow hours and minutes. Earlier hyphens belong to the date.
            if let sign = bytes.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }), sign >= 16 {
                let zone = bytes[(sign + 1)...]
                if zone.count == 2 || zone.count == 4, zone.allSatisfy({ 0x30...0x39 ~= $0 }) {
                    let minutes = zone.count == 4 ? Array(zone.suffix(2)) : Array("00".utf8)
                    iso = String(decoding: Array(bytes[...(sign + 2)]) + [UInt8(ascii: ":")] + minutes, as: UTF8.self)
                }
            }
            guard let date = DateTaken(iso: iso) else { return nil }
            self.date = date
            isUTC = bytes.last == UInt8(ascii: "Z")
            hasTime = bytes.count > 13 && bytes[13] == UInt8(ascii: ":")
        }
    }

    private static let maximumKeys = 256
    /// Maximum number of bytes to read for all keys.
    private static let longestKeys = 1 << 14
    /// Maximum number of bytes to read of a value.
    private static let longestValue = 128
    /// Maximum number of bytes to read of a `loci`, which begins with the name of the place.
    private static let longestPlace = 1 << 10

    /// Uses the first value if a fact has several.
    init(_ file: FilePieces, metadata: [Range<Int>], userData: [Range<Int>]) {
        for range in metadata { readMetadata(file, range) }
        for range in userData { readUserData(file, range) }
    }

    private mutating func readMetadata(_ file: FilePieces, _ data: Range<Int>) {
        // The box begins with a version in MP4, but not in QuickTime.
        let hasVersion = file.bytes(at: data.lowerBound + 4, 4) != Array("hdlr".utf8)
        let boxes = Array(Boxes(file, data.dropFirst(hasVersion ? 4 : 0)))
        guard let list = boxes.first(where: { $0.type == "ilst" }) else { return }
        let keys = boxes.first { $0.type == "keys" }
        let names = keys.map { Self.keys(file.bytes(at: $0.data.lowerBound, min($0.data.count, Self.longestKeys))) }
        for item in Boxes(file, list.data) {
            let name: String? = names.flatMap {
                $0.indices.contains(item.type.number - 1) ? $0[item.type.number - 1] : nil
            }
            guard name != nil || Self.isText(item.type),
                let value = Boxes(file, item.data).first(where: { $0.type == "data" }),
                value.data.count > 8
            else { continue }
            let text = Self.text(
                file.bytes(at: value.data.lowerBound + 8, min(value.data.count - 8, Self.longestValue)))
            if let name { take(text, key: name) } else { take(text, type: item.type) }
        }
    }

    private mutating func readUserData(_ file: FilePieces, _ data: Range<Int>) {
        for box in Boxes(file, data) {
            func bytes(_ maximum: Int) -> [UInt8] { file.bytes(at: box.data.lowerBound, min(box.data.count, maximum)) }
            if Self.isText(box.type) {
                if let text = Self.userText(bytes(Self.longestValue)) { take(text, type: box.type) }
            } else if box.type == "loci" {
                location = location ?? Self.place(bytes(Self.longestPlace))
            } else if box.type == "meta" {
                readMetadata(file, box.data)
            }
        }
    }

    private mutating func take(_ text: String, key: String) {
        guard !text.isEmpty else { return }
        switch key {
        case "com.apple.quicktime.creationdate": created = created ?? Moment(text)
        case "com.apple.quicktime.content.identifier": contentIdentifier = contentIdentifier ?? text
        case "com.apple.quicktime.location.ISO6709": location = location ?? PictureFacts.Location(iso6709: text)
        case "com.apple.quicktime.make", "com.android.manufacturer": camera.make = camera.make ?? text
        case "com.apple.quicktime.model", "com.android.model": camera.model = camera.model ?? text
        default: break
        }
    }

    private mutating func take(_ text: String, type: FourCC) {
        guard !text.isEmpty else { return }
        switch type {
        case Self.dayType: day = day ?? Moment(text)
        case Self.placeType: location = location ?? PictureFacts.Location(iso6709: text)
        case Self.makeType: camera.make = camera.make ?? text
        case Self.modelType: camera.model = camera.model ?? text
        default: break
        }
    }

    // Box types whose first byte is © in MacRoman.
    private static let dayType = FourCC(copyright: "day")
    private static let placeType = FourCC(copyright: "xyz")
    private static let makeType = FourCC(copyright: "mak")
    private static let modelType = FourCC(copyright: "mod")

    private static func isText(_ type: FourCC) -> Bool { [dayType, placeType, makeType, modelType].contains(type) }

    private static func text(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: bytes, as: UTF8.self).cleaned
    }

    /// Returns the text of a user data box. The box contains a length, a language and the text, or a `data` box as iTunes writes it.
    private static func userText(_ bytes: [UInt8]) -> String? {
        var reader = ByteReader(bytes)
        if bytes.dropFirst(4).starts(with: "data".utf8) {
            guard let length = reader.number(4, bigEndian: true), length > 16 else { return nil }
            return text(bytes.prefix(length).dropFirst(16))
        }
        guard let length = reader.number(2, bigEndian: true), reader.skip(2) else { return nil }
        return text(bytes.dropFirst(4).prefix(length))
    }

    /// Returns the place in a `loci`. Returns `nil` if the box is cut off, and for 0, 0.
    private static func place(_ bytes: [UInt8]) -> PictureFacts.Location? {
        var reader = ByteReader(bytes)
        // Skips a version and the language of the name.
        guard reader.skip(6) else { return nil }
        // The name is UTF-8, or UTF-16 if it begins with a byte order mark.
        let width = reader.starts(with: [0xFE, 0xFF]) ? 2 : 1
        while true {
            guard let unit = reader.number(width, bigEndian: true) else { return nil }
            if unit == 0 { break }
        }
        func fixed() -> Double? {
            reader.number(4, bigEndian: true).map { Double(Int32(truncatingIfNeeded: $0)) / 65_536 }
        }
        // Skips the role of the place.
        guard reader.skip(1), let longitude = fixed(), let latitude = fixed() else { return nil }
        return PictureFacts.Location(found: latitude, longitude, altitude: fixed())
    }

    /// Returns the names of the metadata keys. Values refer to a key by its number, starting at 1.
    private static func keys(_ bytes: [UInt8]) -> [String] {
        var reader = ByteReader(bytes)
        var names: [String] = []
        guard reader.skip(4), let count = reader.number(4, bigEndian: true) else { return [] }
        while names.count < min(count, maximumKeys) {
            guard let length = reader.number(4, bigEndian: true), length >= 8, reader.skip(4),
                let name = reader.range(length - 8)
            else { break }
            names.append(String(decoding: bytes[name], as: UTF8.self))
        }
        return names
    }
}
