import PhotoFacts

/// Puts sorted items into the sections of an arrangement; inside a section they keep their order.
struct Grouping {
    private let title: String
    private let group: Arrangement.Group
    private let taken: [Int64]
    /// Titles of the groups, by number, in the order in which they are shown.
    private var titles: [String] = []
    /// The group's number of each original item's folder, or day.
    private var numbers: [UInt32] = []
    private var folders: [UInt32] = []
    private var firstDay = 0

    /// - Parameters:
    ///   - taken: ``FactColumns/taken`` of each item.
    ///   - folders: the section of each item; only asked for where items are grouped by it.
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
            // The newest first, unless the pictures themselves are asked for the other way round.
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

    /// Gives each day from the first to the last a group, so that no item's date need be taken apart.
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

    /// Days since 1970; `nil` where the date is not known. What no calendar here has is the first or the last day that one has.
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
