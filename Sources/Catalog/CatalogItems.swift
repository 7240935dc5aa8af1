package import PhotoFacts
package import Pictures
package import Viewport

/// The items of a ``Catalog``: what is read of each, and in order of all. Like the catalogue they never change; what is learned
/// of them, and kept elsewhere, may come later.
package protocol CatalogItems: Sendable {
    var itemCount: Int { get }
    /// The item at an index, `nil` outside `0 ..< itemCount`.
    func item(_ index: Int) -> Item?
    /// The name of the item at an index, `nil` outside `0 ..< itemCount`. Reads nothing.
    func id(_ index: Int) -> ItemID?
    /// Calls `body` with the id of each item of a range, in order. The range must be inside `0 ..< itemCount`.
    func forEachID(of range: Range<Int>, _ body: (ItemID) -> Void)
    /// The item with an id: of several, the one nearest to `near`, which may be any number. `nil` if there is none. May look at
    /// every item: not for the parser's thread.
    func index(of id: ItemID, near: Int) -> Int?
    /// Where a picture is now: how a viewport stays on its item when the items before it change. `nil` when it is gone,
    /// or when the source cannot tell.
    func index(of locator: Locator) -> Int?
    /// ``index(of:)`` of each. A source that must look at every item for one looks once for all.
    func indices(of locators: [Locator]) -> [Int?]
    /// The picture's ThumbHash, where the source brings one or can tell it at once; see `ThumbHash`. May read memory that others
    /// change, and may paint a picture of the demo: never on the parser's thread.
    func thumbHash(_ index: Int) -> [UInt8]?
    /// The facts of a picture; `nil` where none are known, or not yet. May read a database: never on the
    /// parser's thread.
    func facts(_ index: Int) -> PictureFacts?
    /// The names of the files beside an item's own that are the same picture: its RAW file, its video. Reads nothing.
    func companions(_ index: Int) -> [String]
    /// How long a video plays, seconds, where that is known. Reads nothing.
    func duration(_ index: Int) -> Double?
    /// When a picture was taken, as in ``FactColumns/taken``; `nil` if that is not known. Reads nothing.
    func taken(_ index: Int) -> Int64?
    /// Bytes of the original; `nil` if that is not known. Reads nothing.
    func bytes(_ index: Int) -> Int64?
    /// Where a picture has a short film of its own, as Live Photos and motion photos do: where that lies. Reads nothing.
    func motion(_ index: Int) -> PictureFacts.Motion?
    /// Says that the facts of these items are wanted before others. Looks at each: not for the parser's thread, and not for a
    /// lock that it waits for.
    func preferFacts(of range: Range<Int>)
    /// Calls `body` with what each item is called, in order: what it is searched and sorted by.
    func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void)
    /// The shape of each picture, as far as the source tells it. At ten million items this takes a tenth of a second.
    var aspectRatios: AspectRatios { get }
    /// The columns that pictures are sorted, grouped and filtered by, made anew at each call; `nil` where no facts are known.
    var factColumns: FactColumns? { get }
}

// Defaults for sources without facts.
extension CatalogItems {
    package func index(of locator: Locator) -> Int? { nil }
    package func indices(of locators: [Locator]) -> [Int?] { locators.map(index) }
    package func thumbHash(_ index: Int) -> [UInt8]? { nil }
    package func facts(_ index: Int) -> PictureFacts? { nil }
    package func companions(_ index: Int) -> [String] { [] }
    package func duration(_ index: Int) -> Double? { nil }
    package func taken(_ index: Int) -> Int64? { nil }
    package func bytes(_ index: Int) -> Int64? { nil }
    package func motion(_ index: Int) -> PictureFacts.Motion? { nil }
    package func preferFacts(of range: Range<Int>) {}
    package var factColumns: FactColumns? { nil }

    /// The title, and the name of the file where that tells more. Sources have ways that take a tenth of the time.
    package func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        for index in 0..<itemCount {
            guard let item = item(index) else { continue }
            let file = item.fileName ?? ""
            var name = file.hasPrefix(item.title) ? file : file.isEmpty ? item.title : "\(item.title) \(file)"
            name.withUTF8(body)
        }
    }

    /// From each item. Sources have ways that take a hundredth of the time.
    package var aspectRatios: AspectRatios {
        AspectRatios(count: itemCount) { index in
            guard let item = item(index), let width = item.width, let height = item.height else { return .nan }
            return Double(width) / Double(height)
        }
    }
}
