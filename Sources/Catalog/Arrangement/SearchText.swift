import Foundation

/// Converts names to the form used for searching: lower case, without accents, `ß` as `ss`, `_` as a space.
package enum SearchText {
    /// Maximum number of bytes of a name that are searched. Later bytes are ignored.
    static let maxBytes = 1_000

    /// Returns many names in search form. A name is empty if the column has no room for it.
    ///
    /// - Parameter forEachName: calls its argument with each name, in order.
    static func column(of count: Int, _ forEachName: ((UnsafeBufferPointer<UInt8>) -> Void) -> Void) -> TextColumn {
        var column = TextColumn()
        column.reserve(count, bytes: count * 16)
        forEachName { name in
            let name = UnsafeBufferPointer(rebasing: name.prefix(maxBytes))
            let isPlain = name.reduce(0) { $0 | $1 } < 0x80
            let isThere =
                isPlain ? column.append(name) : column.append(folded(String(decoding: name, as: UTF8.self)))
            if !isThere { _ = column.append([]) }
        }
        // Lowering all bytes in one pass is faster than name by name, and does not change folded names.
        column.mapBytes(lowered)
        return column
    }

    /// Returns the words of a search in search form.
    static func words(_ text: String) -> [[UInt8]] {
        folded(text).split(separator: UInt8(ascii: " ")).map(Array.init)
    }

    package static func folded(_ text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.map(lowered) }
        var result: [UInt8] = []
        for letter in text.decomposedStringWithCanonicalMapping.unicodeScalars {
            guard var folded = LetterFolding.folded(letter.value) else {
                result += letter.properties.lowercaseMapping.utf8
                continue
            }
            while folded != 0 {
                result.append(UInt8(truncatingIfNeeded: folded))
                folded >>= 8
            }
        }
        return result.map { $0 < 0x80 ? lowered($0) : $0 }
    }

    /// Maps white space, control characters and `_` to a space, and upper case to lower case.
    private static func lowered(_ byte: UInt8) -> UInt8 {
        if byte &- UInt8(ascii: "A") < 26 { return byte | 0x20 }
        return byte == UInt8(ascii: "_") || byte < 0x20 ? UInt8(ascii: " ") : byte
    }
}

/// A word to find in many short texts. The first eight bytes are compared as one number at every position. The search is therefore equally
/// fast for frequent and for rare words.
package struct SearchWord: Sendable {
    private let bytes: [UInt8]
    private let head: UInt64
    private let mask: UInt64

    /// - Parameter bytes: at least one byte. None may be 0.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        head = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        mask = bytes.count >= 8 ? .max : (1 << (8 * UInt64(bytes.count))) - 1
    }

    package func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count >= bytes.count else { return false }
        var window: UInt64 = 0
        for (place, byte) in text.enumerated() {
            window = window << 8 | UInt64(byte)
            guard window & mask == head else { continue }
            if bytes.count <= 8 { return true }
            let rest = text[(place + 1)...].prefix(bytes.count - 8)
            if rest.elementsEqual(bytes[8...]) { return true }
        }
        return false
    }

    package func isIn(_ text: [UInt8]) -> Bool { text.withUnsafeBufferPointer { isIn($0) } }
}
