public import Media
public import Viewport

/// The kind of a gallery's source. This is `source` in the API.
public enum CatalogKind: String, Sendable, CaseIterable {
    case folder, list, demo
}

/// A run of items under one title. The sections of a catalogue follow each other without gaps.
public struct Section: Sendable, Equatable {
    public var title: String
    /// Index of the section's first item.
    public var from: Int
    public var count: Int

    public init(title: String, from: Int, count: Int) {
        self.title = title
        self.from = from
        self.count = count
    }

    public var range: Range<Int> { from..<from + count }
}

/// The content of a gallery at one moment: an ordered list of pictures in sections. A catalogue never changes. After a change, its
/// ``CatalogSource`` creates the next catalogue.
///
/// Counts are computed when the value is created or when facts arrive. Reading a count takes the same time for ten million items as for
/// ten.
public struct Catalog: Sendable {
    public let kind: CatalogKind
    /// Default name of the gallery.
    public let title: String
    /// Increases with each change of the source. The first revision is 0.
    public let revision: Int
    /// Whether the source has been read to its end. While this is `false`, more items will follow.
    public let isComplete: Bool
    public let itemCount: Int
    /// Covers `0 ..< itemCount` in order. Empty if there are no items.
    public let sections: [Section]
    /// Kinds of pictures and videos that exist but cannot be shown, the most frequent kind first.
    public let notShown: [KindNotShown]
    /// Files and folders left out of a folder's listing, one entry for each reason or pattern. Empty for other sources.
    public let leftOut: [LeftOut]
    /// Number of pictures whose facts have been read. Equal to ``itemCount`` if nothing is left to read.
    public let factsKnown: Int
    public let datedCount: Int
    /// First and last date of the pictures, in wall clock seconds since 1970. `nil` if no date is known.
    public let takenRange: ClosedRange<Int64>?
    package let items: any CatalogItems

    /// - Parameter factsKnown: default: all items.
    package init(
        kind: CatalogKind, title: String, revision: Int = 0, isComplete: Bool = true, sections: [Section],
        notShown: [KindNotShown] = [], leftOut: [LeftOut] = [], factsKnown: Int? = nil,
        dates: TakenDates = TakenDates(), items: any CatalogItems
    ) {
        self.kind = kind
        self.title = title
        self.revision = revision
        self.isComplete = isComplete
        itemCount = items.itemCount
        self.sections = sections
        self.notShown = notShown
        self.leftOut = leftOut
        self.factsKnown = factsKnown ?? items.itemCount
        datedCount = dates.count
        takenRange = dates.range
        self.items = items
    }
}

// Access to each item. See `CatalogItems`.
extension Catalog {
    /// Returns the item at an index, or `nil` outside `0 ..< itemCount`.
    public func item(_ index: Int) -> Item? { items.item(index) }
    public func id(_ index: Int) -> ItemID? { items.id(index) }
    public func index(of id: ItemID, near: Int) -> Int? { items.index(of: id, near: near) }
    public func index(of locator: Locator) -> Int? { items.index(of: locator) }
    public func indices(of locators: [Locator]) -> [Int?] { items.indices(of: locators) }
    public func thumbHash(_ index: Int) -> [UInt8]? { items.thumbHash(index) }
    public func facts(_ index: Int) -> PictureFacts? { items.facts(index) }
    public func companions(_ index: Int) -> [String] { items.companions(index) }
    public func duration(_ index: Int) -> Double? { items.duration(index) }
    public func taken(_ index: Int) -> Int64? { items.taken(index) }
    public func bytes(_ index: Int) -> Int64? { items.bytes(index) }
    public func motion(_ index: Int) -> PictureFacts.Motion? { items.motion(index) }
    public func preferFacts(of range: Range<Int>) { items.preferFacts(of: range) }
    public func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) { items.forEachName(body) }
    public var aspectRatios: AspectRatios { items.aspectRatios }
    public var factColumns: FactColumns? { items.factColumns }
}

/// Number of pictures with a date, and the first and last date. Updated as facts arrive.
package struct TakenDates: Sendable, Equatable {
    package private(set) var count = 0
    package private(set) var range: ClosedRange<Int64>?

    package init() {}

    package init(count: Int, range: ClosedRange<Int64>?) {
        self.count = count
        self.range = range
    }

    /// - Parameter taken: ``FactColumns/taken`` of each item.
    package init(of taken: some Sequence<Int64>) { for date in taken { add(date) } }

    package mutating func add(_ taken: Int64) {
        guard taken != FactColumns.undated else { return }
        count += 1
        range = min(range?.lowerBound ?? .max, taken)...max(range?.upperBound ?? .min, taken)
    }
}

extension Collection<Section> where Index == Int {
    /// Returns the section that contains an item, or `nil` if there is none. Uses binary search, because sections are sorted.
    public func section(of item: Int) -> Section? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].from + self[middle].count <= item { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low].range.contains(item) ? self[low] : nil
    }
}

/// A source of catalogues: a folder, a list, a bucket or the demo. Each change creates a new catalogue.
public protocol CatalogSource: Sendable {
    var catalog: Catalog { get }
    /// The new revision after each change. Only the latest is buffered. The stream of a source that never changes ends immediately.
    var changes: AsyncStream<Int> { get }
    /// Number of pictures whose facts have been read so far. This may be more than when ``catalog`` was created. Reads no facts, and does
    /// not wait for threads that do.
    var factsKnown: Int { get }
    /// Requests that the source reads its file again, even if the file seems unchanged. Returns immediately. Only a list in a file supports
    /// this. Other sources ignore the call.
    func readAgain()
}

extension CatalogSource {
    /// A stream that ends immediately.
    public var changes: AsyncStream<Int> { AsyncStream { $0.finish() } }
    public var factsKnown: Int { catalog.factsKnown }
    public func readAgain() {}

    /// Waits until `isWanted` is true for the catalogue or until no more changes follow. Returns the last catalogue.
    @discardableResult
    public func waitUntil(_ isWanted: @Sendable (Catalog) -> Bool) async -> Catalog {
        // Start the stream before reading the catalogue. Otherwise a change between the two would be missed.
        let changes = changes
        var latest = catalog
        if isWanted(latest) { return latest }
        for await _ in changes {
            latest = catalog
            if isWanted(latest) { return latest }
        }
        return catalog
    }
}
