import Media

/// Groups sorted items into the sections of an arrangement. Items keep their order inside a section.
struct Grouping {
    private let title: String
    private let group: Arrangement.Group
    private let taken: [Int64]
    /// Titles of the groups by number, in display order.
    private var titles: [String] = []
    /// Group number of each folder, or of each day from `firstDay`.
    private var numbers: [UInt32] = []
    private var folders: [UInt32] = []
    private var firstDay = 0

    /// - Parameters:
    ///   - taken: ``FactColumns/taken`` of each item.
    ///   - folders: returns the section of each item. Called only if items are grouped by folder.
    init(_ arrangement: Arrangement, of catalog: Catalog, taken: [Int64], folders: () -> [UInt32]) {
        title = catalog.title
        group = arrangement.group
        self.taken = taken
        switch group {
        case .none: break
        case .folder:
            self.folders = folders()
            titles = catalog.sections.map(\.title)
            numbers = Array(0..<UInt32(titles.count))
            if arrangement.sort == .path && arrangement.order == .descending {
                titles.reverse()
                numbers.reverse()
            }
        case .day, .month, .year:
            // The newest group is first, unless the pictures are sorted by date, oldest first.
            numberDays(isAscending: arrangement.sort == .taken && arrangement.order == .ascending)
        }
    }

    /// - Returns: the sections that have items.
    func group(_ items: inout [UInt32]) -> [Section] {
        guard !items.isEmpty else { return [] }
        guard group != .none else { return [Section(title: title, from: 0, count: items.count)] }
        let groups = items.map { number(of: Int($0)) }
        let grouped = StableSort.grouped(items, by: groups, count: titles.count)
        items = grouped.items
        var sections: [Section] = []
        var from = 0
        for (title, count) in zip(titles, grouped.counts) where count > 0 {
            sections.append(Section(title: title, from: from, count: count))
            from += count
        }
        return sections
    }

    private func number(of item: Int) -> UInt32 {
        if group == .folder { return numbers[Int(folders[item])] }
        guard taken.indices.contains(item), let day = Self.day(taken[item]) else {
            return UInt32(titles.count - 1)
        }
        return numbers[day - firstDay]
    }

    /// Assigns a group to each day from the first to the last, so that no item's date has to be split into year, month and day.
    private mutating func numberDays(isAscending: Bool) {
        var (earliest, latest) = (Int64.max, Int64.min)
        for seconds in taken where seconds != FactColumns.undated {
            earliest = min(earliest, seconds)
            latest = max(latest, seconds)
        }
        if earliest <= latest, let first = Self.day(earliest), let last = Self.day(latest) {
            firstDay = first
            for day in first...last {
                let title = Self.title(of: DateTaken(wallSeconds: Int64(day) * 86_400), by: group)
                if titles.last != title { titles.append(title) }
                numbers.append(UInt32(titles.count - 1))
            }
        }
        if !isAscending {
            titles.reverse()
            numbers = numbers.map { UInt32(titles.count - 1) - $0 }
        }
        titles.append("No date")
    }

    /// Returns the number of days since 1970, or `nil` if the date is unknown. Clamps dates outside the calendar's range to its first or
    /// last day.
    private static func day(_ seconds: Int64) -> Int? {
        guard seconds != FactColumns.undated else { return nil }
        let (days, rest) = min(max(seconds, bounds.lowerBound), bounds.upperBound).quotientAndRemainder(
            dividingBy: 86_400)
        return Int(rest < 0 ? days - 1 : days)
    }

    private static let bounds =
        DateTaken(wallSeconds: FactColumns.undated).wallSeconds...DateTaken(wallSeconds: .max).wallSeconds

    private static func title(of date: DateTaken, by group: Arrangement.Group) -> String {
        switch group {
        case .year: "\(date.year)"
        case .month: "\(months[date.month - 1]) \(date.year)"
        default: "\(date.day) \(months[date.month - 1]) \(date.year)"
        }
    }

    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
