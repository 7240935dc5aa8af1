import Media

/// The months of a catalogue that is sorted by date, and the first item of each month.
public struct Timeline: Sendable, Equatable {
    public struct Month: Sendable, Equatable {
        public var year: Int
        /// Number of the month, 1 ... 12.
        public var month: Int
        /// Index of the month's first item.
        public var from: Int
        public var count: Int

        /// The month in the form `2019-07`.
        public var name: String { "\(year)-\(month < 10 ? "0" : "")\(month)" }
    }

    /// Months that have items, in the order of the items.
    public private(set) var months: [Month] = []
    /// Items without a known date, at the end.
    public private(set) var undated = 0..<0

    /// - Parameter taken: ``FactColumns/taken`` of each item.
    /// - Returns: `nil` if the items are not sorted by month, either ascending or descending.
    public init?(taken: some Sequence<Int64>) {
        var count = 0
        var firstUndated: Int?
        // The month of the previous item. Most items are in the same month.
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

    /// Whether the last month continues in the direction of the months before it.
    private var isInOrder: Bool {
        guard months.count > 2 else { return true }
        let last = months.suffix(2).map { $0.year * 12 + $0.month }
        return (last[0] < last[1]) == (months[0].year * 12 + months[0].month < months[1].year * 12 + months[1].month)
    }
}

extension Catalog {
    /// The months of the catalogue, or `nil` if its items are not sorted by date. Reads the date of every item.
    public var timeline: Timeline? {
        if let arranged = items as? ArrangedItems { return Timeline(taken: arranged.taken) }
        let taken = factColumns?.taken ?? []
        return Timeline(taken: taken.isEmpty ? Array(repeating: FactColumns.undated, count: itemCount) : taken)
    }
}
