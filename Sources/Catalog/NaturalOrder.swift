/// The order in which people count: `img2` before `img10`, whatever the case of the letters.
///
/// A name is compared by its key: ASCII letters folded to lower case, and each run of digits replaced by `0`, the
/// number of its digits without leading zeros, and those digits. Lexicographic order of the keys is then natural order.
/// Names with the same key (`a1` and `a01`, `A` and `a`) are ordered by their bytes, so that the order is total.
public enum NaturalOrder {
    public static func areInIncreasingOrder(_ a: String, _ b: String) -> Bool {
        var (a, b) = (a, b)
        return a.withUTF8 { a in b.withUTF8 { b in precedes(a, b) } }
    }

    static func precedes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        var (keyA, keyB) = (NaturalKey(a), NaturalKey(b))
        while true {
            switch (keyA.next(), keyB.next()) {
            case (nil, nil): return a.lexicographicallyPrecedes(b)
            case (nil, _): return true
            case (_, nil): return false
            case (let x?, let y?): if x != y { return x < y }
            }
        }
    }

    /// The positions of the names in order: `result[0]` is the index of the first.
    static func sorted(_ names: TextColumn) -> [UInt32] {
        names.bytes.withUnsafeBufferPointer { bytes in
            func name(_ index: UInt32) -> UnsafeBufferPointer<UInt8> {
                UnsafeBufferPointer(rebasing: bytes[names.range(Int(index))])
            }
            var entries = (0..<UInt32(names.count)).map { SortEntry(index: $0, name: name($0)) }
            entries.sort { a, b in
                if a.head != b.head { return a.head < b.head }
                if a.tail != b.tail { return a.tail < b.tail }
                return precedes(name(a.index), name(b.index))
            }
            return entries.map(\.index)
        }
    }

    /// A name in a sort, with the first 16 bytes of its key as two big-endian words: nearly all comparisons end there.
    private struct SortEntry {
        var head: UInt64 = 0
        var tail: UInt64 = 0
        var index: UInt32

        init(index: UInt32, name: UnsafeBufferPointer<UInt8>) {
            self.index = index
            var key = NaturalKey(name)
            for _ in 0..<8 { head = head << 8 | UInt64(key.next() ?? 0) }
            for _ in 0..<8 { tail = tail << 8 | UInt64(key.next() ?? 0) }
        }
    }
}

/// The bytes of a name's key, one after the other.
private struct NaturalKey {
    /// Digits in one run; the rest of a longer one counts as a run of its own.
    private static let maxRun = 255

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// Inside a run of digits: where it ends. Its length is still to be given while `owesLength`.
    private var runEnd = 0
    private var owesLength = false

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    mutating func next() -> UInt8? {
        if owesLength {
            owesLength = false
            return UInt8(runEnd - position)
        }
        guard position < bytes.count else { return nil }
        let byte = bytes[position]
        if position < runEnd {
            position += 1
            return byte
        }
        if isDigit(byte) {
            while position < bytes.count, bytes[position] == UInt8(ascii: "0") { position += 1 }
            runEnd = position
            while runEnd < bytes.count, runEnd - position < Self.maxRun, isDigit(bytes[runEnd]) { runEnd += 1 }
            owesLength = true
            return UInt8(ascii: "0")
        }
        position += 1
        return byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}
