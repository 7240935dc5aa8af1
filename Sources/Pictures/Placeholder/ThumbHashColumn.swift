/// The ThumbHashes of many pictures, 25 bytes each: shorter ones are filled up with zeros, and 25 zeros stand for none.
///
/// It takes no memory before the first hash is known.
public struct ThumbHashColumn: Sendable, Equatable {
    /// Bytes of an entry: those of the longest hash.
    public static let stride = 25
    /// Of a picture that no hash can be made of; no hash begins so.
    private static let unavailable: [UInt8] = [1] + [UInt8](repeating: 0, count: stride - 1)

    public let count: Int
    private var bytes: [UInt8] = []

    public init(count: Int) { self.count = max(0, count) }

    /// The hash of a picture; `nil` where none is known.
    ///
    /// Setting one that is longer than an entry leaves the entry without.
    public subscript(index: Int) -> [UInt8]? {
        get {
            guard !bytes.isEmpty else { return nil }
            return ThumbHash(prefixOf: bytes[place(index)])?.bytes
        }
        set {
            let hash = newValue.flatMap { $0.count <= Self.stride ? $0 : nil } ?? []
            set(hash + [UInt8](repeating: 0, count: Self.stride - hash.count), index)
        }
    }

    /// Notes that no hash can be made of a picture.
    public mutating func setUnavailable(_ index: Int) { set(Self.unavailable, index) }

    /// Whether a picture has no hash, and none was tried in vain.
    public func isOpen(_ index: Int) -> Bool { bytes.isEmpty || bytes[place(index)].allSatisfy { $0 == 0 } }

    private mutating func set(_ entry: [UInt8], _ index: Int) {
        if bytes.isEmpty {
            if entry.allSatisfy({ $0 == 0 }) { return }
            bytes = [UInt8](repeating: 0, count: count * Self.stride)
        }
        bytes.replaceSubrange(place(index), with: entry)
    }

    private func place(_ index: Int) -> Range<Int> { index * Self.stride..<(index + 1) * Self.stride }
}
