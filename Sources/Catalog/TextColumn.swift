/// Many short texts in two allocations: their bytes one after the other, and where each ends.
///
/// A million names as `String`s would take a million allocations; here a name costs its bytes and four more.
package struct TextColumn: Sendable {
    /// The largest sum of bytes the offsets can tell.
    static let maxBytes = Int(UInt32.max)

    private(set) var bytes: [UInt8] = []
    private var ends: [UInt32] = []

    package init() {}

    package var count: Int { ends.count }

    mutating func reserve(_ count: Int, bytes: Int) {
        ends.reserveCapacity(count)
        self.bytes.reserveCapacity(bytes)
    }

    /// Appends a text; `false` when the column is full.
    package mutating func append(_ text: some Collection<UInt8>) -> Bool {
        let end = bytes.count + text.count
        guard end <= Self.maxBytes else { return false }
        bytes.append(contentsOf: text)
        ends.append(UInt32(end))
        return true
    }

    /// Changes every byte by itself.
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

/// Finds names in a column by their hash. Indexes a million names in a fraction of a second, in 8 to 16 bytes each.
package struct NamePositions {
    private let names: TextColumn
    /// One more than the name's position; 0 in a free slot. The number of slots is a power of two.
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
