import PhotoFacts

/// A part of a filter that a typed text may mean, such as the camera for "canon".
public struct FilterSuggestion: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable { case year, month, camera, lens }

    public let kind: Kind
    /// `2019`, `2019-07`, or the whole name of a camera or lens.
    public let value: String
    /// Items that the filter shows; at least 1.
    public let count: Int
}

/// The years, months, cameras and lenses of a catalogue, and how many items each has.
struct FilterTally {
    /// Suggestions of one kind at most.
    private static let most = 3

    private let candidates: [(suggestion: FilterSuggestion, text: [UInt8])]

    init(_ columns: FactColumns) {
        let months = Self.months(columns.taken)
        let years = Dictionary(grouping: months, by: \.year).mapValues { $0.reduce(0) { $0 + $1.count } }
        candidates =
            years.sorted { $0.key > $1.key }.map { year, count in
                Self.candidate(.year, "\(year)", count, as: "\(year)")
            }
            + months.sorted { ($0.year, $0.month) > ($1.year, $1.month) }.map { month in
                let name = Self.names[month.month - 1]
                return Self.candidate(
                    .month, month.name, month.count, as: "\(name) \(month.year) \(name) \(month.name)")
            }
            + Self.candidates(.camera, columns.camera, columns.cameras)
            + Self.candidates(.lens, columns.lens, columns.lenses)
    }

    /// The candidates that have every word of a text: at the beginning of one of their words for dates, anywhere for names.
    /// Dates come first, the latest first; then names, the most frequent first; of each kind three at most.
    func suggestions(for text: String) -> [FilterSuggestion] {
        let typed = SearchText.words(text)
        guard !typed.isEmpty else { return [] }
        let anywhere = typed.map { SearchWord($0) }
        let beginnings = typed.map { SearchWord([UInt8(ascii: " ")] + $0) }
        var counts: [FilterSuggestion.Kind: Int] = [:]
        var found: [FilterSuggestion] = []
        for (suggestion, text) in candidates where counts[suggestion.kind, default: 0] < Self.most {
            let words =
                switch suggestion.kind {
                case .year, .month: beginnings
                case .camera, .lens: anywhere
                }
            guard words.allSatisfy({ $0.isIn(text) }) else { continue }
            counts[suggestion.kind, default: 0] += 1
            found.append(suggestion)
        }
        return found
    }

    private static let names = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    private static func candidate(
        _ kind: FilterSuggestion.Kind, _ value: String, _ count: Int, as text: String
    ) -> (suggestion: FilterSuggestion, text: [UInt8]) {
        (FilterSuggestion(kind: kind, value: value, count: count), SearchText.folded(" \(text)"))
    }

    /// Names by the items that a filter for them shows: also those whose names begin with it, as an EOS R and an EOS R5.
    private static func candidates(
        _ kind: FilterSuggestion.Kind, _ column: [UInt16], _ names: [String]
    ) -> [(suggestion: FilterSuggestion, text: [UInt8])] {
        var counts = [Int](repeating: 0, count: names.count)
        for number in column where Int(number) < counts.count { counts[Int(number)] += 1 }
        let folded = names.map(SearchText.folded)
        return names.indices.filter { !names[$0].isEmpty && counts[$0] > 0 }
            .map { index in
                let word = SearchWord(folded[index])
                let count = names.indices.reduce(0) { $0 + (word.isIn(folded[$1]) ? counts[$1] : 0) }
                return candidate(kind, names[index], count, as: names[index])
            }
            .sorted { $0.suggestion.count > $1.suggestion.count }
    }

    /// The months with items, in no order.
    private static func months(_ taken: [Int64]) -> [Timeline.Month] {
        var counts: [Int64: Timeline.Month] = [:]
        // The month of the last item; most items share it.
        var last = Timeline.Month(year: 0, month: 1, from: 0, count: 0)
        var range: Range<Int64> = 0..<0
        func keep() { if last.count > 0 { counts[range.lowerBound] = last } }
        for seconds in taken where seconds != FactColumns.undated {
            if !range.contains(seconds) {
                keep()
                let date = DateTaken(wallSeconds: seconds)
                range = WallPeriod.month(date.year, date.month)..<WallPeriod.month(date.year, date.month + 1)
                last =
                    counts[range.lowerBound] ?? Timeline.Month(year: date.year, month: date.month, from: 0, count: 0)
            }
            last.count += 1
        }
        keep()
        return Array(counts.values)
    }
}
