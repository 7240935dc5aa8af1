public import PhotoFacts
public import Pictures
public import Viewport

/// The kind of source a gallery shows; the `source` of the API.
public enum CatalogKind: String, Sendable, CaseIterable {
    case folder, list, demo
}

/// A run of items under one title. The sections of a catalogue follow each other without gaps.
public struct Section: Sendable, Equatable {
    public var title: String
    /// Index of its first item.
    public var from: Int
    public var count: Int

    public init(title: String, from: Int, count: Int) {
        self.title = title
        self.from = from
        self.count = count
    }

    public var range: Range<Int> { from..<from + count }
}

/// An ordered list of pictures in sections, as it is at one moment: what a gallery shows. It never changes; a
/// ``CatalogSource`` makes the next one.
///
/// Counts are made once, with the value or when facts come: reading one takes the same time for ten million
/// items as for ten.
public struct Catalog: Sendable {
    public let kind: CatalogKind
    /// The gallery's name unless it was given another.
    public let title: String
    /// Grows with each change of its source; the first is 0.
    public let revision: Int
    /// Whether its source has been read to its end; while this is `false` more items will come.
    public let isComplete: Bool
    public let itemCount: Int
    /// Covers `0 ..< itemCount`, in order. Empty when there are no items.
    public let sections: [Section]
    /// Pictures and videos that are there and cannot be shown, the most frequent kind first.
    public let notShown: [KindNotShown]
    /// Files and folders of a folder that are left out of the listing, each reason once; of other sources none.
    public let leftOut: [LeftOut]
    /// Pictures whose facts have been read; ``itemCount`` where all are, or nothing is left to read.
    public let factsKnown: Int
    /// Pictures of which it is known when they were taken.
    public let datedCount: Int
    /// When the first and the last picture were taken, seconds on the wall since 1970; `nil` where that is known of none.
    public let takenRange: ClosedRange<Int64>?
    /// The items, which are read one by one.
    package let items: any CatalogItems

    /// - Parameters:
    ///   - factsKnown: default: all.
    ///   - dates: of its items, as far as they are known.
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

// Of each item, as `CatalogItems` tells it.
extension Catalog {
    /// The item at an index, `nil` outside `0 ..< itemCount`.
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

/// How many pictures have a date, and the first and the last of these dates: counted as the facts come.
package struct TakenDates: Sendable, Equatable {
    package private(set) var count = 0
    package private(set) var range: ClosedRange<Int64>?

    package init() {}

    package init(count: Int, range: ClosedRange<Int64>?) {
        self.count = count
        self.range = range
    }

    /// - Parameter taken: of each item, as ``FactColumns/taken``.
    package init(of taken: some Sequence<Int64>) { for date in taken { add(date) } }

    package mutating func add(_ taken: Int64) {
        guard taken != FactColumns.undated else { return }
        count += 1
        range = min(range?.lowerBound ?? .max, taken)...max(range?.upperBound ?? .min, taken)
    }
}

extension Collection<Section> where Index == Int {
    /// The section that holds an item, `nil` when none does. By halving: sections are in order.
    public func section(of item: Int) -> Section? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].from + self[middle].count <= item { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low].range.contains(item) ? self[low] : nil
    }
}

/// Where catalogues come from: a folder, a list, a bucket, the demo. Each change makes another catalogue.
public protocol CatalogSource: Sendable {
    /// As it is now.
    var catalog: Catalog { get }
    /// The new revision after each change, latest only; finished at once for a source that never changes.
    var changes: AsyncStream<Int> { get }
    /// Pictures whose facts have been read by now, which may be more than when the ``catalog`` was made. Looks at none, and
    /// waits for nobody who does.
    var factsKnown: Int { get }
    /// Asks the source to read its file again, even if the file seems unchanged. Returns at once. Sources that are not the file of
    /// a list ignore it.
    func readAgain()
}

extension CatalogSource {
    /// None.
    public var changes: AsyncStream<Int> { AsyncStream { $0.finish() } }
    /// As the catalogue says.
    public var factsKnown: Int { catalog.factsKnown }
    public func readAgain() {}

    /// Waits until the catalogue is as wanted, or nothing more comes; returns the last one.
    @discardableResult
    public func waitUntil(_ isWanted: @Sendable (Catalog) -> Bool) async -> Catalog {
        // The stream first: a change between a look at the catalogue and the start of the stream would be missed.
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
