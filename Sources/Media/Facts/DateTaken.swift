/// When a picture was taken: the local time at that place, as the camera wrote it.
public struct DateTaken: Sendable, Hashable {
    public static let years = 1900...2099

    public var year: Int
    /// 1 ... 12.
    public var month: Int
    /// 1 ... 31, and never more than the month has days.
    public var day: Int
    public var hour: Int
    public var minute: Int
    public var second: Int
    public var millisecond: Int
    /// Minutes by which the clock was ahead of UTC, -840 ... 840. `nil` if unknown.
    public var offset: Int?

    /// Seconds of local time since 1970-01-01 00:00. Pictures are sorted and grouped by this value.
    public var wallSeconds: Int64 {
        // Counts the days by Howard Hinnant's `days_from_civil` (https://howardhinnant.github.io/date_algorithms.html).
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        return Int64(days * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    /// Reads `2019:07:12 14:03:22` (CIPA DC-008, 4.6.6.2) and the variants that programs write: `2019:7:12  4:03`, `2019/07/12`,
    /// `2019-07-12T14:03:22.25+02:00`. A missing or blank time counts as midnight.
    ///
    /// - Parameters:
    ///   - fraction: digits of the fraction of a second. Spaces may follow. They take precedence over a fraction in the text.
    ///   - offset: offset such as `+02:00`. It takes precedence over an offset in the text.
    /// - Returns: `nil` for zeros, blanks, a year or a month only, and days or years that do not exist.
    package init?(exif time: String, fraction: String? = nil, offset: String? = nil) {
        var rest = Array(time.utf8)[...]
        func number(_ maximum: Int) -> Int? {
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            let digits = rest.prefix(maximum).prefix(while: Self.isDigit)
            rest = rest.dropFirst(digits.count)
            return digits.isEmpty ? nil : Self.number(digits)
        }
        func has(_ separators: String) -> Bool {
            guard let first = rest.first, separators.utf8.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        guard let year = number(4), has(":-/."), let month = number(2), has(":-/."), let day = number(2) else {
            return nil
        }
        var (hour, minute, second, millisecond) = (0, 0, 0, 0)
        if rest.contains(where: Self.isDigit) {
            guard has(" T:-"), let hours = number(2), has(":."), let minutes = number(2), 0...24 ~= hours else {
                return nil
            }
            // Some phones count the hours from 1 to 24. The date of a time in hour 24 is already the new day's.
            (hour, minute) = (hours % 24, minutes)
            if has(":.") {
                guard let seconds = number(2), 0...60 ~= seconds else { return nil }
                second = min(seconds, 59)
            }
            if has(".") {
                let digits = rest.prefix(while: Self.isDigit)
                rest = rest.dropFirst(digits.count)
                millisecond = Self.milliseconds(digits)
            }
        }
        if let fraction {
            let digits = fraction.utf8.prefix(while: Self.isDigit)
            if !digits.isEmpty { millisecond = Self.milliseconds(Array(digits)[...]) }
        }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond,
            offset: offset.flatMap(Self.minutes) ?? Self.zone(rest))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Converts the digits of a fraction to thousandths.
    static func milliseconds(_ digits: ArraySlice<UInt8>) -> Int {
        number((Array(digits.prefix(3)) + [0x30, 0x30, 0x30])[0..<3]) ?? 0
    }

    /// Parses the offset after a time, in minutes: `Z` or `+02:00`. A space may precede the offset.
    static func zone(_ text: ArraySlice<UInt8>) -> Int? {
        let zone = String(decoding: text.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        return zone == "Z" ? 0 : minutes(zone)
    }

    /// Parses an offset such as `+02:00` or `-03:30`, in minutes.
    static func minutes(_ text: String) -> Int? {
        let parts = Array(text.utf8)
        guard parts.count == 6, parts[0] == UInt8(ascii: "+") || parts[0] == UInt8(ascii: "-"),
            parts[3] == UInt8(ascii: ":"), let hours = number(parts[1...2]), let minutes = number(parts[4...5]),
            minutes < 60, hours * 60 + minutes <= 14 * 60
        else { return nil }
        return (parts[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
    }

    /// Parses a number, or returns `nil` if a character is not a digit.
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
