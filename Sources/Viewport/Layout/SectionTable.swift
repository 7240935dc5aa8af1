/// Sections of items, stored as the flat index of the first item of each section.
struct SectionTable: Sendable {
    /// First item of each section, ascending, and the number of items at the end.
    let starts: [Int]

    /// Repairs sections that overlap, leave gaps or run backwards. The first section begins at 0. Each other section begins at
    /// the lower bound of its range, but never before the section above it, and reaches to the next section.
    init(_ ranges: [Range<Int>]) {
        var starts: [Int] = []
        starts.reserveCapacity(ranges.count + 1)
        var last = 0
        for (index, range) in ranges.enumerated() {
            last = index == 0 ? 0 : max(last, range.lowerBound)
            starts.append(last)
        }
        starts.append(ranges.reduce(last) { max($0, $1.upperBound) })
        self.starts = starts
    }

    /// Creates consecutive sections with these numbers of items. A negative number counts as 0. Items beyond a total of a
    /// hundred million are left out.
    init(counts: [Int]) {
        let maximum = 100_000_000
        starts = counts.reduce(into: [0]) { starts, count in
            let last = starts[starts.count - 1]
            starts.append(last + Swift.min(Swift.max(0, count), maximum - last))
        }
    }

    var ranges: [Range<Int>] { (0..<count).map(items(of:)) }

    var count: Int { starts.count - 1 }

    var itemCount: Int { count == 0 ? 0 : starts[count] }

    func items(of section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

    /// Returns the section that holds `item`, which must be in 0 ..< `itemCount`.
    func section(of item: Int) -> Int { starts.lastIndex(notAbove: item, upTo: count) }
}

extension Array where Element: Comparable {
    /// Returns the last index in 0 ..< `end` whose element is not above `value`, or 0. The elements must ascend. O(log n).
    func lastIndex(notAbove value: Element, upTo end: Int) -> Int {
        var low = 0
        var high = end
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= value { low = middle + 1 } else { high = middle }
        }
        return Swift.max(0, low - 1)
    }
}
