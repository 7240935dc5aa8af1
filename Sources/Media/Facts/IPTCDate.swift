/// Reads from a picture's IPTC when the picture was created (IPTC-NAA Information Interchange Model 4.2, 6).
enum IPTCDate {
    /// First bytes of a JPEG segment that contains Photoshop resources.
    static let photoshop = Array("Photoshop 3.0\0".utf8)

    /// - Parameter range: range of the data sets.
    static func read(_ bytes: [UInt8], _ range: Range<Int>) -> DateTaken? {
        var reader = ByteReader(bytes, range: range.clamped(to: bytes.indices))
        var texts: [Int: String] = [:]
        while true {
            guard reader.byte() == 0x1C, let record = reader.byte(), let number = reader.byte(),
                let length = reader.number(2, bigEndian: true), let value = reader.range(length)
            else { break }
            // A length that does not fit two bytes is encoded differently. A date never needs such a length.
            if record == 2, length <= 32, texts[Int(number)] == nil {
                texts[Int(number)] = String(decoding: bytes[value], as: UTF8.self)
            }
        }
        // The date of creation, otherwise the date of the scan.
        return date(texts[55], texts[60]) ?? date(texts[62], texts[63])
    }

    /// Reads a JPEG segment of Photoshop resources (Adobe Photoshop File Formats, Image Resource Blocks).
    static func read(photoshop bytes: [UInt8], _ segment: Range<Int>) -> DateTaken? {
        guard bytes[segment].starts(with: photoshop) else { return nil }
        return read(resources: bytes, segment.dropFirst(photoshop.count))
    }

    static func read(resources bytes: [UInt8], _ range: Range<Int>) -> DateTaken? {
        var reader = ByteReader(bytes, range: range)
        while true {
            guard reader.tag() == "8BIM", let number = reader.number(2, bigEndian: true), let title = reader.byte(),
                reader.skip(Int(title) + (title % 2 == 0 ? 1 : 0)), let length = reader.number(4, bigEndian: true),
                let data = reader.range(length)
            else { return nil }
            if number == 0x0404 { return read(bytes, data) }
            if length % 2 == 1, !reader.skip(1) { return nil }
        }
    }

    /// Parses `20190712` and `140322+0200`, or `2019-07-12` and `14:03:22+02:00` as some agencies write them. The time may be missing.
    private static func date(_ day: String?, _ time: String?) -> DateTaken? {
        let day = (day ?? "").filter { $0 != "-" }
        guard day.utf8.count == 8 else { return nil }
        func number(_ text: String, _ from: Int, _ count: Int) -> Int? {
            let digits = Array(text.utf8.dropFirst(from).prefix(count))
            return digits.count == count ? DateTaken.number(digits[...]) : nil
        }
        guard let year = number(day, 0, 4), let month = number(day, 4, 2), let date = number(day, 6, 2) else {
            return nil
        }
        let time = (time ?? "").filter { $0 != ":" }
        guard let hour = number(time, 0, 2), let minute = number(time, 2, 2), let second = number(time, 4, 2) else {
            return DateTaken(year: year, month: month, day: date)
        }
        let zone = time.dropFirst(6)
        let offset = zone.count == 5 ? DateTaken.minutes("\(zone.prefix(3)):\(zone.suffix(2))") : nil
        return DateTaken(
            year: year, month: month, day: date, hour: hour, minute: minute, second: min(second, 59), offset: offset)
    }
}
