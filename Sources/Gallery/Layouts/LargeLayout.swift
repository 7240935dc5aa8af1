import Thumbnails
import Viewport

/// A layout of many items, with its share of the memory budget, returned with the last reference.
struct LargeLayout: Layout {
    let base: any Layout
    private let memory: ByteBudget.Share

    init(_ base: any Layout, in memory: ByteBudget.Share) {
        self.base = base
        self.memory = memory
    }

    var itemCount: Int { base.itemCount }
    var width: Double { base.width }
    var contentHeight: Double { base.contentHeight }
    var sectionCount: Int { base.sectionCount }
    var byteCount: Int { base.byteCount }
    var sharesRows: Bool { base.sharesRows }
    func frame(of item: Int) -> Frame { base.frame(of: item) }
    func frames(of items: Range<Int>) -> [Frame] { base.frames(of: items) }
    func items(in y: Range<Double>) -> Range<Int> { base.items(in: y) }
    func placedItems(in y: Range<Double>) -> (items: Range<Int>, frames: [Frame]) { base.placedItems(in: y) }
    func header(of section: Int) -> Frame? { base.header(of: section) }
}

extension Layout {
    /// The layout itself, to ask what kind it is of.
    package var unwrapped: any Layout { (self as? LargeLayout)?.base ?? self }
}
