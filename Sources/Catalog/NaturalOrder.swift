import Foundation

/// Natural order, in which people count and spell: `img2` before `img10`, `Émile` between `emil` and `emily`.
///
/// Names are compared by their keys. A key has letters in lower case without accents. Each run of digits is replaced by `0`, the number of
/// digits without leading zeros, and those digits. Lexicographic order of the keys is natural order. Names with the same key are ordered by
/// their accents. Names that also have the same accents (`a1` and `a01`, `A` and `a`) are ordered by their bytes, so the order is total.
public enum NaturalOrder {
    public static func areInIncreasingOrder(_ a: String, _ b: String) -> Bool {
        var (a, b) = (a, b)
        return a.withUTF8 { a in b.withUTF8 { b in precedes(a, b) } }
    }

    package static func precedes(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        var (keyA, keyB) = (NaturalKey(a), NaturalKey(b))
        while true {
            switch (keyA.next(), keyB.next()) {
            case (nil, nil): return precedesByAccents(a, b)
            case (nil, _): return true
            case (_, nil): return false
            case (let x?, let y?): if x != y { return x < y }
            }
        }
    }

    /// Orders two names with the same key.
    private static func precedesByAccents(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        if isSame(a, b) { return false }
        func spelled(_ name: UnsafeBufferPointer<UInt8>) -> [UInt8] {
            if name.allSatisfy({ $0 < 0x80 }) { return name.map(lowered) }
            return Array(String(decoding: name, as: UTF8.self).lowercased().decomposedStringWithCanonicalMapping.utf8)
        }
        let (x, y) = (spelled(a), spelled(b))
        if x != y { return x.lexicographicallyPrecedes(y) }
        return a.lexicographicallyPrecedes(b)
    }

    /// Returns whether two names are equal except for the case of ASCII letters.
    static func areAlike(_ a: some Collection<UInt8>, _ b: some Collection<UInt8>) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { lowered($0) == lowered($1) }
    }

    fileprivate static func lowered(_ byte: UInt8) -> UInt8 { byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte }

    /// Returns the positions of the names in order: `result[0]` is the index of the first name. Equal names keep their order.
    package static func sorted(_ names: TextColumn) -> [UInt32] {
        names.bytes.withUnsafeBufferPointer { bytes in
            sorted(Array(0..<UInt32(names.count)), from: 0) {
                UnsafeBufferPointer(rebasing: bytes[names.range(Int($0))])
            }
        }
    }

    /// Up to this number of names, comparing names is faster than sorting their keys.
    private static let few = 256
    /// Maximum number of key bytes used for sorting. Names whose keys are equal up to there are compared.
    private static let maximumSorted = 256

    /// Sorts by 16 bytes of the keys, then names with equal bytes by the next 16.
    private static func sorted(
        _ items: [UInt32], from place: Int, _ name: (UInt32) -> UnsafeBufferPointer<UInt8>
    ) -> [UInt32] {
        guard items.count > few, place < maximumSorted else { return compared(items, name) }
        let words = items.map { NaturalKey.word(of: name($0), at: place) }
        let order = StableSort.sorted(Array(0..<UInt32(items.count)), byVaryingBitsOf: words)
        var result: [UInt32] = []
        result.reserveCapacity(items.count)
        var start = 0
        while start < order.count {
            let word = words[Int(order[start])]
            var end = start + 1
            while end < order.count, words[Int(order[end])] == word { end += 1 }
            if end - start == 1 {
                result.append(items[Int(order[start])])
            } else {
                // Names with the same complete key differ only in case, accents or leading zeros.
                let alike = order[start..<end].map { items[Int($0)] }
                result += word & 0xFF == 0 ? compared(alike, name) : sorted(alike, from: place + 16, name)
            }
            start = end
        }
        return result
    }

    private static func isSame(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>) -> Bool {
        guard a.count == b.count else { return false }
        guard let first = a.baseAddress, let second = b.baseAddress else { return true }
        return memcmp(first, second, a.count) == 0
    }

    private static func compared(_ items: [UInt32], _ name: (UInt32) -> UnsafeBufferPointer<UInt8>) -> [UInt32] {
        // Cameras restart their numbers, so most of a million names occur in many folders.
        if let first = items.first.map(name), items.allSatisfy({ isSame(name($0), first) }) { return items }
        return items.sorted { a, b in
            let (nameA, nameB) = (name(a), name(b))
            return precedes(nameA, nameB) || !precedes(nameB, nameA) && a < b
        }
    }
}

