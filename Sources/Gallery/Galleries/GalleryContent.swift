import Catalog
import Pipeline
import Synchronization
import Viewport

/// The items of a gallery at one moment, never to change, and the layouts that sessions share. A gallery whose folder
/// changes gets another content; sessions keep theirs, so that an index always means the same picture to them.
final class GalleryContent: Sendable {
    let catalog: any Catalog
    /// A number that no other content of this process has or had.
    let serial: Int
    let itemCount: Int
    let sections: [Section]

    /// The pool's number of each item's host, one more than it is, as far as it was asked for.
    private let hosts = Mutex(SparseColumn<UInt16>())
    private let layouts = Mutex<[CachedLayout]>([])
    private let learned = Mutex(LearnedSizes())
    /// What the catalogue says, once it was asked.
    private let ratios = Mutex<AspectRatios?>(nil)

    private struct CachedLayout: Sendable {
        var options: LayoutOptions
        var width: Double
        var layout: any Layout
        /// How many sizes had been learned when it was made.
        var learned: Int
    }

    /// Layouts kept for sessions with the same width and options; justified rows of ten million items are large.
    static let maxLayouts = 8

    init(catalog: any Catalog, serial: Int) {
        let snapshot = catalog.snapshot
        self.catalog = snapshot
        self.serial = serial
        itemCount = snapshot.itemCount
        sections = snapshot.sections
    }

    func item(_ index: Int) -> Item? { catalog.item(index) }

    /// The section that holds an item, by binary search; `nil` where there is no such item.
    func section(of item: Int) -> Int? {
        var low = 0
        var high = sections.count
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].from + sections[middle].count <= item { low = middle + 1 } else { high = middle }
        }
        return low < sections.count ? low : nil
    }

    /// The pool's number of an item's host.
    func host(of index: Int, number: (Locator) -> Int) -> Int { hosts(of: [index], number: number)[0] }

    /// The pool's numbers of items' hosts. Asked for with the wants of every update, so they are remembered.
    func hosts(of items: some Collection<Int>, number: (Locator) -> Int) -> [Int] {
        hosts.withLock { hosts in
            items.map { index in
                let known = hosts[index]
                if known > 0 { return Int(known) - 1 }
                guard let item = item(index) else { return 0 }
                let host = number(item.locator)
                hosts[index] = UInt16(clamping: host + 1)
                return host
            }
        }
    }

    // MARK: Sizes

    /// Takes the size of an item's picture, in pixels, once it has been seen.
    func learn(_ item: Int, width: Int, height: Int) {
        learned.withLock { _ = $0.learn(item, width: width, height: height) }
    }

    /// The size of an item's picture, in pixels, where the catalogue tells it or it has been seen.
    func size(of index: Int) -> (width: Int, height: Int)? {
        if let item = item(index), let width = item.width, let height = item.height { return (width, height) }
        return learned.withLock { $0[index] }
    }

    /// Whether a frame shows an item in another shape than its picture was found to have: by more than a hundredth.
    func isMisshapen(_ index: Int, in frame: Frame) -> Bool {
        if let item = item(index), item.width != nil, item.height != nil { return false }
        guard let size = learned.withLock({ $0[index] }), frame.height > 0 else { return false }
        let ratio = min(max(Double(size.width) / Double(size.height), 1.0 / 32), 32)
        return abs(frame.width / frame.height / ratio - 1) > 0.01
    }

    // MARK: Layouts

    /// The layout of all items at a width; the same one for all who ask for the same, until more sizes are known.
    func layout(_ options: LayoutOptions, width: Double) -> any Layout {
        let known = options.needsAspectRatios ? learned.withLock { $0.count } : 0
        let cached = layouts.withLock { layouts in
            layouts.first { $0.options == options && $0.width == width && $0.learned == known }?.layout
        }
        if let cached { return cached }
        let layout = makeLayout(
            options, width: width, sections: sections.map(\.range),
            aspectRatios: options.needsAspectRatios ? aspectRatios() : nil)
        layouts.withLock { layouts in
            layouts.removeAll { $0.options == options && $0.width == width }
            layouts.append(CachedLayout(options: options, width: width, layout: layout, learned: known))
            if layouts.count > Self.maxLayouts { layouts.removeFirst() }
        }
        return layout
    }

    /// What the catalogue says goes before what was learned: a layout should not change for what it knew already.
    private func aspectRatios() -> AspectRatios {
        var ratios = catalogRatios()
        let learned = learned.withLock { $0 }
        learned.forEach { item, width, height in
            if !ratios.isKnown(item) { ratios.set(item, width: width, height: height) }
        }
        return ratios
    }

    private func catalogRatios() -> AspectRatios {
        if let ratios = ratios.withLock({ $0 }) { return ratios }
        var made = AspectRatios(count: itemCount)
        for index in 0..<itemCount {
            if let item = item(index), let width = item.width, let height = item.height {
                made.set(index, width: width, height: height)
            }
        }
        ratios.withLock { $0 = made }
        return made
    }
}

extension LayoutOptions {
    /// Whether frames depend on the pictures' shapes.
    var needsAspectRatios: Bool { if case .grid = kind { false } else { true } }
}
