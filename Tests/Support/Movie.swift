/// A video as a phone writes it, with the film before its header.
public struct Movie: Sendable {
    /// Creation time in `mvhd`, in seconds since 1904. 0 for none.
    public var created = 0
    /// Duration in milliseconds. 0 for none.
    public var duration = 0
    /// Apple's creation date, such as `2019-07-12T14:03:22+0200`.
    public var creationDate: String?
    public var contentIdentifier: String?
    /// Whether times use eight bytes and a version is before the metadata, as in some MP4 files.
    public var isLong = false
    /// Values of other keys, which begin with `com.apple.quicktime.`.
    public var texts: [(key: String, value: String)] = []
    public var userData: [[UInt8]] = []
    /// User data boxes of the track.
    public var trackData: [[UInt8]] = []

    public init() {}

    /// Converts seconds since 1970 to seconds since 1904.
    public static func since1904(_ seconds: Int) -> Int { seconds + 2_082_844_800 }

    public var bytes: [UInt8] {
        let time = isLong ? number(0) + number(created) : number(created)
        let length = number(1000) + (isLong ? number(0) : []) + number(duration)
        let changed = [UInt8](repeating: 0, count: isLong ? 8 : 4)
        let header = box(
            "mvhd",
            (isLong ? [1, 0, 0, 0] : [0, 0, 0, 0]) + time + changed + length + [UInt8](repeating: 0, count: 80))
        var values = [
            ("com.apple.quicktime.make", "Apple"), ("com.apple.quicktime.creationdate", creationDate),
            ("com.apple.quicktime.content.identifier", contentIdentifier),
        ].compactMap { key, value in value.map { (key, $0) } }
        for text in texts { values.append(("com.apple.quicktime.\(text.key)", text.value)) }
        let items = values.enumerated().flatMap { index, value in
            let data = box("data", number(1) + number(0) + Array(value.1.utf8))
            return number(8 + data.count) + number(index + 1) + data
        }
        let metadata =
            box("hdlr", [UInt8](repeating: 0, count: 25))
            + box("keys", number(0) + number(values.count) + values.flatMap { box("mdta", Array($0.0.utf8)) })
            + box("ilst", items)
        let movie =
            header + box("trak", boxes(trackData)) + boxes(userData)
            + box("meta", (isLong ? number(0) : []) + metadata)
        return box("ftyp", Array("qt  ".utf8)) + box("wide", []) + box("mdat", Array("film".utf8)) + box("moov", movie)
    }

    /// Returns a user data box whose name begins with `©`. It contains length, language and text, or a `data` box around the
    /// text, as iTunes writes it.
    public static func text(_ name: String, _ text: String, asData: Bool = false) -> [UInt8] {
        let movie = Movie(), text = Array(text.utf8)
        let body =
            asData
            ? movie.box("data", movie.number(1) + movie.number(0) + text)
            : movie.number(text.count << 16 | 0x15C7) + text
        return movie.number(8 + body.count) + [0xA9] + Array(name.utf8) + body
    }

    /// Returns a `meta` box of user data, as iTunes writes it.
    public static func list(_ items: [UInt8]) -> [UInt8] {
        let movie = Movie()
        return movie.box(
            "meta", movie.number(0) + movie.box("hdlr", [UInt8](repeating: 0, count: 25)) + movie.box("ilst", items))
    }

    /// Returns a `loci` box. Numbers are in 65,536ths.
    public static func place(_ latitude: Int, _ longitude: Int, _ altitude: Int, name: [UInt8]) -> [UInt8] {
        let movie = Movie()
        let place = [longitude, latitude, altitude].flatMap(movie.number)
        return movie.box("loci", movie.number(0) + [0x55, 0xC4] + name + [0] + place + Array("earth\0\0".utf8))
    }

    private func boxes(_ userData: [[UInt8]]) -> [UInt8] {
        // Four zeros may end the list.
        userData.isEmpty ? [] : box("udta", userData.flatMap(\.self) + number(0))
    }

    private func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }

    private func box(_ type: String, _ data: [UInt8]) -> [UInt8] {
        number(8 + data.count) + Array(type.utf8) + data
    }
}
