/// The items of each section, as the flat index at which each begins.
struct SectionTable: Sendable {
    /// The first item of each section, ascending, and one past the last item at the end.
    let starts: [Int]

    /// Sections that overlap, leave gaps or run backwards are mended: each begins where its range says, but never
    /// before the one above it, and reaches to the next; the first begins at 0.
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

    /// Sections of so many items each, one after the other. A negative number counts as 0, and what is above a hundred
    /// million items altogether is left out.
    init(counts: [Int]) {
        let most = 100_000_000
        starts = counts.reduce(into: [0]) { starts, count in
            let last = starts[starts.count - 1]
            starts.append(last + Swift.min(Swift.max(0, count), most - last))
        }
    }

    /// The items of each section.
    var ranges: [Range<Int>] { (0..<count).map(items(of:)) }

    var count: Int { starts.count - 1 }

    var itemCount: Int { count == 0 ? 0 : starts[count] }

    func items(of section: Int) -> Range<Int> { starts[section]..<starts[section + 1] }

    /// The section that holds `item`, which must be 0 ..< `itemCount`.
    func section(of item: Int) -> Int { starts.lastIndex(notAbove: item, upTo: count) }
}

extension Array where Element: Comparable {
    /// The last index in 0 ..< `end` whose element is not above `value`, or 0; the elements ascend. O(log n).
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
