/// Four characters that name a box, a chunk or a brand. Some boxes have a number instead.
package struct FourCC: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let number: Int

    package init(number: Int) { self.number = number }

    /// - Parameter name: four ASCII characters.
    package init(stringLiteral name: StaticString) {
        number = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// A name whose first byte is © in MacRoman.
    init(copyright name: StaticString) { number = 0xA9 << 24 | FourCC(stringLiteral: name).number }

    package var description: String {
        String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }, as: UTF8.self)
    }
}

/// Reads bytes with bounds checks: a read past the end returns `nil` and never traps.
package struct ByteReader: Sendable {
    package let bytes: [UInt8]
    /// Offset at which reading ends.
    let end: Int
    package private(set) var offset: Int

    package init(_ bytes: [UInt8], range: Range<Int>? = nil) {
        self.bytes = bytes
        let range = (range ?? bytes.indices).clamped(to: bytes.indices)
        offset = range.lowerBound
        end = range.upperBound
    }

    package var remaining: Int { end - offset }

    package mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= remaining else { return false }
        offset += count
        return true
    }

    mutating func byte() -> UInt8? {
        guard offset < end else { return nil }
        defer { offset += 1 }
        return bytes[offset]
    }

    /// Reads an unsigned number of 1 to 8 bytes. Returns `nil` if an `Int` cannot hold the number.
    package mutating func number(_ count: Int, bigEndian: Bool) -> Int? {
        guard count <= remaining else { return nil }
        var value: UInt = 0
        for i in 0..<count {
            let shift = bigEndian ? count - 1 - i : i
            value |= UInt(bytes[offset + i]) << (8 * shift)
        }
        offset += count
        return Int(exactly: value)
    }

    package mutating func tag() -> FourCC? { number(4, bigEndian: true).map { FourCC(number: $0) } }

    /// Skips the next `count` bytes and returns their range.
    package mutating func range(_ count: Int) -> Range<Int>? {
        let start = offset
        return skip(count) ? start..<offset : nil
    }

    package func starts(with prefix: some Collection<UInt8>) -> Bool {
        bytes[offset..<end].starts(with: prefix)
    }
}
