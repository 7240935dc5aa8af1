/// Stores many short texts in two allocations: all their bytes, and the end of each text.
///
/// A million names as `String`s would need a million allocations. Here, a name needs its bytes and four more.
package struct TextColumn: Sendable {
    /// Maximum total number of bytes, which the offsets can represent.
    static let maxBytes = Int(UInt32.max)

    private(set) var bytes: [UInt8] = []
    private var ends: [UInt32] = []

    package init() {}

    package var count: Int { ends.count }

    mutating func reserve(_ count: Int, bytes: Int) {
        ends.reserveCapacity(count)
        self.bytes.reserveCapacity(bytes)
    }

    /// Appends a text. Returns `false` if the column is full.
    package mutating func append(_ text: some Collection<UInt8>) -> Bool {
        let end = bytes.count + text.count
        guard end <= Self.maxBytes else { return false }
        bytes.append(contentsOf: text)
        ends.append(UInt32(end))
        return true
    }

    mutating func mapBytes(_ transform: (UInt8) -> UInt8) {
        bytes.withUnsafeMutableBufferPointer { bytes in
            for index in bytes.indices { bytes[index] = transform(bytes[index]) }
        }
    }

    func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    subscript(index: Int) -> ArraySlice<UInt8> { bytes[range(index)] }

    package func text(_ index: Int) -> String { String(decoding: self[index], as: UTF8.self) }
}

/// Finds names in a column by their hash. Indexes a million names in a fraction of a second, and needs 8 to 16 bytes for each name.
package struct NamePositions {
    private let names: TextColumn
    /// The name's position plus one, or 0 in a free slot. The number of slots is a power of two.
    private var slots: [UInt32]

    package init(_ names: TextColumn) {
        self.names = names
        var size = 16
        while size < 2 * names.count { size *= 2 }
        slots = [UInt32](repeating: 0, count: size)
        names.bytes.withUnsafeBufferPointer { bytes in
            for index in 0..<names.count {
                var slot = Self.hash(UnsafeBufferPointer(rebasing: bytes[names.range(index)])) & (size - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
                slots[slot] = UInt32(index + 1)
            }
        }
    }

    package subscript(name: UnsafeBufferPointer<UInt8>) -> Int? {
        names.bytes.withUnsafeBufferPointer { bytes in
            var slot = Self.hash(name) & (slots.count - 1)
            while slots[slot] != 0 {
                let index = Int(slots[slot]) - 1
                let range = names.range(index)
                if range.count == name.count, bytes[range].elementsEqual(name) { return index }
                slot = (slot + 1) & (slots.count - 1)
            }
            return nil
        }
    }

    private static func hash(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        var hasher = Hasher()
        hasher.combine(bytes: UnsafeRawBufferPointer(name))
        return hasher.finalize() & .max
    }
}
