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

    /// Reads `2019:07:12 14:03:22` (CIPA DC-008, 4.6.6.2), and what programs write in its stead: `2019:7:12  4:03`, `2019/07/12`,
    /// `2019-07-12T14:03:22.25+02:00`. A time that is missing or blank counts as midnight.
    ///
    /// - Parameters:
    ///   - fraction: the digits behind the seconds, which may be followed by spaces. They go before those in the text.
    ///   - offset: `+02:00`. It goes before that in the text.
    /// - Returns: `nil` for zeros, blanks, a year or a month alone, and days and years that are none.
    package init?(exif time: String, fraction: String? = nil, offset: String? = nil) {
        var rest = Array(time.utf8)[...]
        func number(_ most: Int) -> Int? {
            rest = rest.drop { $0 == UInt8(ascii: " ") }
            let digits = rest.prefix(most).prefix(while: Self.isDigit)
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
            // Some phones count the hours from 1 to 24: that of midnight is the day's first.
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

    /// Thousandths by the digits of a fraction.
    static func milliseconds(_ digits: ArraySlice<UInt8>) -> Int {
        number((Array(digits.prefix(3)) + [0x30, 0x30, 0x30])[0..<3]) ?? 0
    }

    /// Minutes of a zone behind a time: `Z` or `+02:00`, perhaps behind a space.
    static func zone(_ text: ArraySlice<UInt8>) -> Int? {
        let zone = String(decoding: text.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)
        return zone == "Z" ? 0 : minutes(zone)
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
