/// When a picture was taken: the time on the wall where it was, as its camera wrote it.
public struct DateTaken: Sendable, Hashable {
    /// Years that are believed.
    public static let years = 1900...2099

    public var year: Int
    /// 1 ... 12.
    public var month: Int
    /// 1 ... 31, one that the month has.
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int
    public var millisecond: Int
    /// Minutes that the clock was ahead of UTC, -840 ... 840, where the camera says so.
    public var offset: Int?

    /// Seconds on the wall since 1970-01-01 00:00: what pictures are sorted and grouped by.
    public var wallSeconds: Int64 {
        // Days by Howard Hinnant's `days_from_civil` (https://howardhinnant.github.io/date_algorithms.html).
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    /// Reads `2019:07:12 14:03:22` (CIPA DC-008, 4.6.6.2).
    ///
    /// - Parameters:
    ///   - fraction: the digits behind the seconds, which may be followed by spaces.
    ///   - offset: `+02:00`.
    /// - Returns: `nil` for zeros, blanks, and days and years that are none.
    package init?(exif time: String, fraction: String? = nil, offset: String? = nil) {
        let parts = Array(time.utf8)
        guard parts.count >= 19 else { return nil }
        func number(_ from: Int, _ count: Int) -> Int? { Self.number(parts[from..<from + count]) }
        guard let year = number(0, 4), let month = number(5, 2), let day = number(8, 2), let hour = number(11, 2),
            let minute = number(14, 2), let second = number(17, 2), Self.years ~= year, 1...12 ~= month,
            1...Self.days(of: month, in: year) ~= day, 0...23 ~= hour, 0...59 ~= minute, 0...60 ~= second
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, min(second, 59))
        let digits = Array((fraction ?? "").utf8.prefix { 0x30...0x39 ~= $0 }.prefix(3))
        millisecond = Self.number((digits + [0x30, 0x30, 0x30])[0..<3]) ?? 0
        self.offset = offset.flatMap(Self.minutes)
    }

    /// Minutes of `+02:00` and `-03:30`.
    static func minutes(_ text: String) -> Int? {
        let parts = Array(text.utf8)
        guard parts.count == 6, parts[0] == UInt8(ascii: "+") || parts[0] == UInt8(ascii: "-"),
            parts[3] == UInt8(ascii: ":"), let hours = number(parts[1...2]), let minutes = number(parts[4...5]),
            minutes < 60, hours * 60 + minutes <= 14 * 60
        else { return nil }
        return (parts[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    /// Digits and nothing else.
    static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(0 as Int?) { value, digit in
            value.flatMap { 0x30...0x39 ~= digit ? $0 * 10 + Int(digit - 0x30) : nil }
        }
    }

    static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }
}
