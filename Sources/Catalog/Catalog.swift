public import Pipeline
public import Viewport

/// What kind of source a gallery shows; the `source` of the API.
public enum CatalogKind: String, Sendable, CaseIterable {
    case folder, list, demo
}

/// One picture of a catalogue.
public struct Item: Sendable, Equatable {
    public var locator: Locator
    /// What a person reads under the picture; never empty.
    public var title: String
    /// Size of the original in pixels, where the source tells it.
    public var width: Int?
    public var height: Int?
    /// The picture's prominent colour as 0xRRGGBB, where the source tells it: shown before anything of the picture is known.
    public var color: UInt32?

    public init(
        locator: Locator, title: String, width: Int? = nil, height: Int? = nil, color: UInt32? = nil
    ) {
        self.locator = locator
        self.title = title
        self.width = width
        self.height = height
        self.color = color
    }
}

extension Item {
    /// The name of the picture's own file; `nil` where it has none that is known.
    public var fileName: String? {
        switch locator {
        case .file(let path, _): path.split(separator: "/").last.map(String.init)
        case .url(let url): PictureName.file(ofURL: url)
        }
    }
}

/// Colours as lists and pages write them: `#c86432`.
public enum PictureColor {
    /// 0xRRGGBB; nil for what is not a hash and six hexadecimal digits.
    public static func parse(_ text: String) -> UInt32? {
        guard text.utf8.count == 7, text.utf8.first == UInt8(ascii: "#"),
            text.utf8.dropFirst().allSatisfy(isHexadecimal)
        else { return nil }
        return UInt32(text.dropFirst(), radix: 16)
    }

    public static func text(_ color: UInt32) -> String {
        let digits = String(color & 0xFF_FFFF, radix: 16)
        return "#" + String(repeating: "0", count: 6 - digits.count) + digits
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
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

/// An ordered list of pictures in sections: what a gallery shows.
///
/// A catalogue may change while it is read (a folder that is still being listed, a file that was deleted). A
/// caller that needs several consistent answers takes a ``snapshot`` first.
public protocol Catalog: Sendable {
    var kind: CatalogKind { get }
    /// What the gallery is called when nobody gave it a name.
    var title: String { get }
    var itemCount: Int { get }
    /// Covers `0 ..< itemCount`, in order. Empty when there are no items.
    var sections: [Section] { get }
    /// Pictures and videos that are there and cannot be shown, the most frequent kind first.
    var notShown: [KindNotShown] { get }
    /// Grows with each change; the first is 0.
    var revision: Int { get }
    /// The item at an index, `nil` outside `0 ..< itemCount`.
    func item(_ index: Int) -> Item?
    /// The shape of each picture, as far as the source tells it. At ten million items this takes a tenth of a second.
    var aspectRatios: AspectRatios { get }
    /// Where a picture is now: how a viewport stays on its item when the items before it change. `nil` when it is gone,
    /// or when the catalogue cannot tell.
    func index(of locator: Locator) -> Int?
    /// The picture's ThumbHash, where the source brings one or can tell it at once; see `ThumbHash`. May read memory that others
    /// change, and may paint a picture of the demo: never on the parser's thread.
    func thumbHash(_ index: Int) -> [UInt8]?
    /// What is known of a picture beside its pixels; `nil` where nothing is, or not yet. May read a database: never on the
    /// parser's thread.
    func facts(_ index: Int) -> PictureFacts?
    /// The names of the files beside an item's own that are the same picture: its RAW file, its video. Reads nothing.
    func companions(_ index: Int) -> [String]
    /// Whether a picture has five stars, as far as that is known. Reads nothing.
    func isFavorite(_ index: Int) -> Bool
    /// Pictures whose facts have been read; ``itemCount`` where all are, or nothing is left to read. Looks at none.
    var factsKnown: Int { get }
    /// What pictures are sorted, grouped and filtered by; `nil` where a catalogue knows no facts.
    var factColumns: FactColumns? { get }
    /// When the first and the last picture were taken, seconds on the wall since 1970; `nil` where that is known of none.
    var takenRange: ClosedRange<Int64>? { get }
    /// Pictures of which it is known when they were taken.
    var datedCount: Int { get }
    /// Says that the facts of these items are wanted before others. Looks at each: not for the parser's thread, and not for a
    /// lock that it waits for.
    func preferFacts(of items: Range<Int>)
    /// Calls `body` with what each item is called, in order: what it is searched and sorted by.
    func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void)
    /// The catalogue as it is now, never to change.
    var snapshot: any Catalog { get }
    /// The new revision after each change, latest only; finished at once for a catalogue that never changes.
    var changes: AsyncStream<Int> { get }
}

extension Catalog {
    public var notShown: [KindNotShown] { [] }
    public var revision: Int { 0 }
    public var snapshot: any Catalog { self }
    public var changes: AsyncStream<Int> { AsyncStream { $0.finish() } }
    public func index(of locator: Locator) -> Int? { nil }
    public func thumbHash(_ index: Int) -> [UInt8]? { nil }
    public func facts(_ index: Int) -> PictureFacts? { nil }
    public func companions(_ index: Int) -> [String] { [] }
    public func isFavorite(_ index: Int) -> Bool { false }
    public var factsKnown: Int { itemCount }
    public var factColumns: FactColumns? { nil }
    public func preferFacts(of items: Range<Int>) {}

    /// From the columns.
    public var datedCount: Int { factColumns?.taken.count { $0 != FactColumns.undated } ?? 0 }

    /// From the columns.
    public var takenRange: ClosedRange<Int64>? {
        guard let taken = factColumns?.taken, let first = taken.filter({ $0 != FactColumns.undated }).min(),
            let last = taken.max()
        else { return nil }
        return first...last
    }

    /// The title, and the name of the file where that tells more. Sources have ways that take a tenth of the time.
    public func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        for index in 0..<itemCount {
            guard let item = item(index) else { continue }
            let file = item.fileName ?? ""
            var name = file.hasPrefix(item.title) ? file : file.isEmpty ? item.title : "\(item.title) \(file)"
            name.withUTF8(body)
        }
    }

    /// From each item. Sources have ways that take a hundredth of the time.
    public var aspectRatios: AspectRatios {
        AspectRatios(count: itemCount) { index in
            guard let item = item(index), let width = item.width, let height = item.height else { return .nan }
            return Double(width) / Double(height)
        }
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
