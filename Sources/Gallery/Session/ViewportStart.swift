import Viewport

/// Where a viewport opens.
package enum ViewportStart: Sendable, Hashable {
    /// CSS pixels from the top of the content.
    case scrollTop(Double)
    /// Where the part `fraction` of an item's height (0 is its top, 1 its bottom) stands `at` CSS pixels below the top
    /// of the viewport: only a layout can turn it into a position.
    case anchor(item: Int, fraction: Double, at: Double)

    package func scrollTop(in layout: any Layout) -> Double {
        switch self {
        case .scrollTop(let scrollTop): return scrollTop
        case .anchor(let item, let fraction, let at):
            guard layout.itemCount > 0 else { return 0 }
            let frame = layout.frame(of: min(max(0, item), layout.itemCount - 1))
            return frame.y + fraction * frame.height - at
        }
    }
}