/// Produces the bytes of a name's key one by one.
private struct NaturalKey {
    /// Maximum number of digits in one run. More digits count as a separate run.
    private static let maxRun = 255

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    /// End of the current run of digits. While `isLengthPending`, the next byte is the length of the run.
    private var runEnd = 0
    private var isLengthPending = false
    /// Bytes of a folded letter that have not been returned. The next one is the lowest byte.
    private var letter: UInt32 = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns 16 bytes of a name's key from a place on as one number. Missing bytes are zero.
    static func word(of name: UnsafeBufferPointer<UInt8>, at place: Int) -> UInt128 {
        var key = NaturalKey(name)
        for _ in 0..<place { _ = key.next() }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for _ in 0..<8 { high = high << 8 | UInt64(key.next() ?? 0) }
        for _ in 0..<8 { low = low << 8 | UInt64(key.next() ?? 0) }
        return UInt128(high) << 64 | UInt128(low)
    }

    mutating func next() -> UInt8? {
        if isLengthPending {
            isLengthPending = false
            return UInt8(runEnd - position)
        }
        if letter != 0 { return nextOfLetter() }
        while position < bytes.count, bytes[position] >= 0x80, let (scalar, length) = scalar(),
            let folded = LetterFolding.folded(scalar)
        {
            position += length
            letter = folded
            if folded != 0 { return nextOfLetter() }
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
            isLengthPending = true
            return UInt8(ascii: "0")
        }
        position += 1
        return NaturalOrder.lowered(byte)
    }

    private mutating func nextOfLetter() -> UInt8 {
        defer { letter >>= 8 }
        return UInt8(truncatingIfNeeded: letter)
    }

    /// Returns the scalar of two or three bytes at this position, or `nil` if the bytes are not such a scalar.
    private func scalar() -> (value: UInt32, length: Int)? {
        let lead = UInt32(bytes[position]), length = lead >= 0xE0 ? 3 : 2
        guard 0xC2..<0xF0 ~= lead, position + length <= bytes.count else { return nil }
        var value = length == 3 ? lead & 0x0F : lead & 0x1F
        for byte in bytes[position + 1..<position + length] {
            guard byte & 0xC0 == 0x80 else { return nil }
            value = value << 6 | UInt32(byte & 0x3F)
        }
        return value >= (length == 3 ? 0x800 : 0x80) ? (value, length) : nil
    }

    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
}

/// Removes accents from letters and makes them lower case, for sorting and searching names.
enum LetterFolding {
    /// Spellings of letters without a decomposition in Unicode, such as letters with a stroke. From CLDR's transliteration from Latin to
    /// ASCII.
    private static let spelled: [UInt32: String] = [
        0xDF: "ss", 0xE6: "ae", 0xF0: "d", 0xF8: "o", 0xFE: "th", 0x111: "d", 0x127: "h", 0x131: "i", 0x142: "l",
        0x153: "oe", 0x167: "t",
    ]

    /// The first code point of scripts without case and accents.
    private static let end: UInt32 = 0x3400

    /// For each scalar below ``end``, the UTF-8 bytes of the folded letter, with the first byte lowest. 0 for an accent.
    private static let table: [UInt32] = (0..<end).map { code in
        guard let scalar = Unicode.Scalar(code) else { return 0 }
        let own = packed(String(scalar)) ?? 0
        // In Cyrillic, и with breve is a separate letter.
        if code == 0x419 || code == 0x439 { return packed("й") ?? own }
        var folded = ""
        for part in String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars where !isAccent(part) {
            for lowered in part.properties.lowercaseMapping.unicodeScalars where !isAccent(lowered) {
                folded += spelled[lowered.value] ?? String(lowered)
            }
        }
        return packed(folded) ?? own
    }

    private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x653...0x655: true
        default: false
        }
    }

    private static func packed(_ text: String) -> UInt32? {
        guard text.utf8.count <= 4 else { return nil }
        return text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Returns the folded letter's UTF-8 bytes with the first byte lowest. Returns 0 for an accent, and `nil` for a letter that stays.
    static func folded(_ scalar: UInt32) -> UInt32? { scalar < end ? table[Int(scalar)] : nil }
}
