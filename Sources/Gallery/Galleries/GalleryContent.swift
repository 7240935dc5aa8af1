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

    private let layouts = Mutex<[CachedLayout]>([])

    private struct CachedLayout: Sendable {
        var options: LayoutOptions
        var width: Double
        var layout: any Layout
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

    /// The layout of all items at a width; the same one for all who ask for the same.
    func layout(_ options: LayoutOptions, width: Double) -> any Layout {
        let cached = layouts.withLock { layouts in
            layouts.first { $0.options == options && $0.width == width }?.layout
        }
        if let cached { return cached }
        let layout = makeLayout(
            options, width: width, sections: sections.map(\.range),
            aspectRatios: options.needsAspectRatios ? aspectRatios() : nil)
        layouts.withLock { layouts in
            layouts.append(CachedLayout(options: options, width: width, layout: layout))
            if layouts.count > Self.maxLayouts { layouts.removeFirst() }
        }
        return layout
    }

    private func aspectRatios() -> AspectRatios {
        var ratios = AspectRatios(count: itemCount)
        for index in 0..<itemCount {
            if let item = item(index), let width = item.width, let height = item.height {
                ratios.set(index, width: width, height: height)
            }
        }
        return ratios
    }
}

extension LayoutOptions {
    /// Whether frames depend on the pictures' shapes.
    var needsAspectRatios: Bool { if case .grid = kind { false } else { true } }
}
