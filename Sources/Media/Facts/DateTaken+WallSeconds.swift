import Numbers

extension DateTaken {
    /// Creates the local time for a value of ``wallSeconds``, without an offset. A value outside ``years`` gives the nearest time inside.
    public init(wallSeconds: Int64) {
        let seconds = min(max(wallSeconds, Self.first), Self.last)
        let day = Int(clamping: (Double(seconds) / 86_400).rounded(.down))
        let second = Int(seconds) - day * 86_400
        let (year, month, dayOfMonth) = Self.civil(day)
        self.init(
            year: year, month: month, day: dayOfMonth, hour: second / 3_600, minute: second / 60 % 60,
            second: second % 60)
    }

    /// - Returns: `nil` if a value is out of its range, or the time is outside ``years``.
    public init?(wallSeconds: Int64, millisecond: Int, offset: Int?) {
        self.init(wallSeconds: wallSeconds)
        guard self.wallSeconds == wallSeconds, 0...999 ~= millisecond, -840...840 ~= offset ?? 0 else { return nil }
        (self.millisecond, self.offset) = (millisecond, offset)
    }

    /// Converts a time in UTC to local time.
    ///
    /// - Parameter minutes: minutes by which the local time is ahead of UTC.
    /// - Returns: the date unchanged if the local time is outside ``years``.
    package func local(_ minutes: Int) -> DateTaken {
        DateTaken(wallSeconds: wallSeconds + Int64(minutes) * 60, millisecond: millisecond, offset: minutes) ?? self
    }

    private init(year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int) {
        (self.year, self.month, self.day) = (year, month, day)
        (self.hour, self.minute, self.second) = (hour, minute, second)
        millisecond = 0
        offset = nil
    }

    private static let first = DateTaken(
        year: years.lowerBound, month: 1, day: 1, hour: 0, minute: 0, second: 0
    ).wallSeconds
    private static let last = DateTaken(
        year: years.upperBound, month: 12, day: 31, hour: 23, minute: 59, second: 59
    ).wallSeconds

    /// Returns the date of a day number since 1970-01-01, by Howard Hinnant's `civil_from_days`
    /// (https://howardhinnant.github.io/date_algorithms.html).
    private static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
