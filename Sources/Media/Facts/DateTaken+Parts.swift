extension DateTaken {
    /// - Returns: `nil` if a value is out of its range.
    public init?(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0,
        offset: Int? = nil
    ) {
        guard Self.years ~= year, 1...12 ~= month, 1...Self.days(of: month, in: year) ~= day, 0...23 ~= hour,
            0...59 ~= minute, 0...59 ~= second, 0...999 ~= millisecond, -840...840 ~= offset ?? 0
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second, self.millisecond) = (hour, minute, second, millisecond)
        self.offset = offset
    }

    /// Reads `2019-07-12T14:03:22.25+02:00` (ISO 8601, as XMP writes it). Everything after the day may be missing. Some programs write a
    /// space instead of the `T` and before the time zone.
    package init?(iso text: String) {
        let bytes = Array(text.utf8)
        func number(_ from: Int, _ count: Int) -> Int? {
            from + count <= bytes.count ? Self.number(bytes[from..<from + count]) : nil
        }
        func has(_ character: Unicode.Scalar, at place: Int) -> Bool {
            place < bytes.count && bytes[place] == UInt8(ascii: character)
        }
        guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7),
            let day = number(8, 2)
        else { return nil }
        var (hour, minute, second, millisecond) = (0, 0, 0, 0)
        var offset: Int?
        if has("T", at: 10) || has(" ", at: 10), let hours = number(11, 2), has(":", at: 13),
            let minutes = number(14, 2)
        {
            (hour, minute) = (hours, minutes)
            var place = 16
            if has(":", at: place), let seconds = number(place + 1, 2) {
                second = min(seconds, 59)
                place += 3
            }
            if has(".", at: place) {
                let digits = bytes[(place + 1)...].prefix { 0x30...0x39 ~= $0 }
                millisecond = Self.milliseconds(digits)
                place += 1 + digits.count
            }
            offset = Self.zone(bytes[min(place, bytes.count)...])
        }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond,
            offset: offset)
    }

    /// The local time, as `2019-07-12T14:03:22.25`.
    public var text: String {
        let time = [hour, minute, second].map { Self.padded($0, 2) }.joined(separator: ":")
        let day = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(self.day, 2))"
        var fraction = millisecond == 0 ? "" : "." + Self.padded(millisecond, 3)
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(day)T\(time)\(fraction)"
    }

    /// The offset as `+02:00`, or `nil` if it is unknown.
    public var offsetText: String? {
        offset.map { minutes in
            "\(minutes < 0 ? "-" : "+")\(Self.padded(abs(minutes) / 60, 2)):\(Self.padded(abs(minutes) % 60, 2))"
        }
    }

    private static func padded(_ value: Int, _ count: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
