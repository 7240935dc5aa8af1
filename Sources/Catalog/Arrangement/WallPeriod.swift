import Media

/// A year, month, day or moment as written in a filter: `2019`, `2019-07`, `2019-07-12` or `2019-07-12T14:03:22`.
public struct WallPeriod: Sendable, Hashable {
    /// The period as it was written.
    public let text: String
    /// Wall clock seconds since 1970 (``DateTaken/wallSeconds``), including both ends.
    public let seconds: ClosedRange<Int64>

    /// - Returns: `nil` for other formats and for days that do not exist.
    public init?(_ text: String) {
        let halves = text.split(separator: "T", omittingEmptySubsequences: false)
        guard let date = halves.first, halves.count <= 2,
            let day = Self.numbers(date, separator: "-", lengths: [4, 2, 2])
        else { return nil }
        var time = [0, 0, 0]
        if halves.count == 2 {
            guard day.count == 3, let read = Self.numbers(halves[1], separator: ":", lengths: [2, 2, 2]),
                read.count == 3
            else { return nil }
            time = read
        }
        guard
            let first = DateTaken(
                year: day[0], month: day.count > 1 ? day[1] : 1, day: day.count > 2 ? day[2] : 1, hour: time[0],
                minute: time[1], second: time[2])
        else { return nil }
        self.text = text
        let from = first.wallSeconds
        switch (day.count, halves.count) {
        case (1, _): seconds = from...Self.month(first.year + 1, 1) - 1
        case (2, _): seconds = from...Self.month(first.year, first.month + 1) - 1
        case (_, 1): seconds = from...from + 86_399
        default: seconds = from...from
        }
    }

    /// Returns the first second of a month. Month 13 is January of the next year.
    static func month(_ year: Int, _ month: Int) -> Int64 {
        var first = DateTaken(wallSeconds: 0)
        (first.year, first.month) = month > 12 ? (year + 1, month - 12) : (year, month)
        return first.wallSeconds
    }

    /// Parses one or more numbers. Each must have exactly the given number of digits.
    private static func numbers(_ text: Substring, separator: Character, lengths: [Int]) -> [Int]? {
        let parts = text.split(separator: separator, omittingEmptySubsequences: false)
        guard parts.count <= lengths.count else { return nil }
        var numbers: [Int] = []
        for (part, length) in zip(parts, lengths) {
            guard part.utf8.count == length, part.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = Int(part) else {
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }
}
