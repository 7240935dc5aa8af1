import Catalog
import Pictures
import Synchronization
import Thumbnails
import Viewport

/// The items of a gallery at one moment, never to change, and the layouts that sessions share. A gallery whose folder
/// changes gets another content; sessions keep theirs, so that an index always means the same picture to them.
package final class GalleryContent: Sendable {
    package let catalog: Catalog
    /// A number that no other content of this process has or had.
    package let serial: Int
    package let itemCount: Int
    package let sections: [Section]
    /// Whether its thumbnails are made anew and kept nowhere.
    let isCold: Bool
    /// The arrangement that a page opens it in by default; `nil` for the catalogue's own order.
    package let defaultArrangement: Arrangement?
    /// Of an arrangement, what it is of: they share their pictures.
    private let arranged: (items: ArrangedItems, base: GalleryContent)?

    /// The pool's number of each item's host, one more than it is, as far as it was asked for.
    private let hosts = Mutex(SparseColumn<Int>())
    private let learned = Mutex(LearnedSizes())
    private let layouts: LayoutCache
    /// Of the layouts being made, and locked while the first of them asks the catalogue for them.
    private let ratios = Mutex(KnownRatios())

    private struct KnownRatios: Sendable {
        /// The catalogue's shapes.
        var catalog: AspectRatios?
        /// The same with what was learned, and how much that was.
        var all: (ratios: AspectRatios, learned: Int)?
    }

    package convenience init(
        catalog: Catalog, serial: Int, layouts: LayoutCache = LayoutCache(), isCold: Bool = false
    ) {
        self.init(catalog, serial: serial, layouts: layouts, isCold: isCold, arranged: nil)
    }

    /// An arrangement of the items of another content.
    convenience init(_ arranged: ArrangedItems, of base: GalleryContent, serial: Int, layouts: LayoutCache) {
        self.init(arranged.catalog, serial: serial, layouts: layouts, isCold: false, arranged: (arranged, base))
    }

    private init(
        _ catalog: Catalog, serial: Int, layouts: LayoutCache, isCold: Bool,
        arranged: (items: ArrangedItems, base: GalleryContent)?
    ) {
        self.catalog = catalog
        self.arranged = arranged
        self.serial = serial
        self.layouts = layouts
        self.isCold = isCold
        itemCount = catalog.itemCount
        sections = catalog.sections
        let canBeArranged = arranged == nil && !isCold && catalog.itemCount <= ArrangementSource.maxItems
        defaultArrangement = canBeArranged ? catalog.defaultArrangement : nil
    }

    deinit { layouts.forget(content: serial) }

    package func item(_ index: Int) -> Item? { catalog.item(index) }

    /// The folder that all its items are in; `nil` where they are in none.
    package var root: FolderRoot? { if case .file(_, let root) = item(0)?.locator { root } else { nil } }

    /// The section that holds an item, by binary search; `nil` where there is no such item.
    package func section(of item: Int) -> Int? {
        var low = 0
        var high = sections.count
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].from + sections[middle].count <= item { low = middle + 1 } else { high = middle }
        }
        return low < sections.count ? low : nil
    }

    /// The pool's number of an item's host.
    package func host(of index: Int, number: (Locator) -> Int) -> Int { hosts(of: [index], number: number)[0] }

    /// The pool's numbers of items' hosts. Asked for with the wants of every update, so they are remembered.
    func hosts(of items: some Collection<Int>, number: (Locator) -> Int) -> [Int] {
        hosts.withLock { hosts in
            items.map { index in
                let known = hosts[index]
                if known != 0 { return known - 1 }
                guard let item = item(index) else { return 0 }
                let host = number(item.locator)
                hosts[index] = host + 1
                return host
            }
        }
    }

    // MARK: Pictures

    /// The content whose items the pool, the caches and the meters know its pictures by: of an arrangement, that which it is of.
    package var pictures: GalleryContent { arranged?.base ?? self }

    /// An item's number in ``pictures``.
    package func original(_ item: Int) -> Int { arranged.map { $0.items.original(item) ?? -1 } ?? item }

    /// The item that has a number in ``pictures``; `nil` where it is not shown.
    package func item(ofOriginal number: Int) -> Int? {
        arranged.map { $0.items.place(ofOriginal: number) } ?? number
    }

    /// Whether its items are another content's in another order.
    package var isArranged: Bool { arranged != nil }

    /// Where items of another content stand in this one now, by their numbers there; `nil` for those that are not in it, or
    /// of which the catalogue cannot tell.
    package func places(of items: Range<Int>, in other: GalleryContent) -> [Int?] {
        if pictures === other.pictures { return items.map { self.item(ofOriginal: other.original($0)) } }
        var places: [Int?] = []
        // Most items keep their numbers.
        var moved: [(position: Int, locator: Locator)] = []
        for item in items {
            let former = other.original(item)
            let id = other.catalog.id(item)
            let isThere = id != nil && pictures.catalog.id(former) == id
            if !isThere, let locator = other.item(item)?.locator { moved.append((places.count, locator)) }
            places.append(isThere ? former : nil)
        }
        if !moved.isEmpty {
            let found = pictures.catalog.indices(of: moved.map(\.locator))
            for (one, place) in zip(moved, found) { places[one.position] = place }
        }
        return places.map { $0.flatMap(item(ofOriginal:)) }
    }

    /// The name of an item's thumbnail, the same in every arrangement.
    package func thumbnailKey(_ item: Int, size: ThumbnailSize) -> ThumbnailKey {
        ThumbnailKey(content: pictures.serial, item: original(item), size: size)
    }

    // MARK: Sizes

    /// Takes the size of an item's picture, in pixels, once it has been seen. Where the catalogue told it nothing is new.
    ///
    /// - Parameter item: the item, where the caller has looked it up.
    package func learn(_ index: Int, of item: Item? = nil, width: Int, height: Int) {
        if let known = item ?? self.item(index), known.hasSize { return }
        learned.withLock { _ = $0.learn(index, width: width, height: height) }
    }

    /// The size of an item's picture, in pixels, where the catalogue tells it or it has been seen.
    package func size(of index: Int) -> (width: Int, height: Int)? {
        guard let item = item(index) else { return nil }
        if let original = item.original { return (original.width, original.height) }
        if let width = item.width, let height = item.height { return (width, height) }
        return learnedSize(index)
    }

    /// Whether a frame shows an item in another shape than its picture was found to have: by more than a hundredth.
    func isMisshapen(_ index: Int, in frame: Frame) -> Bool {
        if let item = item(index), item.hasSize { return false }
        guard let size = learnedSize(index), frame.height > 0 else { return false }
        let ratio = min(max(Double(size.width) / Double(size.height), 1.0 / 32), 32)
        return abs(frame.width / frame.height / ratio - 1) > 0.01
    }

    private func learnedSize(_ index: Int) -> (width: Int, height: Int)? {
        pictures.learned.withLock { $0[original(index)] }
    }

    // MARK: Layouts

    /// The layout of all items at a width, where it is there: the same one for all who ask for the same, until more shapes
    /// are known. Never waits.
    package func readyLayout(_ options: LayoutOptions, width: Double) -> (any Layout)? {
        layouts.ready(self, options, width: width)
    }

    /// The layout of all items at a width, once it is there.
    package func layout(_ options: LayoutOptions, width: Double) async throws(LayoutFailure) -> any Layout {
        try await layouts.layout(self, options, width: width)
    }

    /// Releases a layout on a thread where freeing it may take long.
    func release(_ layout: any Layout) { layouts.release(layout) }

    /// How many learned shapes a layout uses.
    func shapes(for options: LayoutOptions) -> Int {
        options.needsAspectRatios ? pictures.learned.withLock { $0.count } : 0
    }

    /// Builds a layout. Takes long where it depends on the shapes of many pictures.
    package func makeLayout(_ options: LayoutOptions, width: Double) -> any Layout {
        Viewport.makeLayout(
            options, width: width, sections: sections.map(\.range),
            aspectRatios: options.needsAspectRatios ? aspectRatios() : nil)
    }

    /// The catalogue's sizes take precedence over learned ones: a layout should not change for what it knew already.
    private func aspectRatios() -> AspectRatios {
        let learned = pictures.learned.withLock { $0 }
        return ratios.withLock { known in
            if let all = known.all, all.learned == learned.count { return all.ratios }
            let catalog = known.catalog ?? self.catalog.aspectRatios
            var ratios = catalog
            learned.forEach { number, width, height in
                if let item = item(ofOriginal: number), !ratios.isKnown(item) {
                    ratios.set(item, width: width, height: height)
                }
            }
            known = KnownRatios(catalog: catalog, all: (ratios, learned.count))
            return ratios
        }
    }
}

extension Item {
    /// Whether the catalogue tells the size of the picture.
    var hasSize: Bool { width != nil && height != nil }
}

extension LayoutOptions {
    /// Whether frames depend on the pictures' shapes.
    var needsAspectRatios: Bool { if case .grid = kind { false } else { true } }
}
