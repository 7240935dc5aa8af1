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
