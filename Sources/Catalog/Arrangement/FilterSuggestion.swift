import Media

/// Part of a filter that a typed text may mean, such as the camera for "canon".
public struct FilterSuggestion: Sendable, Equatable {
    public enum Kind: String, Sendable, CaseIterable { case year, month, camera, lens }

    public let kind: Kind
    /// `2019`, `2019-07`, or the whole name of a camera or lens.
    public let value: String
    /// Number of items that the filter shows, at least 1.
    public let count: Int
}

/// The years, months, cameras and lenses of a catalogue, with the number of items of each.
struct FilterTally {
    /// Maximum number of suggestions of one kind.
    private static let maximum = 3

    private enum Meaning {
        case year(Int)
        case month(Int, Int)
        /// Name in the form of ``SearchText``.
        case name([UInt8])
    }

    private typealias Candidate = (suggestion: FilterSuggestion, meaning: Meaning)

    private let candidates: [Candidate]

    init(_ columns: FactColumns) {
        let months = Self.months(columns.taken)
        let years = Dictionary(grouping: months, by: \.year).mapValues { $0.reduce(0) { $0 + $1.count } }
        var candidates: [Candidate] = []
        for (year, count) in years.sorted(by: { $0.key > $1.key }) {
            candidates.append((FilterSuggestion(kind: .year, value: "\(year)", count: count), .year(year)))
        }
        for month in months.sorted(by: { ($0.year, $0.month) > ($1.year, $1.month) }) {
            let suggestion = FilterSuggestion(kind: .month, value: month.name, count: month.count)
            candidates.append((suggestion, .month(month.year, month.month)))
        }
        candidates += Self.candidates(.camera, columns.camera, columns.cameras)
        candidates += Self.candidates(.lens, columns.lens, columns.lenses)
        self.candidates = candidates
    }

    /// Returns the candidates that match every term of a text. A search for the text shows all pictures of such a candidate. Dates are
    /// first, the latest before the others. Names follow, the most frequent first. Returns at most three of each kind.
    func suggestions(for text: String) -> [FilterSuggestion] {
        let terms = SearchTerm.terms(text)
        guard !terms.isEmpty else { return [] }
        let words = terms.flatMap(\.words).map { SearchWord($0) }
        var counts: [FilterSuggestion.Kind: Int] = [:]
        var found: [FilterSuggestion] = []
        for (suggestion, meaning) in candidates where counts[suggestion.kind, default: 0] < Self.maximum {
            let isMeant =
                switch meaning {
                case .year(let year): terms.allSatisfy { $0.dates.contains { $0.containsYear(year) } }
                case .month(let year, let month):
                    terms.allSatisfy { $0.dates.contains { $0.containsMonth(year, month) } }
                case .name(let name): words.allSatisfy { $0.isIn(name) }
                }
            guard isMeant else { continue }
            counts[suggestion.kind, default: 0] += 1
            found.append(suggestion)
        }
        return found
    }

    /// Returns names with the number of items that a filter for the name shows. The filter also shows longer names that contain the name:
    /// "EOS R" includes "EOS R5".
    private static func candidates(
        _ kind: FilterSuggestion.Kind, _ column: [UInt16], _ names: [String]
    ) -> [Candidate] {
        var counts = [Int](repeating: 0, count: names.count)
        for number in column where Int(number) < counts.count { counts[Int(number)] += 1 }
        let folded = names.map(SearchText.folded)
        return names.indices.filter { !names[$0].isEmpty && counts[$0] > 0 }
            .map { index -> Candidate in
                let word = SearchWord(folded[index])
                let count = names.indices.reduce(0) { $0 + (word.isIn(folded[$1]) ? counts[$1] : 0) }
                return (FilterSuggestion(kind: kind, value: names[index], count: count), .name(folded[index]))
            }
            .sorted { $0.suggestion.count > $1.suggestion.count }
    }

    /// Returns the months that have items, in no particular order.
    private static func months(_ taken: [Int64]) -> [Timeline.Month] {
        var counts: [Int64: Timeline.Month] = [:]
        // The month of the previous item. Most items are in the same month.
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
