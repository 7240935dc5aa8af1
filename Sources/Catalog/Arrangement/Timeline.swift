import PhotoFacts

/// The months of a catalogue whose items stand in the order of their dates, and where each begins.
public struct Timeline: Sendable, Equatable {
    public struct Month: Sendable, Equatable {
        public var year: Int
        /// 1 ... 12.
        public var month: Int
        /// Its first item.
        public var from: Int
        public var count: Int

        /// `2019-07`
        public var name: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }
    }

    /// Those that have items, in the order of the items.
    public private(set) var months: [Month] = []
    /// The items at the end whose dates are not known.
    public private(set) var undated = 0..<0

    /// - Parameter taken: ``FactColumns/taken`` of each item.
    /// - Returns: `nil` where the items do not stand in the order of their months, one way or the other.
    public init?(taken: some Sequence<Int64>) {
        var count = 0
        var firstUndated: Int?
        // The month of the last item; most items share it.
        var range: Range<Int64> = 0..<0
        for seconds in taken {
            defer { count += 1 }
            guard seconds != FactColumns.undated else {
                firstUndated = firstUndated ?? count
                continue
            }
            if firstUndated != nil { return nil }
            if !range.contains(seconds) {
                let date = DateTaken(wallSeconds: seconds)
                range = WallPeriod.month(date.year, date.month)..<WallPeriod.month(date.year, date.month + 1)
                if months.last?.year != date.year || months.last?.month != date.month {
                    months.append(Month(year: date.year, month: date.month, from: count, count: 0))
                    guard isInOrder else { return nil }
                }
            }
            months[months.count - 1].count += 1
        }
        undated = (firstUndated ?? count)..<count
    }

    /// Whether the last month goes on in the direction of those before it.
    private var isInOrder: Bool {
        guard months.count > 2 else { return true }
        let last = months.suffix(2).map { $0.year * 12 + $0.month }
        return (last[0] < last[1]) == (months[0].year * 12 + months[0].month < months[1].year * 12 + months[1].month)
    }
}

extension Catalog {
    /// The months of the catalogue; `nil` where its items do not stand in the order of their dates. Looks at every item's
    /// date.
    public var timeline: Timeline? {
        if let arranged = items as? ArrangedItems { return Timeline(taken: arranged.taken) }
        let taken = factColumns?.taken ?? []
        return Timeline(taken: taken.isEmpty ? Array(repeating: FactColumns.undated, count: itemCount) : taken)
    }
}
