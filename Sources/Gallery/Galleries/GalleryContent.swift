import Catalog
import Media
import Synchronization
import Thumbnails
import Viewport

/// An immutable snapshot of a gallery's items, and the layouts that sessions share.
///
/// A gallery whose folder changes gets a new content. Sessions keep their content, so that an index always means the same
/// picture to them.
package final class GalleryContent: Sendable {
    package let catalog: Catalog
    /// A number that is unique among all contents of this process, past and present.
    package let serial: Int
    package let itemCount: Int
    package let sections: [Section]
    /// Whether the content's thumbnails are always rendered again and stored nowhere.
    let isCold: Bool
    /// The arrangement in which a page opens the gallery by default. `nil` for the catalogue's own order.
    package let defaultArrangement: Arrangement?
    /// The arranged items and their base content, which share their pictures. `nil` if the content is no arrangement.
    private let arranged: (items: ArrangedItems, base: GalleryContent)?

    /// The pool's number of each item's host plus one, as far as requested. 0 means unknown.
    private let hosts = Mutex(SparseColumn<Int>())
    private let learned = Mutex(LearnedSizes())
    private let layouts: LayoutCache
    /// Shapes for the layouts being built. Locked while the first layout reads the catalogue.
    private let ratios = Mutex(KnownRatios())

    private struct KnownRatios: Sendable {
        /// The catalogue's shapes.
        var catalog: AspectRatios?
        /// The catalogue's shapes together with learned ones, and the number of learned shapes.
        var all: (ratios: AspectRatios, learned: Int)?
    }

    package convenience init(
        catalog: Catalog, serial: Int, layouts: LayoutCache = LayoutCache(), isCold: Bool = false
    ) {
        self.init(catalog, serial: serial, layouts: layouts, isCold: isCold, arranged: nil)
    }

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

    /// The folder that contains all items, or `nil` if the items are not files.
    package var root: FolderRoot? { if case .file(_, let root) = item(0)?.locator { root } else { nil } }

    /// Returns the section that contains an item, by binary search. `nil` if there is no such item.
    package func section(of item: Int) -> Int? {
        var low = 0
        var high = sections.count
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].from + sections[middle].count <= item { low = middle + 1 } else { high = middle }
        }
        return low < sections.count ? low : nil
    }

    package func host(of index: Int, number: (Locator) -> Int) -> Int { hosts(of: [index], number: number)[0] }

    /// Returns the pool's numbers of items' hosts. The numbers are cached, because the wants of every update need them.
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

    /// The content by whose items the pool, the caches and the meters identify the pictures: an arrangement's base, otherwise
    /// the content itself.
    package var base: GalleryContent { arranged?.base ?? self }

    /// Returns an item's number in ``base``, or -1 if there is no such item.
    package func original(_ item: Int) -> Int { arranged.map { $0.items.original(item) ?? -1 } ?? item }

    /// Returns the item with a number in ``base``, or `nil` if the content does not show it.
    package func item(ofOriginal number: Int) -> Int? {
        arranged.map { $0.items.place(ofOriginal: number) } ?? number
    }

    package var isArranged: Bool { arranged != nil }

    /// Returns the current places in this content of another content's items. A place is `nil` if the item is not in this
    /// content or the catalogue cannot find it.
    package func places(of items: Range<Int>, in other: GalleryContent) -> [Int?] {
        if base === other.base { return items.map { self.item(ofOriginal: other.original($0)) } }
        var places: [Int?] = []
        // Most items keep their numbers.
        var moved: [(position: Int, locator: Locator)] = []
        for item in items {
            let former = other.original(item)
            let id = other.catalog.id(item)
            let isThere = id != nil && base.catalog.id(former) == id
            if !isThere, let locator = other.item(item)?.locator { moved.append((places.count, locator)) }
            places.append(isThere ? former : nil)
        }
        if !moved.isEmpty {
            let found = base.catalog.indices(of: moved.map(\.locator))
            for (one, place) in zip(moved, found) { places[one.position] = place }
        }
        return places.map { $0.flatMap(item(ofOriginal:)) }
    }

    /// Returns the key of an item's thumbnail, which is the same in every arrangement.
    package func thumbnailKey(_ item: Int, size: ThumbnailSize) -> ThumbnailKey {
        ThumbnailKey(content: base.serial, item: original(item), size: size)
    }

    // MARK: Sizes

    /// Records the size of an item's picture, in pixels, after the picture was decoded. Ignored if the catalogue knows the size.
    ///
    /// - Parameter item: the item, if the caller has already looked it up.
    package func learn(_ index: Int, of item: Item? = nil, width: Int, height: Int) {
        if let known = item ?? self.item(index), known.hasSize { return }
        learned.withLock { _ = $0.learn(index, width: width, height: height) }
    }

    /// Returns the size of an item's picture in pixels, or `nil` if it is neither in the catalogue nor learned.
    package func size(of index: Int) -> (width: Int, height: Int)? {
        guard let item = item(index) else { return nil }
        if let original = item.original { return (original.width, original.height) }
        if let width = item.width, let height = item.height { return (width, height) }
        return learnedSize(index)
    }

    /// Returns whether a frame's aspect ratio differs from the picture's learned one by more than 1%.
    func isMisshapen(_ index: Int, in frame: Frame) -> Bool {
        if let item = item(index), item.hasSize { return false }
        guard let size = learnedSize(index), frame.height > 0 else { return false }
        let ratio = min(max(Double(size.width) / Double(size.height), 1.0 / 32), 32)
        return abs(frame.width / frame.height / ratio - 1) > 0.01
    }

    private func learnedSize(_ index: Int) -> (width: Int, height: Int)? {
        base.learned.withLock { $0[original(index)] }
    }

    // MARK: Layouts

    /// Returns the layout of all items at a width if it is ready, otherwise `nil`. Requests with equal arguments share a layout
    /// until more shapes are known. Never waits.
    package func readyLayout(_ options: LayoutOptions, width: Double) -> (any Layout)? {
        layouts.ready(self, options, width: width)
    }

    /// Returns the layout of all items at a width, after waiting for its build if necessary.
    package func layout(_ options: LayoutOptions, width: Double) async throws(LayoutFailure) -> any Layout {
        try await layouts.layout(self, options, width: width)
    }

    /// Releases a layout. A large layout is freed on a background thread, because that may take long.
    func release(_ layout: any Layout) { layouts.release(layout) }

    /// Returns the number of learned shapes that a layout uses.
    func shapes(for options: LayoutOptions) -> Int {
        options.needsAspectRatios ? base.learned.withLock { $0.count } : 0
    }

    /// Builds a layout. Takes long if the layout depends on the shapes of many pictures.
    package func makeLayout(_ options: LayoutOptions, width: Double) -> any Layout {
        Viewport.makeLayout(
            options, width: width, sections: sections.map(\.range),
            aspectRatios: options.needsAspectRatios ? aspectRatios() : nil)
    }

    /// Returns the known shapes. The catalogue's sizes take precedence over learned ones, so that a layout never changes for
    /// items that were already known.
    private func aspectRatios() -> AspectRatios {
        let learned = base.learned.withLock { $0 }
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
    var hasSize: Bool { width != nil && height != nil }
}

extension LayoutOptions {
    var needsAspectRatios: Bool { if case .grid = kind { false } else { true } }
}
