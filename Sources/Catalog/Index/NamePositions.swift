/// Finds names in a column by their hash: a million in a fraction of a second, in 8 to 16 bytes each.
package struct NamePositions {
    private let names: TextColumn
    /// One more than the name's position; 0 is free. As many as a power of two.
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
