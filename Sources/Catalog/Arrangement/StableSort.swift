/// Sorts by whole numbers with a radix sort. A million items take a few milliseconds. Items with equal keys keep their order.
package enum StableSort {
    private static let digitBits = 11

    private struct Entry<Key> {
        var key: Key
        var item: UInt32
    }

    /// Returns the items in ascending order of their keys. There must be one key for each item.
    package static func sorted<Key: FixedWidthInteger & UnsignedInteger>(_ items: [UInt32], by keys: [Key]) -> [UInt32]
    {
        guard let minimum = keys.min(), let maximum = keys.max(), minimum < maximum else { return items }
        // Dates of one century differ only in their last 32 bits, so they need three digits instead of six.
        var entries = zip(items, keys).map { Entry(key: $1 - minimum, item: $0) }
        var spare = entries
        var places = [Int](repeating: 0, count: 1 << digitBits)
        let mask = Key(truncatingIfNeeded: places.count - 1)
        for start in stride(from: 0, to: Key.bitWidth - (maximum - minimum).leadingZeroBitCount, by: digitBits) {
            let shift = Key(start)
            for digit in places.indices { places[digit] = 0 }
            for entry in entries { places[Int(truncatingIfNeeded: entry.key &>> shift & mask)] += 1 }
            if places.contains(entries.count) { continue }
            var next = 0
            for digit in places.indices { (places[digit], next) = (next, next + places[digit]) }
            for entry in entries {
                let digit = Int(truncatingIfNeeded: entry.key &>> shift & mask)
                spare[places[digit]] = entry
                places[digit] += 1
            }
            swap(&entries, &spare)
        }
        return entries.map(\.item)
    }

    /// Sorts by keys of 16 bytes. Leaves out bits that are equal in all keys: file names from one camera differ only in the low bits of a
    /// few digits.
    package static func sorted(_ items: [UInt32], byVaryingBitsOf keys: [UInt128]) -> [UInt32] {
        guard let first = keys.first else { return items }
        let varying = keys.reduce(0) { $0 | ($1 ^ first) }
        let runs = BitRun.all(in: varying)
        if varying.nonzeroBitCount <= 64 { return sorted(items, by: keys.map { BitRun.packed($0, runs) as UInt64 }) }
        return sorted(items, by: keys.map { BitRun.packed($0, runs) as UInt128 })
    }

    /// - Parameter count: number of groups. Group numbers must be smaller.
    static func grouped(_ items: [UInt32], by groups: [UInt32], count: Int) -> (items: [UInt32], counts: [Int]) {
        var counts = [Int](repeating: 0, count: count)
        for group in groups { counts[Int(group)] += 1 }
        var places: [Int] = []
        places.reserveCapacity(count)
        var start = 0
        for count in counts {
            places.append(start)
            start += count
        }
        var result = items
        for (item, group) in zip(items, groups) {
            result[places[Int(group)]] = item
            places[Int(group)] += 1
        }
        return (result, counts)
    }
}

private struct BitRun {
    let shift: UInt128
    let width: UInt8
    let mask: UInt128

    /// Returns the runs of ones in a number, the highest run first.
    static func all(in number: UInt128) -> [BitRun] {
        var runs: [BitRun] = []
        var rest = number
        while rest != 0 {
            let shift = rest.trailingZeroBitCount
            let width = (~(rest >> shift)).trailingZeroBitCount
            let mask: UInt128 = width == UInt128.bitWidth ? .max : (1 << width) - 1
            runs.append(BitRun(shift: UInt128(shift), width: UInt8(width), mask: mask))
            rest &= ~(mask << shift)
        }
        return runs.reversed()
    }

    /// Returns the bits of all runs, joined without gaps.
    static func packed<Packed: FixedWidthInteger>(_ key: UInt128, _ runs: [BitRun]) -> Packed {
        var packed: Packed = 0
        for run in runs {
            packed = packed &<< Packed(run.width) | Packed(truncatingIfNeeded: key &>> run.shift & run.mask)
        }
        return packed
    }
}
