public import Media

/// Identifies a picture by a hash of its address in the gallery. Stays the same after restarts, sorting, filtering and additions.
public struct ItemID: HashName {
    public let rawValue: UInt64

    @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Hashes a file's path relative to its folder, or an address without its fragment. In a bucket, the fragment is the version.
    public init(_ locator: Locator) {
        switch locator {
        case .file(let path, let root): self.init(StableHash(root.relative(path)))
        case .url(var url): self = url.withUTF8 { Self(url: $0) }
        }
    }

    init(url: UnsafeBufferPointer<UInt8>) {
        var hash = StableHash()
        hash.combine(UnsafeBufferPointer(rebasing: url.prefix { $0 != UInt8(ascii: "#") }))
        self.init(hash)
    }
}

extension CatalogItems {
    package func id(_ index: Int) -> ItemID? { item(index).map { ItemID($0.locator) } }

    package func forEachID(of range: Range<Int>, _ body: (ItemID) -> Void) {
        for index in range { if let id = id(index) { body(id) } }
    }

    package func index(of id: ItemID, near: Int) -> Int? { search(for: id, near: near) }

    /// Compares IDs block by block, alternating before and after `near`.
    ///
    /// - Parameter limit: number of items after which the search stops.
    func search(for id: ItemID, near: Int, limit: Int = .max) -> Int? {
        guard itemCount > 0 else { return nil }
        let near = min(max(near, 0), itemCount - 1)
        if self.id(near) == id { return near }
        var range = near..<near + 1
        var length = 64
        while range.count < min(itemCount, limit) {
            let before = max(0, range.lowerBound - length)..<range.lowerBound
            let after = range.upperBound..<min(itemCount, range.upperBound + length)
            let (last, first) = (matches(id, in: before).last, matches(id, in: after).first)
            if let last, let first { return near - last < first - near ? last : first }
            if let found = last ?? first { return found }
            range = before.lowerBound..<after.upperBound
            length = min(2 * length, 1 << 16)
        }
        return nil
    }

    private func matches(_ id: ItemID, in range: Range<Int>) -> (first: Int?, last: Int?) {
        var (first, last): (Int?, Int?) = (nil, nil)
        var index = range.lowerBound
        forEachID(of: range) {
            if $0 == id { (first, last) = (first ?? index, index) }
            index += 1
        }
        return (first, last)
    }
}
