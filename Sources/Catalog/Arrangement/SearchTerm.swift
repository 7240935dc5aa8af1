import Media

/// Part of a search. A picture matches by the date it was taken, or by words in its name, folder, camera or lens.
struct SearchTerm {
    /// Words that a picture must all have, unless its date is one of ``dates``.
    let words: [[UInt8]]
    /// Dates that the term may mean. Empty if the term is not a date.
    var dates: [PartialDate] = []

    /// Returns the terms of a text: its words in the form of ``SearchText``, without trailing commas. A day next to a month (`12 july`,
    /// `july 12`) is one term with the month.
    static func terms(_ text: String) -> [SearchTerm] {
        let comma = UInt8(ascii: ",")
        let words = SearchText.words(text)
            .map { word in Array(word[..<((word.lastIndex { $0 != comma } ?? -1) + 1)]) }
            .filter { !$0.isEmpty }
        var terms: [SearchTerm] = []
        var index = 0
        while index < words.count {
            let word = words[index]
            let next = index + 1 < words.count ? words[index + 1] : []
            if let day = PartialDate(day: word, month: next) {
                terms.append(SearchTerm(words: [word, next], dates: [day]))
                index += 2
            } else if let day = PartialDate(day: next, month: word) {
                var term = SearchTerm(words: [word, next], dates: [day])
                // The last number may be the beginning of a year that is still being typed: "july 20".
                if index + 2 == words.count, let year = PartialDate(year: next, month: word) { term.dates.append(year) }
                terms.append(term)
                index += 2
            } else {
                let date = PartialDate(month: word) ?? PartialDate(word)
                terms.append(SearchTerm(words: [word], dates: date.map { [$0] } ?? []))
                index += 1
            }
        }
        return terms
    }
}

/// A date as a person types it, possibly incomplete: a set of years, months and days.
struct PartialDate {
    private static let allMonths: UInt32 = 0x1FFE
    private static let allDays: UInt32 = 0xFFFF_FFFE

    private var years = 0...9999
    /// One bit for each month. Bit 1 is January.
    private var months = PartialDate.allMonths
    /// One bit for each day. Bit 1 is the first day.
    private var days = PartialDate.allDays

    /// Parses the beginning of a date of at least two characters: `20`, `2019`, `2019-0`, `2019-07`, `2019-07-12`.
    init?(_ word: [UInt8]) {
        guard 2...10 ~= word.count, word.starts(with: "19".utf8) || word.starts(with: "20".utf8) else {
            return nil
        }
        for (place, byte) in word.enumerated() {
            guard place == 4 || place == 7 ? byte == UInt8(ascii: "-") : Self.isDigit(byte) else { return nil }
        }
        guard let years = Self.years(word.prefix(4)) else { return nil }
        self.years = years
        months = Self.allMonths & Self.numbers(beginningWith: word.dropFirst(5).prefix(2))
        days = Self.allDays & Self.numbers(beginningWith: word.dropFirst(8))
    }

    /// Parses the beginning of a month's name of at least two letters.
    init?(month word: [UInt8]) {
        guard word.count >= 2 else { return nil }
        months = 0
        for (index, name) in Self.names.enumerated() where name.starts(with: word) { months |= 1 << UInt32(index + 1) }
        if months == 0 { return nil }
    }

    init?(day word: [UInt8], month: [UInt8]) {
        guard 1...2 ~= word.count, word.allSatisfy(Self.isDigit) else { return nil }
        let day = word.reduce(0) { $0 * 10 + UInt32($1 - 0x30) }
        guard 1...31 ~= day else { return nil }
        self.init(month: month)
        days = 1 << day
    }

    fileprivate init?(year digits: [UInt8], month: [UInt8]) {
        guard let years = Self.years(digits[...]) else { return nil }
        self.init(month: month)
        self.years = years
    }

    func contains(_ date: DateTaken) -> Bool {
        years.contains(date.year) && months >> UInt32(date.month) & 1 == 1 && days >> UInt32(date.day) & 1 == 1
    }

    /// Returns whether every day of a year matches.
    func containsYear(_ year: Int) -> Bool {
        years.contains(year) && months == Self.allMonths && days == Self.allDays
    }

    /// Returns whether every day of a month matches.
    func containsMonth(_ year: Int, _ month: Int) -> Bool {
        years.contains(year) && months >> UInt32(month) & 1 == 1 && days == Self.allDays
    }

    private static let names = Grouping.months.map(SearchText.folded)

    private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

    /// Returns the four-digit years that begin with some digits.
    private static func years(_ digits: ArraySlice<UInt8>) -> ClosedRange<Int>? {
        guard 1...4 ~= digits.count, digits.allSatisfy(isDigit) else { return nil }
        let number = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let width = [1000, 100, 10, 1][digits.count - 1]
        return number * width...number * width + width - 1
    }

    /// Returns one bit for each number from 0 to 31 whose two digits begin with some digits.
    private static func numbers(beginningWith digits: ArraySlice<UInt8>) -> UInt32 {
        (0...31 as ClosedRange<UInt32>).reduce(0) { bits, number in
            let both = [UInt8(0x30 + number / 10), UInt8(0x30 + number % 10)]
            return both.starts(with: digits) ? bits | 1 << number : bits
        }
    }
}
