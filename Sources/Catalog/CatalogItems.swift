package import Media
package import Viewport

/// The items of a ``Catalog``. Like the catalogue, the items never change. Facts about them are stored elsewhere and may arrive later.
package protocol CatalogItems: Sendable {
    var itemCount: Int { get }
    /// Returns the item at an index, or `nil` outside `0 ..< itemCount`.
    func item(_ index: Int) -> Item?
    /// Returns the ID of the item at an index, or `nil` outside `0 ..< itemCount`. Does no I/O.
    func id(_ index: Int) -> ItemID?
    /// Calls `body` with the ID of each item of a range, in order. The range must be inside `0 ..< itemCount`.
    func forEachID(of range: Range<Int>, _ body: (ItemID) -> Void)
    /// Returns the index of the item with an ID, or `nil` if there is none. If several items have the ID, returns the one nearest to
    /// `near`, which may be any number. May read every item: do not call this on the parser's thread.
    func index(of id: ItemID, near: Int) -> Int?
    /// Returns the current index of a picture. A viewport uses this to stay on its item if the items before it change. `nil` if the picture
    /// is gone or if the source cannot find it.
    func index(of locator: Locator) -> Int?
    /// Returns ``index(of:)`` of each locator. A source that must read every item reads them only once for all locators.
    func indices(of locators: [Locator]) -> [Int?]
    /// Returns the picture's ThumbHash if the source provides one or can compute one immediately. See `ThumbHash`. May read memory that
    /// other threads change, and may render a picture of the demo. Never call this on the parser's thread.
    func thumbHash(_ index: Int) -> [UInt8]?
    /// Returns the facts of a picture, or `nil` if none are known yet. May read a database: never call this on the parser's thread.
    func facts(_ index: Int) -> PictureFacts?
    /// Returns the names of other files of the same picture, such as its RAW file or its video. Does no I/O.
    func companions(_ index: Int) -> [String]
    /// Returns the duration of a video in seconds, or `nil` if unknown. Does no I/O.
    func duration(_ index: Int) -> Double?
    /// Returns the date as in ``FactColumns/taken``, or `nil` if unknown. Does no I/O.
    func taken(_ index: Int) -> Int64?
    /// Returns the size of the original in bytes, or `nil` if unknown. Does no I/O.
    func bytes(_ index: Int) -> Int64?
    /// Returns the position of a picture's short video, as in Live Photos and motion photos, or `nil` if there is none. Does no I/O.
    func motion(_ index: Int) -> PictureFacts.Motion?
    /// Requests the facts of these items before others. Reads each item: do not call this on the parser's thread, or under a lock that the
    /// parser waits for.
    func preferFacts(of range: Range<Int>)
    /// Calls `body` with the name of each item, in order. Items are searched and sorted by this name.
    func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void)
    /// Aspect ratio of each picture, if the source knows it. Takes 0.1 s for ten million items.
    var aspectRatios: AspectRatios { get }
    /// Columns to sort, group and filter by, created at each call. `nil` if no facts are known.
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

    /// Uses the title, and the file name if it says more. Some sources have their own version, which takes a tenth of the time.
    package func forEachName(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
        for index in 0..<itemCount {
            guard let item = item(index) else { continue }
            let file = item.fileName ?? ""
            var name = file.hasPrefix(item.title) ? file : file.isEmpty ? item.title : "\(item.title) \(file)"
            name.withUTF8(body)
        }
    }

    /// Reads each item. Some sources have their own version, which takes a hundredth of the time.
    package var aspectRatios: AspectRatios {
        AspectRatios(count: itemCount) { index in
            guard let item = item(index), let width = item.width, let height = item.height else { return .nan }
            return Double(width) / Double(height)
        }
    }
}
